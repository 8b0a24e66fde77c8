//! How `ludens player` keeps to its clocks, and what it withstands: the real binary, over loopback, with this bench as its host.
//!
//! `cargo bench -p ludens --bench wire -- PART [numbers]`, where PART is
//! - `moves [moves] [matches side by side] [busy threads]`: how long moves take with a play clock of 1 s, while other threads keep the processors busy;
//! - `ready [start clock]`: whether every game of the library is begun within the start clock of 5 s;
//! - `memory [matches]`: whether a player process grows, in memory or in threads, from match to match;
//! - `hostile [requests] [connections]`: a match while malformed requests and silent connections come in.
//!
//! The exit code is 1 where a move was timed out (all hosts give a second more than the play clock) or not legal, a start was late (they give nothing more), or a process grew. Without `--bench`, or with `--test`, a few moves are made.

use ludens_gdl::{Limits, read};
use ludens_machine::relational::Options;
use ludens_machine::{Lanes, Machine, MoveId, Random, RoleId};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// The games of `moves`.
const GAMES: [&str; 10] =
    ["connect_four", "tron", "breakthrough", "othello", "checkers", "goofspiel", "hex", "chess", "connect_five", "eight_puzzle"];

/// And of `memory`.
const SMALL: [&str; 4] = ["tic_tac_toe", "connect_four", "nim", "rock_paper_scissors"];

/// The clocks of `moves`, in seconds.
const START_CLOCK: f64 = 5.0;
const PLAY_CLOCK: f64 = 1.0;

/// What every host allows beyond the play clock before a move is timed out.
const GRACE: f64 = 1.0;

/// Moves of one match, at most: so that there are matches of many games.
const MOVES: usize = 25;

/// Rows of the histogram: less than so many milliseconds.
const ROWS: [u64; 14] = [1, 5, 20, 100, 300, 600, 800, 850, 860, 880, 900, 925, 950, 1000];

/// From the second to the last quarter of all matches memory may grow by so many KiB, and by so many for every match between.
const STEADY: f64 = 1536.0;
const GROWTH: f64 = 3.0;

/// KiB that half of all matches may leave, at most: a program with nothing to do, and not a tree that is kept.
const ENOUGH: f64 = 32.0 * 1024.0;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_given = |wanted: &str| arguments.iter().any(|argument| argument == wanted);
    let measures = is_given("--bench") && !is_given("--test");
    let numbers: Vec<f64> = arguments.iter().filter_map(|argument| argument.parse().ok()).collect();
    let number = |place: usize, otherwise: usize| numbers.get(place).map_or(otherwise, |&number| number as usize);
    let processors = thread::available_parallelism().map_or(2, usize::from);
    if !measures {
        return verdict(moves(4, 1, 0));
    }
    let mut is_good = true;
    let is_any = ["moves", "ready", "memory", "hostile"].into_iter().any(is_given);
    if is_given("moves") || !is_any {
        is_good &= moves(number(0, 100), number(1, 4), number(2, processors));
    }
    if is_given("ready") || !is_any {
        is_good &= ready(numbers.first().copied().filter(|_| is_any).unwrap_or(START_CLOCK));
    }
    if is_given("memory") || !is_any {
        is_good &= memory(number(0, 100));
    }
    if is_given("hostile") || !is_any {
        is_good &= hostile(number(0, 1000), number(1, 200));
    }
    verdict(is_good)
}

