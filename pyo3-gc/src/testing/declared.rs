//! What the caller of a check declares of sentinels.

use super::report::Declaration;

#[derive(Clone, Debug, Default)]
pub(super) struct Declared(Vec<(Declaration, String)>);

impl Declared {
    pub(super) fn add(&mut self, declaration: Declaration, name: String) {
        self.0.push((declaration, name));
    }

    pub(super) fn has(&self, declaration: Declaration, name: &str) -> bool {
        self.0.iter().any(|(declared, of)| *declared == declaration && of == name)
    }

    /// A name that something is declared of, although no sentinel is called so.
    pub(super) fn unknown(&self, sentinels: &[String]) -> Option<&str> {
        self.0.iter().map(|(_, name)| name).find(|name| !sentinels.contains(name)).map(String::as_str)
    }
}
