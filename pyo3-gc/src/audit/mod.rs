//! Finds GC bugs in any extension module, whatever it is written in: counts the visits to every object in the
//! interpreter against its references.
//!
//! [`audit`] looks at the whole heap of the program that calls it, on release interpreters too. It calls the
//! `tp_traverse` of every object that the collector tracks, with a visitor that only counts, and reports
//!
//! - **over-visited** objects: more visits than references, with each visitor's type. The collector may destroy such an
//!   object while it is in use;
//! - types with an **unsteady** traverse: it answers differently twice, changes a reference count, or fails;
//! - **untracked** instances of types whose other instances the collector tracks;
//! - types whose instances **visit their type** in a number other than theirs to visit;
//! - asked for, **leak suspects** in types of yours: references that they hold and don't visit.
//!
//! On an interpreter without such bugs it reports nothing. The [chapter on reports](crate::guide::audit) says what each
//! finding means for the program and how to fix it.
//!
//! ```
//! use pyo3::prelude::*;
//!
//! # fn main() -> PyResult<()> {
//! Python::attach(|py| {
//!     py.run(c"import json; json.loads('[{}]')", None, None)?; // use what is to be tested
//!     pyo3_gc::audit::audit(py)?.assert_clean();
//!     Ok(())
//! })
//! # }
//! ```
//!
//! # When to call it
//!
//! In a test, while instances of the classes in question are alive and hold something. Other threads should stand still:
//! those that are attached are stopped by the audit (in free-threaded builds the way the collector stops them, except on
//! Windows), but a detached thread can change what Rust owns between one visit and the next, which then looks unsteady.
//! Objects that are mutably borrowed show nothing: nothing is reported of them.
//!
//! While it looks, the audit creates no Python object and runs no Python code; types are named without asking their
//! metaclass. It keeps every object alive for its duration, by a list of
//! [`gc.get_objects()`](https://docs.python.org/3/library/gc.html#gc.get_objects), and leaves nothing behind, finished or
//! broken off.
//!
//! # What it can't see
//!
//! What [`gc.freeze()`](https://docs.python.org/3/library/gc.html#gc.freeze) has set aside, immortal objects, and, in
//! free-threaded builds, objects with deferred reference counts (modules, classes, functions). An object is found
//! over-visited only if no reference from elsewhere hides the surplus: keep no more handles than the test needs.
//!
//! # Cost
//!
//! A few times that of one full `gc.collect()`, and less than a hundred bytes for each tracked object.

mod allow;
mod count;
mod finding;
mod heap;
mod kinds;
mod maps;
mod names;
mod over_visits;
mod pattern;
mod progress;
mod report;
mod search;
mod stop_the_world;
mod tally;
mod type_visits;
mod untracked;
mod violations;
mod walk;
mod wanted;
mod write;

use std::ops::ControlFlow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub use self::allow::allow_list;
pub use self::finding::{
    Evidence, Fault, Finding, Held, Holder, Kind, Listed, OverVisited, TypeVisits, Unexplained, Unread,
    Unsteady, Untracked, Visitor,
};
use self::heap::Heap;
use self::maps::Maps;
use self::names::Names;
use self::pattern::Patterns;
pub use self::progress::Step;
use self::progress::{Callback, Progress};
pub use self::report::{Allowed, Report, Suspected};
use self::search::Search;
use self::stop_the_world::stop_the_world;
use self::type_visits::type_visits;
use self::walk::{Special, walk};
use self::wanted::{Code, UntrackedObjects, Wanted};
use self::write::Writer;
use crate::heap::require_cpython;

/// Looks for certain bugs in the whole heap: [`Audit::run`] without options.
///
/// # Errors
///
/// As for [`Audit::run`].
pub fn audit(py: Python<'_>) -> PyResult<Report> {
    Audit::new().run(py)
}

/// The options of an audit.
///
/// ```
/// use pyo3::prelude::*;
/// use pyo3_gc::audit::Audit;
///
/// # fn main() -> PyResult<()> {
/// Python::attach(|py| {
///     let report = Audit::new()
///         .suspects("my_extension")
///         .allow("my_extension.Registry", "lives as long as the process")
///         .limit(5)
///         .run(py)?;
///     println!("{report}");
///     Ok(())
/// })
/// # }
/// ```
#[must_use = "an audit does nothing until it is `run`"]
pub struct Audit<'a> {
    limit: usize,
    suspects: Vec<String>,
    allow: Vec<(String, String)>,
    progress: Option<Callback<'a>>,
}

