//! The audit reports nothing where there is nothing to report.

mod support;

use pyo3_gc::audit::audit;
use support::alone;

#[test]
fn an_untouched_interpreter_is_clean() {
    alone(|py| {
        let report = audit(py).unwrap();
        println!("{report}");
        assert!(report.objects > 1_000 && report.visits > report.objects as u64, "{report}");
        report.assert_clean();
    });
}
