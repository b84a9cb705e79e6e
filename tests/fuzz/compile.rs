//! Generated items, compiled: what is right compiles without a warning, and answers for itself; what is wrong has one
//! error for each mistake, at its line, and no other. See `generate/mod.rs` for how to run more, and how to repeat a failure.

use fastrand::Rng;

use crate::generate::project::Project;
use crate::generate::{Flaw, Source, item, seeds};

/// A crate for each kind of flaw, since rustc stops after a phase that finds errors.
#[test]
fn as_many_errors_as_mistakes() {
    let mut project = Project::new("fuzz");
    for (name, flaw) in [
        ("fuzz_right", Flaw::Nothing),
        ("fuzz_wrong_attributes", Flaw::Attributes),
        ("fuzz_wrong_paths", Flaw::Paths),
        ("fuzz_wrong_types", Flaw::Types),
    ] {
        let items: Vec<(u64, Source)> =
            seeds(100).map(|seed| (seed, item::item(&mut Rng::with_seed(seed), flaw))).collect();
        project.add(name, items);
    }
    project.check();
}
