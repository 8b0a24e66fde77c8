% Flat Monte Carlo from given positions, against the CPU clock: the same for all games. What a game defines: s.. the fluents of the state in hand, t/1 any of them,
% d/2 the moves chosen, l/2 legal, n/1 next, g/2 goal, e/0 the end, put/1 and clear/0 to change the state, roles/1, fresh/0 to forget tables.

main :-
    limits(Seconds, Seed, Plies),
    set_random(seed(Seed)),
    forall(position(Role, Fluents), think(Role, Fluents, Seconds, Plies)).

think(Role, Fluents, Seconds, Plies) :-
    set_state(Fluents),
    roles(Roles),
    findall(N, (member(R, Roles), legal_moves(R, Moves), length(Moves, N)), Legal),
    statistics(cputime, Start),
    End is Start + Seconds,
    simulations(Fluents, Role, Plies, End, 0, States, 0, Simulations),
    statistics(cputime, Now),
    Used is Now - Start,
    format("~w ~w ~6f", [States, Simulations, Used]),
    forall(member(N, Legal), format(" ~w", [N])),
    nl.

% The simulation in hand is played to its end.
simulations(Fluents, Role, Plies, End, S0, S, N0, N) :-
    simulate(Fluents, Role, Plies, Visited),
    S1 is S0 + Visited,
    N1 is N0 + 1,
    statistics(cputime, Now),
    (   Now >= End
    ->  S = S1, N = N1
    ;   simulations(Fluents, Role, Plies, End, S1, S, N1, N)
    ).

simulate(Fluents, Role, Plies, Visited) :-
    set_state(Fluents),
    playout(Plies, 0, Visited),
    ( g(Role, _) -> true ; true ).

playout(Left, S0, S) :-
    (   Left =:= 0
    ->  S = S0
    ;   e
    ->  S = S0
    ;   roles(Roles), retractall(d(_, _)), choose(Roles)
    ->  findall(F, n(F), Next),
        sort(Next, Fluents),
        set_state(Fluents),
        S1 is S0 + 1,
        Less is Left - 1,
        playout(Less, S1, S)
    ;   S = S0
    ).

choose([]).
choose([Role|Roles]) :-
    legal_moves(Role, Moves),
    Moves \== [],
    random_member(Move, Moves),
    assertz(d(Role, Move)),
    choose(Roles).

legal_moves(Role, Moves) :-
    findall(Move, l(Role, Move), All),
    sort(All, Moves).

set_state(Fluents) :-
    clear,
    put_all(Fluents),
    fresh.

put_all([]).
put_all([Fluent|Fluents]) :-
    put(Fluent),
    put_all(Fluents).
