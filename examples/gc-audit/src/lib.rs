//! Finds garbage-collector bugs in Python extension modules, whatever they are written in: the native half of the
//! Python package `gc_audit`, which gives [`pyo3_gc::audit`] to Python as it is.

use pyo3::prelude::*;

mod options;
mod watch;

/// What the Python package `gc_audit` is built on.
#[pymodule(gil_used = false)]
mod _native {
    use std::time::Duration;

    use pyo3::exceptions::{PyRuntimeError, PyValueError};
    use pyo3::prelude::*;
    use pyo3_gc::audit::Kind;

    use super::options::Options;

    /// Audits the heap, and returns the report: as text, as JSON, and the text of each finding and each note that is listed. `progress`
    /// says after how many seconds a line on stderr begins to tell how far it is.
    #[pyfunction]
    fn audit(
        py: Python<'_>,
        suspects: Vec<String>,
        allow: Vec<(String, String)>,
        limit: Option<usize>,
        progress: Option<f64>,
    ) -> PyResult<(String, String, Vec<String>)> {
        let progress = progress
            .map(Duration::try_from_secs_f64)
            .transpose()
            .map_err(|error| PyValueError::new_err(format!("progress: {error}")))?;
        let report = Options { suspects, allow, limit, progress }.run(py)?;
        let json =
            serde_json::to_string(&report).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let findings = report.findings.iter().map(ToString::to_string);
        let hidden = report.hidden.listed.iter().map(ToString::to_string);
        let unread = report.unread.listed.iter().map(ToString::to_string);
        let texts = findings.chain(hidden).chain(unread).collect();
        Ok((report.to_string(), json, texts))
    }

    /// The kinds of findings, by their keys, with what they are called and what they mean in text.
    #[pyfunction]
    fn kinds() -> Vec<(&'static str, &'static str, &'static str)> {
        Kind::ALL.iter().map(|kind| (kind.key(), kind.title(), kind.meaning())).collect()
    }

    /// The entries of an allow-list, each a pattern and a reason.
    #[pyfunction]
    fn allow_list(text: &str) -> PyResult<Vec<(String, String)>> {
        pyo3_gc::audit::allow_list(text)
    }
}
