//! Allow-lists, as users write them.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Reads an allow-list: in each line a type or a module, a colon, and the reason why its findings are all right. Empty
/// lines and those that begin with `#` are skipped.
///
/// # Errors
///
/// `ValueError` names the first line that has no reason.
///
/// # Examples
///
/// ```
/// use pyo3_gc::audit::{Audit, allow_list};
///
/// # fn main() -> pyo3::PyResult<()> {
/// let entries = allow_list(
///     "# what we know of\n\
///      rpds.HashTrieMap: shares its nodes, see crate-py/rpds#264\n",
/// )?;
/// assert_eq!(entries[0].0, "rpds.HashTrieMap");
/// let audit = entries.into_iter().fold(Audit::new(), |audit, (pattern, reason)| audit.allow(pattern, reason));
/// # Ok(())
/// # }
/// ```
pub fn allow_list(text: &str) -> PyResult<Vec<(String, String)>> {
    let entries = text.lines().enumerate().filter_map(|(at, line)| {
        let line = line.trim();
        (!line.is_empty() && !line.starts_with('#')).then_some((at + 1, line))
    });
    entries
        .map(|(at, line)| {
            match line.split_once(':').map(|(pattern, reason)| (pattern.trim(), reason.trim())) {
                Some((pattern, reason)) if !pattern.is_empty() && !reason.is_empty() => {
                    Ok((pattern.to_owned(), reason.to_owned()))
                }
                _ => Err(PyValueError::new_err(format!(
                    "line {at} of the allow-list: expected `module.Type: reason`, found `{line}`"
                ))),
            }
        })
        .collect()
}
