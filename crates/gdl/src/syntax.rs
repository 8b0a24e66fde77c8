//! The text as a tree: words and lists, nothing interpreted.

use std::fmt;

use crate::Span;

/// A word or a list of a [`Syntax`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

/// A spelling, an index into the syntax's table of different words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WordId(pub(crate) u32);

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node<'a> {
    /// A word.
    Word(WordId),
    /// A list with its elements.
    List(&'a [NodeId]),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    Word(WordId),
    /// The elements are `children[first..first + len]`.
    List {
        first: u32,
        len: u32,
    },
}

/// A sheet read into words and lists. The tree is kept flat, so that no depth of nesting costs stack.
#[derive(Clone, Debug, Default)]
pub struct Syntax {
    pub(crate) words: Vec<String>,
    /// Where every word first stands.
    pub(crate) firsts: Vec<Span>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) spans: Vec<Span>,
    pub(crate) children: Vec<NodeId>,
    pub(crate) statements: Vec<NodeId>,
    /// True where something of the text was left out because of an error.
    pub(crate) broken: bool,
}

impl Syntax {
    /// The statements in the order of the text.
    pub fn statements(&self) -> &[NodeId] {
        &self.statements
    }

    /// What a node is.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        match self.shapes[id.0 as usize] {
            Shape::Word(word) => Node::Word(word),
            Shape::List { first, len } => Node::List(&self.children[first as usize..(first + len) as usize]),
        }
    }

    /// Where a node stands.
    pub fn span(&self, id: NodeId) -> Span {
        self.spans[id.0 as usize]
    }

    /// A word's spelling.
    pub fn word(&self, word: WordId) -> &str {
        &self.words[word.0 as usize]
    }

    /// Writes one node as text, with an explicit stack.
    fn write(&self, root: NodeId, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        enum Step {
            Node(NodeId),
            Text(&'static str),
        }
        let mut stack = vec![Step::Node(root)];
        while let Some(step) = stack.pop() {
            match step {
                Step::Text(text) => f.write_str(text)?,
                Step::Node(id) => match self.node(id) {
                    Node::Word(word) => f.write_str(self.word(word))?,
                    Node::List(elements) => {
                        f.write_str("(")?;
                        stack.push(Step::Text(")"));
                        for (index, &element) in elements.iter().enumerate().rev() {
                            stack.push(Step::Node(element));
                            if index > 0 {
                                stack.push(Step::Text(" "));
                            }
                        }
                    }
                },
            }
        }
        Ok(())
    }
}

/// One statement a line, single blanks, no comments.
impl fmt::Display for Syntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &statement in &self.statements {
            self.write(statement, f)?;
            f.write_str("\n")?;
        }
        Ok(())
    }
}
