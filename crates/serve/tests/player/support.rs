//! A host, and what it needs.

use ludens_gdl::{Limits, Rules, read};
use ludens_machine::{Lanes, Machine, MoveId, Random, RoleId, relational::Options};
use ludens_search::{Settings, Spec};
use ludens_serve::{HttpLimits, Log, Server, Session, Setup};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// The sheet of a game of the library.
pub(crate) fn sheet(game: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(game).join("rules.kif");
    std::fs::read_to_string(path).expect("a game of the library")
}

pub(crate) fn rules(sheet: &str) -> Rules {
    read(sheet, &Limits::default()).rules.expect("a valid sheet")
}

/// Lines that were logged.
#[derive(Clone, Default)]
pub(crate) struct Lines(Arc<Mutex<Vec<String>>>);

impl Lines {
    pub(crate) fn log(&self) -> Log {
        let lines = self.0.clone();
        Arc::new(move |line| lines.lock().unwrap().push(line.to_owned()))
    }

    pub(crate) fn has(&self, part: &str) -> bool {
        self.0.lock().unwrap().iter().any(|line| line.contains(part))
    }
}

impl std::fmt::Display for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.lock().unwrap().join("\n"))
    }
}

/// A player that needs little memory.
pub(crate) fn setup(player: &str, lines: &Lines) -> Setup {
    let settings = Settings { memory: 16 << 20, ..Settings::default() };
    Setup { log: Some(lines.log()), ..Setup::new(Spec::parse(player).expect("a player"), settings) }
}

/// The host's side of a match, which it plays by the reference engine.
pub(crate) struct Host<'m> {
    machine: &'m Machine,
    lanes: Lanes<'m>,
    random: Random,
}

impl<'m> Host<'m> {
    pub(crate) fn new(machine: &'m Machine) -> Host<'m> {
        let mut lanes = machine.lanes(1);
        lanes.load(0, machine.initial());
        lanes.evaluate().unwrap();
        Host { machine, lanes, random: Random::new(7) }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.lanes.terminal(0)
    }

    pub(crate) fn points(&mut self, role: usize) -> u8 {
        self.lanes.points(0, RoleId(role as u32)).unwrap()
    }

    pub(crate) fn legal(&self, role: usize) -> Vec<String> {
        self.lanes.legal(0, RoleId(role as u32)).iter().map(|&id| self.machine.move_text(id)).collect()
    }

    /// Any legal move of every role.
    pub(crate) fn any(&mut self) -> Vec<String> {
        (0..self.machine.roles().len())
            .map(|role| {
                let legal = self.legal(role);
                legal[self.random.below(legal.len())].clone()
            })
            .collect()
    }

    pub(crate) fn play(&mut self, joint: &[String]) {
        let moves: Vec<MoveId> = joint.iter().map(|text| self.machine.find_move(text).unwrap()).collect();
        self.lanes.play(0, &moves);
        self.lanes.advance().unwrap();
        self.lanes.evaluate().unwrap();
    }
}

pub(crate) fn reference(rules: &Rules) -> Machine {
    Machine::relational(rules, &Options::default(), &ludens_machine::Limits::default()).unwrap()
}

/// A player that listens at some port of this machine, until this goes.
pub(crate) struct Listening {
    pub(crate) server: Arc<Server>,
    pub(crate) session: Arc<Session>,
    thread: Option<JoinHandle<()>>,
}

impl Listening {
    pub(crate) fn new(setup: Setup, limits: HttpLimits) -> Listening {
        let server = Arc::new(Server::bind(Ipv4Addr::LOCALHOST.into(), 0, true, limits).expect("a port"));
        let session = Arc::new(Session::new(setup));
        let (listening, answering) = (server.clone(), session.clone());
        let thread = Some(std::thread::spawn(move || listening.run(&answering)));
        Listening { server, session, thread }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.server.address()).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Everything that comes back after these bytes.
    pub(crate) fn exchange(&self, bytes: &[u8]) -> String {
        let mut stream = self.connect();
        stream.write_all(bytes).unwrap();
        read_all(&mut stream)
    }

    /// The answer to a message, sent as ggp-base sends it.
    pub(crate) fn ask(&self, message: &str) -> String {
        let length = message.len();
        let reply = self.exchange(format!("POST / HTTP/1.0\r\nContent-Length: {length}\r\n\r\n{message}").as_bytes());
        reply.split_once("\r\n\r\n").expect("a head").1.to_owned()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.server.stop();
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// To the end of the stream, as the Dresden controller reads.
pub(crate) fn read_all(stream: &mut TcpStream) -> String {
    let mut reply = Vec::new();
    // An end that is not in good order is an end.
    let _ = stream.read_to_end(&mut reply);
    String::from_utf8(reply).expect("text")
}
