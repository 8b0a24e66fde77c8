//! How much longer than they may searches take, while other threads keep all processors busy.
//!
//! `cargo bench -p ludens-search --bench deadlines -- [searches] [busy threads]` thinks within random times from 1 ms to 200 ms, in positions of
//! matches of several games. It prints how far beyond its time each search went, and beside it how far a loop went that does nothing but look at
//! the clock: that much is the scheduler's. So that the one can be told from the other, it prints CPU times, too. The exit code is 1 where a search took more than 20 ms too long. Without `--bench`, or
//! with `--test`, a few searches are made and nothing is judged.

use cpu_time::ThreadTime;
use ludens_gdl::read;
use ludens_machine::relational::Options;
use ludens_machine::{GroundLimits, Lanes, Limits, Machine, MoveId, Random, RoleId, State};
use ludens_search::{Budget, Clock, Ready, Search, Settings, Spec, Verdict, Watch};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

const GAMES: [&str; 7] = ["connect_four", "breakthrough", "checkers", "chess", "goofspiel", "amazons", "eight_puzzle"];

/// The players, each with its number of threads. Where one does not fit a game it does not play it.
const PLAYERS: [(&str, usize); 6] = [("uct", 1), ("uct", 2), ("alphabeta", 1), ("mtdf", 1), ("mc", 1), ("puzzle", 1)];

/// A search may have so many bytes: little room that is soon used up, or much that takes long to look after.
const MEMORY: [usize; 2] = [32 << 20, 512 << 20];

/// The shortest and the longest time to think, in microseconds.
const SHORTEST: usize = 1_000;
const LONGEST: usize = 200_000;

/// Nobody may take so much longer.
const LIMIT: Duration = Duration::from_millis(20);

/// Rows of the histogram, in microseconds: less than so much longer.
const ROWS: [u64; 9] = [1, 100, 250, 500, 1_000, 2_000, 5_000, 10_000, 20_000];