impl Default for Audit<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Audit<'a> {
    /// Certain bugs, twenty of each kind.
    pub fn new() -> Self {
        Self { limit: 20, suspects: Vec::new(), allow: Vec::new(), progress: None }
    }

    /// Lists at most so many findings of each kind. Their number is given in any case.
    pub fn limit(mut self, findings: usize) -> Self {
        self.limit = findings;
        self
    }

    /// Looks for leak suspects as well, in the types that `pattern` names: a type (`rpds.HashTrieMap`), or all of a
    /// module or package (`rpds`). Can be repeated. A report with a pattern that names no type isn't
    /// [clean](Report::is_clean), see [`Report::unmatched`].
    ///
    /// A module's types are those that say that they are from there, and those that stand in its namespace, or in that of a
    /// submodule, and aren't imported from where they say that they are. On Linux also those that say that they are from
    /// `builtins`, as PyO3's classes do without `module = "…"`, and come from the module's shared library. `X` and
    /// `builtins.X` are the same.
    ///
    /// Instances are found that the collector tracks, that a tracked object visits, or, on Linux, that memory of another
    /// instance leads to. The [chapter on reports](crate::guide::audit) says what is searched, and when a reference is a finding.
    pub fn suspects(mut self, pattern: impl Into<String>) -> Self {
        self.suspects.push(pattern.into());
        self
    }

    /// Keeps out findings about the types that `pattern` names, for a reason that the report gives. A finding about an
    /// over-visited object is kept out also if one of its visitors is of such a type. Can be repeated; see
    /// [`allow_list`] for a file of them.
    pub fn allow(mut self, pattern: impl Into<String>, reason: impl Into<String>) -> Self {
        self.allow.push((pattern.into(), reason.into()));
        self
    }

    /// Calls `progress` every few milliseconds, in all stages of the audit. It can break the audit off.
    ///
    /// It mustn't run Python code: other threads may be waiting for the audit to end.
    pub fn progress(mut self, progress: impl FnMut(Step) -> ControlFlow<()> + 'a) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Looks at the whole heap.
    ///
    /// # Errors
    ///
    /// - `KeyboardInterrupt`, if `progress` broke it off; the message says how far it was, and what it had found until then;
    /// - `NotImplementedError` on an interpreter other than CPython, and in an `abi3` build on CPython 3.9, where static
    ///   types can't be asked for their traverse;
    /// - `ValueError` for an empty pattern or an empty reason;
    /// - what `gc.get_objects()` raises, or a traverse leaves behind.
    pub fn run(self, py: Python<'_>) -> PyResult<Report> {
        let Self { limit, suspects, allow, progress } = self;
        if suspects
            .iter()
            .chain(allow.iter().flat_map(|(pattern, reason)| [pattern, reason]))
            .any(String::is_empty)
        {
            return Err(PyValueError::new_err("a pattern or a reason of the audit is empty"));
        }
        require_cpython(py, "the audit")?;
        let (names, special, frozen) = (Names::new(py)?, Special::new(py)?, heap::frozen(py)?);
        let heap = Heap::new(py)?;
        let progress = Progress::new(progress);
        let code = if suspects.is_empty() { None } else { Some(Code::new(py)?) };
        let walked = stop_the_world(py, || {
            let walk = walk(&heap, &special, &progress)?;
            let untracked = match &code {
                Some(code) => Some((UntrackedObjects::find(&heap, code, &progress)?, code)),
                None => None,
            };
            ControlFlow::Continue((walk, untracked))
        });
        if let Some(left_by_a_traverse) = PyErr::take(py) {
            return Err(left_by_a_traverse);
        }
        let (walk, untracked) = walked.continue_value().ok_or_else(|| progress.broken_off(None))?;
        let patterns = Patterns::new(&heap, &names, suspects)?;
        let wanted = match untracked {
            Some(untracked) => Wanted::new(&heap, &walk, untracked, &names, &patterns)?,
            None => Wanted::default(), // nothing is named or measured, which are Python calls
        };
        let mut writer = Writer::new(&heap, &names, allow, limit)?;
        writer.walk(&walk);
        writer.type_visits(&type_visits(&heap, &walk.count, &wanted.types));
        if !wanted.types.is_empty() {
            let maps = Maps::read();
            let py_version = py.version_info();
            let search = Search {
                heap: &heap,
                count: &walk.count,
                wanted: &wanted,
                maps: &maps,
                version: (py_version.major, py_version.minor),
                frame_type: special.frame_type(),
            };
            let Some(found) = stop_the_world(py, || search.run(&progress)).continue_value() else {
                let report = Report { frozen, ..writer.finish() };
                return Err(progress.broken_off((report.findings() > 0).then_some(&report)));
            };
            writer.suspects(&found);
        }
        Ok(Report { frozen, suspects: wanted.patterns, ..writer.finish() })
    }
}
