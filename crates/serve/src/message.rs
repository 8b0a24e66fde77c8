//! What hosts say to players, and what players answer, as text.

use ludens_gdl::{Limits, Node, NodeId, Syntax, parse, parse_ground};
use std::fmt;
use std::time::Duration;

/// The longest message that is read, in bytes.
pub const LONGEST: usize = 16 << 20;

/// The longest clock that is believed.
pub const LONGEST_CLOCK: Duration = Duration::from_secs(1_000_000);

/// The clock where a message has none that can be read: better to answer too early than too late.
const UNREADABLE_CLOCK: Duration = Duration::from_secs(1);

/// The moves of all roles, in the order of the sheet, as text; `None` where none were made yet.
pub type Moves = Option<Vec<String>>;

/// What a host says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// Who are you, and are you free?
    Info,
    /// A match of this game may come.
    Preview {
        /// The rule sheet.
        rules: String,
        /// The time to look at it.
        clock: Duration,
    },
    /// A match begins.
    Start {
        /// Its name, which is compared letter by letter.
        id: String,
        /// Whom to play.
        role: String,
        /// The rule sheet.
        rules: String,
        /// The time until the first move is asked for.
        start_clock: Duration,
        /// The time for every move.
        play_clock: Duration,
    },
    /// These moves were made: what is yours now?
    Play {
        /// Which match.
        id: String,
        /// What all roles played last.
        moves: Moves,
    },
    /// These moves were made, and the match is over.
    Stop {
        /// Which match.
        id: String,
        /// What all roles played last.
        moves: Moves,
    },
    /// The match is given up.
    Abort {
        /// Which match.
        id: String,
    },
    /// Are you there?
    Ping,
}

/// Why a text is no message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// It is longer than anybody's message.
    #[error("a message of {0} bytes is too long")]
    TooLong(usize),
    /// Its parentheses do not match, or nest too deep.
    #[error("the message cannot be read: {0}")]
    Unreadable(String),
    /// It begins with a word that no host says.
    #[error("there is no message `{}`", ludens_gdl::legible(.0))]
    Unknown(String),
    /// Something that it needs is not there.
    #[error("a message `{keyword}` needs {what}")]
    Missing {
        /// Which message.
        keyword: &'static str,
        /// What is missing.
        what: &'static str,
    },
}

/// A message in parts.
struct Parts<'t> {
    text: &'t str,
    syntax: &'t Syntax,
    elements: &'t [NodeId],
    keyword: &'static str,
}

impl Message {
    /// Reads a message. An empty text asks who we are.
    ///
    /// # Errors
    /// If it is none.
    pub fn parse(text: &str) -> Result<Message, MessageError> {
        if text.len() > LONGEST {
            return Err(MessageError::TooLong(text.len()));
        }
        // The rules stand two lists deeper than in their sheet.
        let sheet = Limits::default();
        let limits = Limits { bytes: LONGEST, depth: sheet.depth + 2, rules: 2, diagnostics: 1, ..sheet };
        let (syntax, findings) = parse(&in_one_line(text), &limits);
        let Some(&statement) = syntax.statements().first() else {
            return match findings.first() {
                Some(finding) => Err(MessageError::Unreadable(finding.message.clone())),
                None => Ok(Message::Info),
            };
        };
        let single = [statement];
        let elements = match syntax.node(statement) {
            Node::List(elements) => elements,
            Node::Word(_) => &single,
        };
        let Some(&first) = elements.first() else { return Ok(Message::Info) };
        let span = syntax.span(first);
        let word = &text[span.start as usize..span.end as usize];
        let known = ["info", "preview", "start", "play", "stop", "abort", "ping"];
        let keyword = known.into_iter().find(|known| known.eq_ignore_ascii_case(word));
        let keyword = keyword.ok_or_else(|| MessageError::Unknown(word.chars().take(40).collect()))?;
        Parts { text, syntax: &syntax, elements, keyword }.message()
    }

    /// Whether a text begins like a message with rules, as far as that can be seen at its beginning.
    pub(crate) fn has_rules(text: &str) -> bool {
        let inside = text.trim_start().strip_prefix('(').unwrap_or_default().trim_start();
        let word = inside.split(|c: char| c.is_whitespace() || "();".contains(c)).next().unwrap_or_default();
        ["start", "preview"].iter().any(|known| known.eq_ignore_ascii_case(word))
    }

    /// The match that is spoken of, if any.
    pub fn id(&self) -> Option<&str> {
        match self {
            Message::Start { id, .. } | Message::Play { id, .. } | Message::Stop { id, .. } | Message::Abort { id } => Some(id),
            Message::Info | Message::Preview { .. } | Message::Ping => None,
        }
    }
}

/// The same text, byte for byte, with blanks in place of comments and ends of lines: to the reader of sheets, a rule that begins a line is no part of an open list.
fn in_one_line(text: &str) -> String {
    let mut is_comment = false;
    let blank = |byte: u8| {
        let ends = matches!(byte, b'\n' | b'\r');
        is_comment = (is_comment || byte == b';') && !ends;
        if is_comment || ends { b' ' } else { byte }
    };
    String::from_utf8(text.bytes().map(blank).collect()).expect("blanks take the place of whole characters")
}