/// How many of the worst are listed.
const WORST: usize = 5;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_given = |wanted: &str| arguments.iter().any(|argument| argument == wanted);
    let measures = is_given("--bench") && !is_given("--test");
    let numbers: Vec<usize> = arguments.iter().filter_map(|argument| argument.parse().ok()).collect();
    let processors = thread::available_parallelism().map_or(2, usize::from);
    let searches = numbers.first().copied().unwrap_or(if measures { 500 } else { 5 });
    let busy = numbers.get(1).copied().unwrap_or(if measures { processors } else { 0 });
    let games = if measures { &GAMES[..] } else { &GAMES[..1] };
    let machines: Vec<(&'static str, Machine)> = games.iter().map(|&game| (game, prepared(game))).collect();
    println!("{searches} searches on {processors} processors, {busy} busy threads\n");
    let enough = AtomicBool::new(false);
    let (mut runs, nothing) = thread::scope(|scope| {
        for _ in 0..busy {
            scope.spawn(|| keep_busy(&enough));
        }
        let found = run(&machines, searches);
        enough.store(true, Relaxed);
        found
    });
    histogram(&runs, &nothing);
    by_game_and_player(&runs, "too long, ms", Run::overrun);
    by_game_and_player(&runs, "of its own, ms", |run| run.late_cpu);
    println!("\nof its own: CPU time from the last look at the clock in time, give or take {:?}, to the end", Glass::MOMENT);
    let own = nothing.iter().map(|nothing| nothing.own).max().unwrap_or_default();
    println!(
        "doing nothing, and taking a page of new memory between looks: {:.2} ms at most from one look to the next",
        milliseconds(own)
    );
    println!("\nthe worst:");
    list(&mut runs, Run::overrun);
    println!("\nthe worst on their own account:");
    list(&mut runs, |run| run.late_cpu);
    if measures && runs.iter().any(|run| run.overrun() > LIMIT) {
        println!("\nsome search took more than {LIMIT:?} too long");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// The fastest machine for a game of the library, with its machine code made.
fn prepared(game: &str) -> Machine {
    let began = Instant::now();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(game).join("rules.kif");
    let sheet = std::fs::read_to_string(path).expect("a game of the library");
    let rules = read(&sheet, &ludens_gdl::Limits::default()).rules.expect("a valid sheet");
    let machine = Machine::fastest(&rules, &GroundLimits::default(), &Options::default(), &Limits::default());
    let machine = machine.expect("a machine");
    machine.prepare(512);
    println!("{game}: {} engine, prepared in {:.2} s", machine.engine_name(), began.elapsed().as_secs_f64());
    machine
}

/// Work that never waits.
fn keep_busy(enough: &AtomicBool) {
    let mut random = Random::new(1);
    while !enough.load(Relaxed) {
        std::hint::black_box((0..1000).fold(0, |sum: u64, _| sum.wrapping_add(random.bits())));
    }
}

/// Thinks so many times, each time in another match; and does nothing as often.
fn run(machines: &[(&'static str, Machine)], searches: usize) -> (Vec<Run>, Vec<Nothing>) {
    let mut random = Random::new(1);
    let pairs = machines.iter().flat_map(|(game, machine)| PLAYERS.map(|player| (*game, machine, player)));
    let mut seats: Vec<Seat<'_>> =
        pairs.filter_map(|(game, machine, player)| Seat::new(game, machine, player, &mut random)).collect();
    let (mut runs, mut idle) = (Vec::new(), Vec::new());
    for _ in 0..searches {
        let chosen = random.below(seats.len());
        let seat = &mut seats[chosen];
        let budget = Duration::from_micros((SHORTEST + random.below(LONGEST - SHORTEST + 1)) as u64);
        runs.push(seat.think(budget, &mut random));
        idle.push(do_nothing(budget / 2));
    }
    (runs, idle)
}

/// A loop that looks at the clock, takes a page of memory, and looks again.
struct Nothing {
    overrun: Duration,
    /// The most CPU time between two looks: what is more than some microseconds is the machine's.
    own: Duration,
}

/// Memory that the loop takes before it gives it back.
const PAGES: usize = 2048;
const PAGE: usize = 4096;

/// How much longer than it should such a loop takes.
fn do_nothing(budget: Duration) -> Nothing {
    let (began, mut last, mut own) = (Instant::now(), ThreadTime::now().as_duration(), Duration::ZERO);
    let mut pages: Vec<Vec<u8>> = Vec::with_capacity(PAGES);
    while began.elapsed() < budget {
        if pages.len() == PAGES {
            pages.clear();
        }
        pages.push(std::hint::black_box(vec![1; PAGE]));
        let cpu = ThreadTime::now().as_duration();
        own = own.max(cpu.saturating_sub(last));
        // To give all of it back takes a while of its own.
        last = cpu;
    }
    Nothing { overrun: began.elapsed().saturating_sub(budget), own }
}

/// One search, and how it went.
struct Run {
    game: &'static str,
    player: String,
    budget: Duration,
    wall: Duration,
    memory: usize,
    /// The last look at the clock in time was so long before the end, and that took so much CPU time: of the thread that did most.
    late: Duration,
    late_cpu: Duration,
}

impl Run {
    fn overrun(&self) -> Duration {
        self.wall.saturating_sub(self.budget)
    }
}

/// A player of a game, in the middle of a match.
struct Seat<'m> {
    game: &'static str,
    player: (&'static str, usize),
    machine: &'m Machine,
    lanes: Lanes<'m>,
    search: Box<dyn Search + 'm>,
    memory: usize,
    state: State,
    role: RoleId,
}

impl<'m> Seat<'m> {
    /// At the beginning of a match; `None` where the player does not fit the game.
    fn new(game: &'static str, machine: &'m Machine, player: (&'static str, usize), random: &mut Random) -> Option<Seat<'m>> {
        let memory = MEMORY[random.below(MEMORY.len())];
        let settings = Settings { threads: player.1, memory, seed: random.bits(), max_plies: 1000 };
        let search = Ready::from(Spec::parse(player.0).expect("a player")).build(machine, settings).ok()?;
        let role = RoleId(random.below(machine.roles().len()) as u32);
        Some(Seat { game, player, machine, lanes: machine.lanes(1), search, memory, state: machine.initial().clone(), role })
    }

    /// Plays on by chance until its role has a choice, in another match where this one has come to its end.
    fn go_on(&mut self, random: &mut Random) {
        loop {
            let legal = self.legal();
            if legal.is_empty() {
                *self = Seat::new(self.game, self.machine, self.player, random).expect("it did fit");
            } else if legal[self.role.0 as usize].len() > 1 {
                return;
            } else {
                self.play(&legal, None, random);
            }
        }
    }

    /// The legal moves of every role; none where the match is over or somebody is stuck.
    fn legal(&mut self) -> Vec<Vec<MoveId>> {
        self.lanes.load(0, &self.state);
        self.lanes.evaluate().expect("an evaluation");
        let legal: Vec<Vec<MoveId>> = self.machine.roles().map(|role| self.lanes.legal(0, role).to_vec()).collect();
        if self.lanes.terminal(0) || legal.iter().any(Vec::is_empty) { Vec::new() } else { legal }
    }

    /// Plays a joint move: the role's if it is given, all others by chance.
    fn play(&mut self, legal: &[Vec<MoveId>], own: Option<MoveId>, random: &mut Random) {
        let mut joint: Vec<MoveId> = legal.iter().map(|moves| moves[random.below(moves.len())]).collect();
        if let Some(own) = own {
            joint[self.role.0 as usize] = own;
        }
        self.lanes.play(0, &joint);
        self.lanes.advance().expect("a successor");
        self.state = self.lanes.state(0);
    }

    /// Thinks, and plays what it found.
    fn think(&mut self, budget: Duration, random: &mut Random) -> Run {
        self.go_on(random);
        let (clock, stop) = (Glass::new(budget), AtomicBool::new(false));
        let limits = Budget { wall: Some(budget), ..Budget::default() };
        let verdict = self.search.think(&self.state, self.role, &limits, &Watch { clock: &clock, stop: &stop });
        let (wall, look) = (clock.began.elapsed(), clock.latest());
        let Verdict { choice, .. } = verdict.expect("an answer");
        let legal = self.legal();
        self.play(&legal, Some(choice), random);
        let player = format!("{} ({} threads)", self.player.0, self.player.1).replace(" (1 threads)", "");
        let late = look.map_or(wall, |look| wall.saturating_sub(look.wall));
        let late_cpu = look.map(|look| look.late_cpu()).unwrap_or_default();
        Run { game: self.game, player, budget, wall, memory: self.memory, late, late_cpu }
    }
}

/// A clock that knows when every thread last looked at it in time, give or take a moment.
#[derive(Debug)]
struct Glass {
    began: Instant,
    deadline: Duration,
    looks: Mutex<Vec<Look>>,
}

/// What is known of one thread.
#[derive(Clone, Copy, Debug)]
struct Look {
    thread: ThreadId,
    /// Its last look in time: when it was, and the CPU time used by then.
    wall: Duration,
    cpu: Duration,
    /// CPU time used when it last asked for that.
    asked: Duration,
}

impl Look {
    /// CPU time after the last look in time.
    fn late_cpu(&self) -> Duration {
        self.asked.saturating_sub(self.cpu)
    }
}

impl Glass {
    /// Looks closer than that to each other are not told apart: to ask for CPU time takes a while.
    const MOMENT: Duration = Duration::from_micros(200);

    fn new(deadline: Duration) -> Glass {
        Glass { began: Instant::now(), deadline, looks: Mutex::default() }
    }

    /// Of all threads, the one that did most after its last look in time.
    fn latest(&self) -> Option<Look> {
        // The calling thread may have gone on since it last asked.
        let _ = self.cpu();
        self.looks.lock().expect("nobody panics").iter().max_by_key(|look| look.late_cpu()).copied()
    }
}

impl Clock for Glass {
    fn wall(&self) -> Duration {
        let wall = self.began.elapsed();
        if wall >= self.deadline {
            return wall;
        }
        let thread = thread::current().id();
        // Where another thread looks at this very moment, the next look will do.
        let Ok(looks) = self.looks.try_lock() else { return wall };
        let last = looks.iter().find(|look| look.thread == thread).map(|look| look.wall);
        drop(looks);
        if last.is_none_or(|last| wall.saturating_sub(last) >= Glass::MOMENT) {
            // Not while others are kept from looking: after a system call another thread may be given the processor.
            let cpu = ThreadTime::now().as_duration();
            if let Ok(mut looks) = self.looks.try_lock() {
                looks.retain(|look| look.thread != thread);
                looks.push(Look { thread, wall, cpu, asked: cpu });
            }
        }
        wall
    }

    fn cpu(&self) -> Duration {
        let (cpu, thread) = (ThreadTime::now().as_duration(), thread::current().id());
        let mut looks = self.looks.lock().expect("nobody panics");
        if let Some(look) = looks.iter_mut().find(|look| look.thread == thread) {
            look.asked = cpu;
        }
        cpu
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// How many went how far beyond their time.
fn histogram(runs: &[Run], nothing: &[Nothing]) {
    let idle: Vec<Duration> = nothing.iter().map(|nothing| nothing.overrun).collect();
    let overruns: Vec<Duration> = runs.iter().map(Run::overrun).collect();
    println!("\n{:>16} {:>9} {:>9}", "too long by", "searches", "nothing");
    let mut from = 0;
    for to in ROWS.into_iter().chain([u64::MAX]) {
        let range = from..to;
        let count = |times: &[Duration]| times.iter().filter(|time| range.contains(&(time.as_micros() as u64))).count();
        let name = match (from, to) {
            (0, _) => "not at all".to_owned(),
            (_, u64::MAX) => format!("{} ms or more", from as f64 / 1e3),
            _ => format!("under {} ms", to as f64 / 1e3),
        };
        println!("{name:>16} {:>9} {:>9}", count(&overruns), count(&idle));
        from = to;
    }
    for share in [50, 90, 99, 100] {
        let at = |times: &[Duration]| {
            let mut times = times.to_vec();
            times.sort();
            times.get((times.len() * share / 100).min(times.len().saturating_sub(1))).map_or(0.0, |&time| milliseconds(time))
        };
        println!("{:>16} {:>9.2} {:>9.2}", format!("{share}% within, ms"), at(&overruns), at(&idle));
    }
}

/// The worst of every player in every game, in milliseconds.
fn by_game_and_player(runs: &[Run], title: &str, time: fn(&Run) -> Duration) {
    let unique = |names: Vec<String>| {
        let mut names = names;
        names.sort();
        names.dedup();
        names
    };
    let players = unique(runs.iter().map(|run| run.player.clone()).collect());
    let games = unique(runs.iter().map(|run| run.game.to_owned()).collect());
    print!("\n{title:<14}");
    for player in &players {
        print!(" {player:>15}");
    }
    println!();
    for game in &games {
        print!("{game:<14}");
        for player in &players {
            let own = runs.iter().filter(|run| run.game == game && run.player == *player);
            let text = own.map(time).max().map_or("-".to_owned(), |worst| format!("{:.2}", milliseconds(worst)));
            print!(" {text:>15}");
        }
        println!();
    }
}

/// Lists the worst by some time.
fn list(runs: &mut [Run], time: fn(&Run) -> Duration) {
    runs.sort_by_key(|run| std::cmp::Reverse(time(run)));
    for run in runs.iter().take(WORST) {
        println!(
            "{:>8.2} ms too long: {} plays {} in {:.1} ms with {} MiB; {:.2} ms after the last look in time, CPU time {:.2} ms",
            milliseconds(run.overrun()),
            run.player,
            run.game,
            milliseconds(run.budget),
            run.memory >> 20,
            milliseconds(run.late),
            milliseconds(run.late_cpu),
        );
    }
}
