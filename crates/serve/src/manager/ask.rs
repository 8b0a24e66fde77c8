//! Asking everybody at the same time.

use super::Seat;
use crate::client::Fault;
use crate::message::{Message, Reply};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Who gets messages. They may come while an earlier one is still being answered.
pub trait Contact: Send + Sync {
    /// The answer to a message. Whatever comes after the deadline is too late.
    ///
    /// # Errors
    /// If there is none.
    fn ask(&self, message: &Message, deadline: Instant) -> Result<Reply, Fault>;
}

/// How often we look whether to stop.
const GLANCE: Duration = Duration::from_millis(50);

/// Players elsewhere know the deadline themselves; this much later we stop waiting for them to notice it.
const NOTICE: Duration = Duration::from_millis(500);

/// A message to somebody, if it is somebody who gets messages.
pub(super) struct Question(Option<(Arc<dyn Contact>, Message)>);

impl Question {
    pub(super) fn new(seat: &Seat, message: impl FnOnce() -> Message) -> Question {
        Question(match seat {
            Seat::Player(contact) => Some((Arc::clone(contact), message())),
            Seat::Chance | Seat::Person => None,
        })
    }
}

/// What came back, and after how long.
pub(super) struct Answer {
    pub(super) said: Result<Reply, Fault>,
    pub(super) latency: Duration,
}

impl Answer {
    fn none(fault: Fault) -> Answer {
        Answer { said: Err(fault), latency: Duration::ZERO }
    }
}

/// Asks all at once, each in a thread of its own, does something meanwhile, and waits for the answers until the deadline, or until it is told to stop.
/// There is an answer for everybody who was asked.
pub(super) fn ask_all(
    questions: Vec<Question>,
    deadline: Instant,
    stop: &AtomicBool,
    meanwhile: impl FnOnce(),
) -> Vec<Option<Answer>> {
    let (sender, receiver) = mpsc::channel();
    let mut answers: Vec<Option<Answer>> = Vec::new();
    let mut waiting: Vec<usize> = Vec::new();
    for (place, Question(question)) in questions.into_iter().enumerate() {
        answers.push(None);
        let Some((contact, message)) = question else { continue };
        let sender = sender.clone();
        let asking = move || {
            let begun = Instant::now();
            let said = contact.ask(&message, deadline);
            let ended = Instant::now();
            let said = if ended > deadline { Err(Fault::Late) } else { said };
            // Nobody listens any more to who is late.
            let _ = sender.send((place, Answer { said, latency: ended - begun }));
        };
        match thread::Builder::new().name(format!("seat {place}")).spawn(asking) {
            Ok(_) => waiting.push(place),
            Err(error) => answers[place] = Some(Answer::none(Fault::Connection(error.to_string()))),
        }
    }
    drop(sender);
    meanwhile();
    let mut why = Fault::Late;
    while !waiting.is_empty() {
        let left = (deadline + NOTICE).saturating_duration_since(Instant::now());
        match receiver.recv_timeout(left.min(GLANCE)) {
            Ok((place, answer)) => {
                answers[place] = Some(answer);
                waiting.retain(|&other| other != place);
            }
            Err(RecvTimeoutError::Timeout) if left.is_zero() || stop.load(Ordering::Relaxed) => break,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                why = Fault::Connection("it broke down".to_owned());
                break;
            }
        }
    }
    for place in waiting {
        answers[place] = Some(Answer::none(why.clone()));
    }
    answers
}