impl Parts<'_> {
    fn message(&self) -> Result<Message, MessageError> {
        Ok(match self.keyword {
            "preview" => Message::Preview { rules: self.rules(1)?, clock: self.clock(2) },
            "start" => Message::Start {
                id: self.id()?,
                role: self.term(2).ok_or_else(|| self.missing("a role"))?,
                rules: self.rules(3)?,
                start_clock: self.clock(4),
                play_clock: self.clock(5),
            },
            "play" => Message::Play { id: self.id()?, moves: self.moves(2) },
            "stop" => Message::Stop { id: self.id()?, moves: self.moves(2) },
            "abort" => Message::Abort { id: self.id()? },
            "ping" => Message::Ping,
            _ => Message::Info,
        })
    }

    fn missing(&self, what: &'static str) -> MessageError {
        MessageError::Missing { keyword: self.keyword, what }
    }

    /// An element as it was written.
    fn slice(&self, node: NodeId) -> &str {
        let span = self.syntax.span(node);
        &self.text[span.start as usize..span.end as usize]
    }

    /// A term, in one way to write it if it is one.
    fn term(&self, place: usize) -> Option<String> {
        self.elements.get(place).map(|&node| self.normal(node))
    }

    fn normal(&self, node: NodeId) -> String {
        let written = self.slice(node);
        parse_ground(written).map_or_else(|_| written.to_owned(), |term| term.to_string())
    }

    fn list(&self, place: usize) -> Option<&[NodeId]> {
        match self.syntax.node(*self.elements.get(place)?) {
            Node::List(elements) => Some(elements),
            Node::Word(_) => None,
        }
    }

    fn id(&self) -> Result<String, MessageError> {
        match self.elements.get(1).map(|&node| (node, self.syntax.node(node))) {
            Some((node, Node::Word(_))) => Ok(self.slice(node).to_owned()),
            _ => Err(self.missing("the id of a match")),
        }
    }

    fn rules(&self, place: usize) -> Result<String, MessageError> {
        self.list(place).ok_or_else(|| self.missing("a list of rules"))?;
        let written = self.slice(self.elements[place]);
        Ok(written[1..written.len() - 1].to_owned())
    }

    fn moves(&self, place: usize) -> Moves {
        let moves = self.list(place).filter(|moves| !moves.is_empty())?;
        Some(moves.iter().map(|&node| self.normal(node)).collect())
    }

    fn clock(&self, place: usize) -> Duration {
        let seconds = self.elements.get(place).and_then(|&node| self.slice(node).parse::<f64>().ok());
        match seconds.filter(|seconds| !seconds.is_nan()) {
            None => UNREADABLE_CLOCK,
            Some(seconds) => Duration::from_secs_f64(seconds.clamp(0.0, LONGEST_CLOCK.as_secs_f64())),
        }
    }
}

/// As hosts write it.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Info => f.write_str("( INFO )"),
            Message::Preview { rules, clock } => write!(f, "( PREVIEW ({}) {} )", Sheet(rules), clock.as_secs_f64()),
            Message::Start { id, role, rules, start_clock, play_clock } => {
                let (start, play) = (start_clock.as_secs_f64(), play_clock.as_secs_f64());
                write!(f, "( START {id} {role} ({}) {start} {play} )", Sheet(rules))
            }
            Message::Play { id, moves } => write!(f, "( PLAY {id} {} )", Joint(moves)),
            Message::Stop { id, moves } => write!(f, "( STOP {id} {} )", Joint(moves)),
            Message::Abort { id } => write!(f, "( ABORT {id} )"),
            Message::Ping => f.write_str("( PING )"),
        }
    }
}

/// Rules within a message: a comment at their end must not swallow the rest of it.
struct Sheet<'t>(&'t str);

impl fmt::Display for Sheet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)?;
        f.write_str(if self.0.contains(';') { "\n" } else { "" })
    }
}

/// Moves within a message.
struct Joint<'t>(&'t Moves);

impl fmt::Display for Joint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            None => f.write_str("NIL"),
            Some(moves) => write!(f, "({})", moves.join(" ")),
        }
    }
}

/// What a player answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// Who it is.
    Info {
        /// Its name: a single word.
        name: String,
        /// Whether it is in a match.
        is_busy: bool,
    },
    /// To a start, a preview or a ping.
    Ready,
    /// It plays another match.
    Busy,
    /// Its move.
    Move(Box<Choice>),
    /// It has no move.
    Nil,
    /// The match is over.
    Done,
    /// The match was given up.
    Aborted,
    /// That was no message.
    Unreadable(MessageError),
}

/// A move, and what was thought.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// The move, as the sheet writes it.
    pub text: String,
    /// What was thought; nothing where there was no choice, or no time.
    pub thought: Option<Thought>,
}

/// What a search found out, in words that need no machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// Who thought: the player, and the engine.
    pub player: String,
    /// The points expected for every role.
    pub values: Vec<f64>,
    /// What is certain about the own points: at least, at most.
    pub bounds: (u8, u8),
    /// The joint moves expected, one move per role each.
    pub line: Vec<Vec<String>>,
    /// Descents through the tree, or random matches.
    pub simulations: u64,
    /// Positions looked at.
    pub nodes: u64,
    /// How deep it looked.
    pub depth: u32,
    /// How long it took.
    pub wall: Duration,
}

/// As it goes over the wire.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Info { name, is_busy } => {
                let status = if *is_busy { "busy" } else { "available" };
                write!(f, "( ( name {name} ) ( status {status} ) ( species alien ) )")
            }
            Reply::Ready => f.write_str("ready"),
            Reply::Busy => f.write_str("busy"),
            Reply::Move(choice) => f.write_str(&choice.text),
            Reply::Nil => f.write_str("nil"),
            Reply::Done => f.write_str("done"),
            Reply::Aborted => f.write_str("aborted"),
            Reply::Unreadable(_) => f.write_str("error"),
        }
    }
}

#[cfg(test)]
mod tests;