fn verdict(is_good: bool) -> ExitCode {
    if is_good { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

/// A player process, until this goes.
struct Player {
    child: Child,
    address: SocketAddr,
}

impl Player {
    fn new(seed: usize) -> Player {
        let seed = seed.to_string();
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludens"));
        command.args(["player", "--quiet", "--port", "0", "--memory", "64M", "--seed", &seed]);
        let mut child = command.stdout(Stdio::piped()).stdin(Stdio::null()).spawn().expect("the binary runs");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on ").and_then(|address| address.parse().ok());
        Player { address: address.expect("an address"), child }
    }

    /// The answer to a message, and how long it took, from the first byte to the end of the stream.
    fn ask(&self, message: &str) -> (String, Duration) {
        let began = Instant::now();
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        let length = message.len();
        let head = format!("POST / HTTP/1.0\r\nSender: GAMESERVER\r\nContent-Type: text/acl\r\nContent-Length: {length}\r\n\r\n");
        stream.write_all((head + message).as_bytes()).expect("a request is sent");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("a reply");
        let body = reply.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned());
        (body, began.elapsed())
    }

    /// A number of /proc/PID/status: kilobytes in use, or threads.
    fn status(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn games_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../games")
}

/// A game of the library, for its host.
struct Game {
    sheet: String,
    machine: Machine,
}

impl Game {
    fn new(name: &str) -> Game {
        let sheet = std::fs::read_to_string(games_folder().join(name).join("rules.kif")).expect("a game of the library");
        let rules = read(&sheet, &Limits::default()).rules.expect("a valid sheet");
        let machine = Machine::relational(&rules, &Options::default(), &ludens_machine::Limits::default()).expect("a machine");
        Game { sheet, machine }
    }
}

/// One move that was asked for.
struct Move {
    /// When the answer was there.
    at: Instant,
    took: Duration,
    is_legal: bool,
    /// Whether there was anything to choose.
    had_choice: bool,
}

/// The host of one match with one player, who is the first role; all others play at random.
struct Host<'m> {
    player: &'m Player,
    game: &'m Game,
    lanes: Lanes<'m>,
    last: String,
    id: String,
}

impl<'m> Host<'m> {
    /// Begins a match; tells how long that took.
    fn start(player: &'m Player, game: &'m Game, id: String, clocks: (f64, f64)) -> (Host<'m>, Duration) {
        let mut lanes = game.machine.lanes(1);
        lanes.load(0, game.machine.initial());
        lanes.evaluate().expect("an evaluation");
        let role = game.machine.role_name(RoleId(0));
        let (reply, took) = player.ask(&format!("(START {id} {role} ({}) {} {})", game.sheet, clocks.0, clocks.1));
        assert_eq!(reply, "ready");
        (Host { player, game, lanes, last: "NIL".to_owned(), id }, took)
    }

    fn is_over(&self) -> bool {
        self.lanes.terminal(0)
    }

    /// Asks for a move, and plays on.
    fn step(&mut self, random: &mut Random) -> Move {
        let Host { player, game, lanes, last, id } = self;
        let (reply, took) = player.ask(&format!("(PLAY {id} {last})"));
        let machine = &game.machine;
        let mut joint: Vec<MoveId> = machine.roles().map(|role| any(lanes.legal(0, role), random)).collect();
        let legal = lanes.legal(0, RoleId(0));
        let chosen = legal.iter().find(|&&id| machine.move_text(id) == reply);
        let told = Move { at: Instant::now(), took, is_legal: chosen.is_some(), had_choice: legal.len() > 1 };
        joint[0] = chosen.copied().unwrap_or(joint[0]);
        *last = format!("({})", joint.iter().map(|&id| machine.move_text(id)).collect::<Vec<_>>().join(" "));
        lanes.play(0, &joint);
        lanes.advance().and_then(|()| lanes.evaluate()).expect("a successor");
        told
    }

    fn stop(self) {
        assert_eq!(self.player.ask(&format!("(STOP {} {})", self.id, self.last)).0, "done");
    }
}

fn any(legal: &[MoveId], random: &mut Random) -> MoveId {
    legal[random.below(legal.len())]
}

/// Work that never waits.
fn keep_busy(enough: &AtomicBool) {
    let mut random = Random::new(1);
    while !enough.load(Relaxed) {
        std::hint::black_box((0..1000).fold(0, |sum: u64, _| sum.wrapping_add(random.bits())));
    }
}

/// A pulse is expected after a millisecond; what is noted is later than by so much.
const PAUSE: Duration = Duration::from_millis(20);

/// Sleeps a millisecond, again and again, and notes when it was woken far too late, and how much. Who sleeps most of the time is woken before those that compute: where even it had to wait
/// for a tenth of a second, nothing ran at all.
fn feel_pulse(enough: &AtomicBool) -> Vec<(Instant, Duration)> {
    let mut pauses = Vec::new();
    while !enough.load(Relaxed) {
        let began = Instant::now();
        thread::sleep(Duration::from_millis(1));
        let took = began.elapsed();
        if took > PAUSE {
            pauses.push((began, took));
        }
    }
    pauses
}

/// Prints what the pulse did while moves were awaited that came too late, or nearly.
fn explain(moves: &[Move], pauses: &[(Instant, Duration)]) {
    let longest = pauses.iter().map(|(_, took)| took.as_secs_f64() * 1e3).fold(0.0, f64::max);
    println!(
        "a thread that sleeps a millisecond at a time was woken too late {} times, by {longest:.0} ms at most",
        pauses.len()
    );
    let nearly = |step: &&Move| step.took.as_secs_f64() > PLAY_CLOCK - 0.1;
    for step in moves.iter().filter(nearly) {
        let asked = step.at.checked_sub(step.took).unwrap_or(step.at);
        let during = pauses.iter().filter(|&&(began, took)| began + took > asked && began < step.at);
        let pauses: Vec<String> = during.map(|(_, took)| format!("{:.0}", took.as_secs_f64() * 1e3)).collect();
        println!("  a move after {:.3} s; late pulses meanwhile, in ms: {}", step.took.as_secs_f64(), pauses.join(" "));
    }
    println!();
}

/// Asks for so many moves where there is a choice, of several players at the same time.
fn moves(wanted: usize, side_by_side: usize, busy: usize) -> bool {
    println!("moves: {wanted} with a play clock of {PLAY_CLOCK} s, {side_by_side} matches side by side, {busy} busy threads");
    let games: Vec<Game> = GAMES.iter().map(|name| Game::new(name)).collect();
    let (enough, made) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (all, starts, pauses): (Vec<Move>, Vec<Duration>, Vec<(Instant, Duration)>) = thread::scope(|scope| {
        for _ in 0..busy {
            scope.spawn(|| keep_busy(&enough));
        }
        let pulse = scope.spawn(|| feel_pulse(&enough));
        let (games, made) = (&games, &made);
        let play = move |seat: usize| {
            let player = Player::new(seat);
            let (mut random, mut told, mut starts) = (Random::new(seat as u64), Vec::new(), Vec::new());
            for number in seat * 3.. {
                if made.load(Relaxed) >= wanted {
                    break;
                }
                let game = &games[number % games.len()];
                let (mut host, took) = Host::start(&player, game, format!("m.{number}"), (START_CLOCK, PLAY_CLOCK));
                starts.push(took);
                let mut count = 0;
                while !host.is_over() && count < MOVES && made.load(Relaxed) < wanted {
                    let step = host.step(&mut random);
                    let choice = usize::from(step.had_choice);
                    count += choice;
                    made.fetch_add(choice, Relaxed);
                    told.push(step);
                }
                host.stop();
            }
            (told, starts)
        };
        let playing: Vec<_> = (0..side_by_side).map(|seat| scope.spawn(move || play(seat))).collect();
        let mut all = (Vec::new(), Vec::new());
        for playing in playing {
            let (told, starts) = playing.join().expect("a host");
            all.0.extend(told);
            all.1.extend(starts);
        }
        enough.store(true, Relaxed);
        (all.0, all.1, pulse.join().expect("a pulse"))
    });
    let late_starts = starts.iter().filter(|took| took.as_secs_f64() > START_CLOCK).count();
    let worst = starts.iter().max().map_or(0.0, Duration::as_secs_f64);
    println!("{} starts, {late_starts} late, the slowest after {worst:.3} s", starts.len());
    let is_good = judge(&all);
    explain(&all, &pauses);
    histogram(&all);
    is_good && late_starts == 0
}

/// Prints how long moves with a choice took, by tenths of a second.
fn histogram(moves: &[Move]) {
    let mut counts = [0_usize; 11];
    for step in moves.iter().filter(|step| step.had_choice) {
        counts[((step.took.as_millis() / 100) as usize).min(10)] += 1;
    }
    println!("| seconds | moves |\n|---|---:|");
    for (tenth, count) in counts.into_iter().enumerate() {
        let name = if tenth < 10 { format!("0.{tenth} to {:.1}", (tenth + 1) as f64 / 10.0) } else { "1.0 and more".to_owned() };
        println!("| {name} | {count} |");
    }
    println!();
}

/// Prints how long moves took; says whether all is well.
fn judge(moves: &[Move]) -> bool {
    let chosen: Vec<Duration> = moves.iter().filter(|step| step.had_choice).map(|step| step.took).collect();
    let forced: Vec<Duration> = moves.iter().filter(|step| !step.had_choice).map(|step| step.took).collect();
    println!("{:>18} {:>8} {:>8}", "answered within", "chosen", "forced");
    let mut from = 0;
    for to in ROWS.into_iter().chain([u64::MAX]) {
        let range = from..to;
        let count = |times: &[Duration]| times.iter().filter(|time| range.contains(&(time.as_millis() as u64))).count();
        let name = if to == u64::MAX { "more".to_owned() } else { format!("{to} ms") };
        println!("{name:>18} {:>8} {:>8}", count(&chosen), count(&forced));
        from = to;
    }
    let later_than = |limit: f64| moves.iter().filter(|step| step.took.as_secs_f64() > limit).count();
    let (late, out) = (later_than(PLAY_CLOCK), later_than(PLAY_CLOCK + GRACE));
    let illegal = moves.iter().filter(|step| !step.is_legal).count();
    let worst = moves.iter().map(|step| step.took).max().unwrap_or_default();
    println!(
        "{} moves, {out} timed out, {illegal} not legal; {late} beyond the clock itself, the slowest after {:.3} s\n",
        moves.len(),
        worst.as_secs_f64()
    );
    out + illegal == 0
}

/// Begins a match of every game of the library, and asks for one move.
fn ready(clock: f64) -> bool {
    println!("ready: a start clock of {clock} s\n{:>28} {:>8} {:>10}", "game", "ready, s", "move, s");
    let mut names: Vec<String> = std::fs::read_dir(games_folder())
        .expect("the library")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let player = Player::new(1);
    let mut random = Random::new(1);
    let mut bad = 0;
    for name in names {
        let game = Game::new(&name);
        let (mut host, took) = Host::start(&player, &game, format!("r.{name}"), (clock, PLAY_CLOCK));
        let step = host.step(&mut random);
        let is_bad = took.as_secs_f64() > clock || step.took.as_secs_f64() > PLAY_CLOCK || !step.is_legal;
        let remark = if is_bad { " late or not legal" } else { "" };
        println!("{name:>28} {:>8.3} {:>10.3}{remark}", took.as_secs_f64(), step.took.as_secs_f64());
        bad += usize::from(is_bad);
        host.stop();
    }
    println!("{bad} late or not legal\n");
    bad == 0
}

/// The least of several readings: right after an answer some threads may still be about to end.
fn idle_threads(player: &Player) -> u64 {
    // Who answers is ready in every respect.
    player.ask("( INFO )");
    let reading = |_| {
        thread::sleep(Duration::from_millis(10));
        player.status("Threads")
    };
    (0..20).map(reading).min().unwrap_or(0)
}

/// Plays many short matches in one process.
fn memory(matches: usize) -> bool {
    println!("memory: {matches} short matches\n{:>8} {:>10} {:>8}", "matches", "KiB", "threads");
    let games: Vec<Game> = SMALL.iter().map(|name| Game::new(name)).collect();
    let player = Player::new(1);
    let idle = idle_threads(&player);
    if idle == 0 {
        println!("there is no /proc to read them from\n");
        return true;
    }
    let mut random = Random::new(1);
    let (mut sizes, mut threads, mut illegal) = (Vec::new(), Vec::new(), 0);
    for number in 0..matches {
        let game = &games[number % games.len()];
        let (mut host, _) = Host::start(&player, game, format!("k.{number}"), (0.6, 0.4));
        for _ in 0..3 {
            if !host.is_over() {
                illegal += usize::from(!host.step(&mut random).is_legal);
            }
        }
        host.stop();
        // What a match held is given back a moment after its end.
        for _ in 0..100 {
            if player.status("Threads") <= idle {
                break;
            }
            thread::sleep(Duration::from_millis(10));
        }
        sizes.push(player.status("VmRSS"));
        threads.push(player.status("Threads"));
        if (number + 1).is_multiple_of((matches / 20).max(1)) {
            println!("{:>8} {:>10} {:>8}", number + 1, sizes[number], threads[number]);
        }
    }
    let least = threads[matches - matches / 4..].iter().copied().min().unwrap_or(0);
    println!("{idle} threads before the first match, at least {least} in the last quarter; {illegal} moves not legal");
    is_steady(&sizes) && illegal == 0 && least <= idle
}

/// Whether the KiB after every match say that nothing is held. A match that ends late, and what the allocator keeps for a while, make some of them larger and hardly any smaller: so growth is
/// looked for where the lowest tenth ends. The first quarter is left out, for then everything happens for the first time. What is held from every match adds up from the second quarter to the last:
/// of 1000 matches that is found where it is more than 6 KiB of each, of 100 only where it is more than 34, since for some hundred matches threads still meet in new ways. An allocator that keeps
/// far more than is used need not grow from then on: the median tells.
fn is_steady(sizes: &[u64]) -> bool {
    let quarter = sizes.len() / 4;
    let share = |sizes: &[u64], share: f64| {
        let mut sizes = sizes.to_vec();
        sizes.sort_unstable();
        sizes.get((sizes.len() as f64 * share) as usize).map_or(0.0, |&size| size as f64)
    };
    let (second, last) = (&sizes[quarter..2 * quarter], &sizes[sizes.len() - quarter..]);
    let (early, late, median) = (share(second, 0.1), share(last, 0.1), share(last, 0.5));
    let between = (sizes.len() - 2 * quarter) as f64;
    let per_match = (late - early) / between.max(1.0);
    println!(
        "a tenth below {early:.0} KiB in the second quarter and {late:.0} KiB in the last: {per_match:+.1} KiB for every match"
    );
    println!("half below {median:.0} KiB in the last quarter\n");
    late <= early + STEADY + GROWTH * between && median <= ENOUGH
}

/// A request that is nearly right.
fn fuzzed(random: &mut Random) -> Vec<u8> {
    let bodies = ["( INFO )", "(PLAY x NIL)", "(START y x ((role x)) 1 1)", "(STOP y NIL)", "(ABORT y)", "((((", ")", "\u{e9}"];
    let body = bodies[random.below(bodies.len())];
    let head = match random.below(5) {
        0 => "GET / HTTP/1.0\r\n\r\n".to_owned(),
        1 => "POST / HTTP/1.0\r\n\r\n".to_owned(),
        2 => format!("POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n", random.below(100_000)),
        _ => format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n", body.len()),
    };
    let mut bytes = [head.as_bytes(), body.as_bytes()].concat();
    for _ in 0..random.below(8) {
        let at = random.below(bytes.len());
        match random.below(3) {
            0 => bytes[at] = random.bits() as u8,
            1 => bytes.truncate(at + 1),
            _ => bytes.insert(at, b"()\r\n; %"[random.below(7)]),
        }
    }
    bytes
}

/// Plays while others send what they should not.
fn hostile(requests: usize, connections: usize) -> bool {
    println!("hostile: a match during {requests} malformed requests and {connections} silent connections");
    let game = Game::new("connect_four");
    let player = Player::new(1);
    let (enough, sent) = (AtomicBool::new(false), AtomicUsize::new(0));
    // Between matches nobody else may begin one.
    let gate = RwLock::new(());
    let moves = thread::scope(|scope| {
        let (mut host, _) = Host::start(&player, &game, "h.1".to_owned(), (START_CLOCK, PLAY_CLOCK));
        for seed in 0..4 {
            let (player, enough, sent, gate) = (&player, &enough, &sent, &gate);
            scope.spawn(move || {
                let mut random = Random::new(seed);
                while !enough.load(Relaxed) && sent.fetch_add(1, Relaxed) < requests {
                    let _open = gate.read().expect("nobody panics");
                    let Ok(mut stream) = TcpStream::connect(player.address) else { continue };
                    let _ = stream.write_all(&fuzzed(&mut random));
                    let _ = stream.shutdown(Shutdown::Write);
                    let _ = stream.read_to_end(&mut Vec::new());
                }
            });
        }
        let (mut random, mut moves, mut rounds) = (Random::new(5), Vec::new(), 0);
        while sent.load(Relaxed) < requests || rounds == 0 {
            rounds += 1;
            while !host.is_over() {
                let silent: Vec<_> = (0..connections).map(|_| TcpStream::connect(player.address)).collect();
                moves.push(host.step(&mut random));
                drop(silent);
            }
            let _closed = gate.write().expect("nobody panics");
            host.stop();
            host = Host::start(&player, &game, format!("h.{}", rounds + 1), (PLAY_CLOCK, PLAY_CLOCK)).0;
        }
        enough.store(true, Relaxed);
        host.stop();
        moves
    });
    println!("{} requests sent during the matches", sent.load(Relaxed).min(requests));
    judge(&moves)
}
