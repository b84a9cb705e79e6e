//! Reduces a program that fails to a short one: by leaving out ever smaller parts of it.

use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::kind::Kind;
use super::program::{Op, Program};

/// The programs of another strategy, reduced in another way: proptest leaves out one element of a vector after the other,
/// once, which takes long and leaves much.
#[derive(Debug)]
pub(crate) struct Shrinking<S>(pub(crate) S);

impl<S: Strategy<Value = Program>> Strategy for Shrinking<S> {
    type Tree = Shrunk;
    type Value = Program;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let ops = self.0.new_tree(runner)?.current().0;
        let chunk = ops.len().div_ceil(2);
        Ok(Shrunk { ops, attempt: None, chunk, position: 0, got_shorter: false })
    }
}

pub(crate) struct Shrunk {
    ops: Vec<Op>,
    /// What was changed last, and may have to be undone.
    attempt: Option<Attempt>,
    /// How many steps are left out at once.
    chunk: usize,
    /// Where.
    position: usize,
    /// In this round over the program.
    got_shorter: bool,
}

enum Attempt {
    LeftOut(Vec<Op>),
    Replaced(Op),
}

impl ValueTree for Shrunk {
    type Value = Program;

    fn current(&self) -> Program {
        Program(self.ops.clone())
    }

    /// It fails: what was changed last stays so.
    fn simplify(&mut self) -> bool {
        match self.attempt.take() {
            Some(Attempt::LeftOut(_)) => self.got_shorter = true,
            Some(Attempt::Replaced(_)) => self.position += 1,
            None => {}
        }
        self.try_next()
    }

    /// It doesn't fail: what was changed last is needed.
    fn complicate(&mut self) -> bool {
        match self.attempt.take() {
            Some(Attempt::LeftOut(ops)) => {
                let end = self.position + ops.len();
                self.ops.splice(self.position..self.position, ops);
                self.position = end;
            }
            Some(Attempt::Replaced(op)) => {
                self.ops[self.position] = op;
                self.position += 1;
            }
            None => return false,
        }
        self.try_next()
    }
}

impl Shrunk {
    fn try_next(&mut self) -> bool {
        while self.chunk > 0 {
            if self.position < self.ops.len() {
                let end = self.ops.len().min(self.position + self.chunk);
                self.attempt = Some(Attempt::LeftOut(self.ops.drain(self.position..end).collect()));
                return true;
            }
            self.position = 0;
            let again = std::mem::take(&mut self.got_shorter) && self.chunk == 1;
            self.chunk = if again { 1 } else { self.chunk / 2 };
        }
        // No step can be left out any more; some nodes can be of a simpler kind.
        while let Some(op) = self.ops.get_mut(self.position) {
            match *op {
                Op::Add(kind, label, births) if kind != Kind::Instance => {
                    self.attempt = Some(Attempt::Replaced(*op));
                    *op = Op::Add(Kind::Instance, label, births);
                    return true;
                }
                _ => self.position += 1,
            }
        }
        false
    }
}
