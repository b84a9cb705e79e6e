//! What patterns name: types by their names, and those that stand in the namespaces of modules.

use std::path::{Path, PathBuf};

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyModule, PyType};

use super::heap::{AddressSet, Heap};
use super::maps::Maps;
use super::names::Names;
use crate::heap::Type;
use crate::type_names::TypeName;

/// The patterns of the user's for one purpose.
pub(super) struct Patterns<'h> {
    all: Vec<Pattern<'h>>,
    maps: Maps,
}

/// `module.Type`, or `module`, or both with the names of packages before.
struct Pattern<'h> {
    text: String,
    /// The types that it names by where they stand, whatever they are called.
    stand_there: AddressSet<Type<'h>>,
    /// The shared libraries of the modules that it names.
    libraries: Vec<String>,
}

impl<'h> Patterns<'h> {
    pub(super) fn new(heap: &'h Heap<'_>, names: &Names<'_>, texts: Vec<String>) -> PyResult<Self> {
        let mut all = Vec::with_capacity(texts.len());
        if !texts.is_empty() {
            let modules = Modules::new(heap.py())?;
            for text in texts {
                all.push(Pattern::new(heap, names, &modules, text)?);
            }
        }
        let maps = if all.is_empty() { Maps::default() } else { Maps::read() };
        Ok(Self { all, maps })
    }

    /// The patterns, as they were given.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|pattern| &*pattern.text)
    }

    /// The places of the patterns that name a type.
    pub(super) fn naming(&self, ty: Type<'h>, name: &TypeName) -> Vec<usize> {
        let text = name.to_string();
        let full = match &name.module {
            Some(module) => format!("{module}.{}", name.qualname),
            None => text.clone(),
        };
        let library = if full == text { None } else { self.maps.file(ty.dealloc()) };
        let names_it = |pattern: &Pattern<'h>| {
            names(&pattern.text, &text)
                || names(&pattern.text, &full)
                || pattern.stand_there.contains(&ty)
                || library.is_some_and(|library| pattern.libraries.iter().any(|it| it == library))
        };
        self.all.iter().enumerate().filter(|(_, pattern)| names_it(pattern)).map(|(at, _)| at).collect()
    }

    /// The types that any of the patterns names by where they stand.
    pub(super) fn standing_there(&self) -> impl Iterator<Item = Type<'h>> {
        self.all.iter().flat_map(|pattern| &pattern.stand_there).copied()
    }
}

impl<'h> Pattern<'h> {
    fn new(heap: &'h Heap<'_>, names: &Names<'_>, modules: &Modules<'_>, text: String) -> PyResult<Self> {
        let (mut stand_there, mut libraries) = (AddressSet::default(), Vec::new());
        modules.each_named(&text, |module, namespace, attribute| {
            for (name, value) in namespace.copy()? {
                let name = name.extract::<String>().unwrap_or_default();
                if let Ok(ty) = value.cast::<PyType>() {
                    let ty = Type::of(ty);
                    let is_named = match attribute {
                        Some(attribute) => attribute == name,
                        None => modules.is_at_home(&names.of(ty), ty, module),
                    };
                    if is_named {
                        stand_there.insert(heap.keep_type(ty));
                    }
                } else if attribute.is_none() && name == "__file__" {
                    libraries.extend(value.extract::<PathBuf>().ok().and_then(|path| library(&path)));
                }
            }
            Ok(())
        })?;
        Ok(Self { text, stand_there, libraries })
    }
}

/// The file, as the system knows it.
fn library(path: &Path) -> Option<String> {
    path.canonicalize().ok()?.into_os_string().into_string().ok()
}

/// Whether `pattern` names `name`, or a module or class that it stands in.
fn names(pattern: &str, name: &str) -> bool {
    name.strip_prefix(pattern).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// `sys.modules`.
struct Modules<'py>(Bound<'py, PyDict>);

impl<'py> Modules<'py> {
    fn new(py: Python<'py>) -> PyResult<Self> {
        let modules = py.import(intern!(py, "sys"))?.getattr(intern!(py, "modules"))?;
        Ok(Self(modules.cast_into::<PyDict>()?))
    }

    /// Calls `each` with the modules that `pattern` names, and with those that it begins with, and then what follows; with
    /// their names and their namespaces.
    fn each_named(
        &self,
        pattern: &str,
        mut each: impl FnMut(&str, &Bound<'py, PyDict>, Option<&str>) -> PyResult<()>,
    ) -> PyResult<()> {
        // A copy, since other threads may change what is gone through.
        for (name, module) in self.0.copy()? {
            let Ok(name) = name.extract::<String>() else { continue };
            let attribute = pattern.strip_prefix(&*name).and_then(|rest| rest.strip_prefix('.'));
            if attribute.is_none() && !names(pattern, &name) {
                continue;
            }
            if let Ok(module) = module.cast_into::<PyModule>() {
                each(&name, &module.dict(), attribute)?;
            }
        }
        Ok(())
    }

    /// Whether a type that stands in `module` belongs there: it isn't imported from another module that it says it is from,
    /// and stands in. `cbor2` may take its types from `_cbor2`.
    fn is_at_home(&self, name: &TypeName, ty: Type<'_>, module: &str) -> bool {
        let Some(home) = &name.module else { return true };
        let package = |module: &str| module.split('.').next().unwrap_or_default().to_owned();
        if package(home) == package(module) || package(home) == format!("_{}", package(module)) {
            return true;
        }
        let outermost = name.qualname.split('.').next().unwrap_or_default();
        let stands_at_home = || {
            let home = self.0.get_item(home).ok()??.cast_into::<PyModule>().ok()?;
            let found = home.dict().get_item(outermost).ok()??.cast_into::<PyType>().ok()?;
            Some(outermost != name.qualname || Type::of(&found) == ty)
        };
        !stands_at_home().unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_pattern_names_a_type_its_module_or_its_package() {
        assert!(names("rpds.HashTrieMap", "rpds.HashTrieMap"));
        assert!(names("rpds", "rpds.HashTrieMap"));
        assert!(names("a.b", "a.b.c.D"));
        assert!(names("dict", "dict"));
        assert!(!names("rpds.Hash", "rpds.HashTrieMap"));
        assert!(!names("rpd", "rpds.HashTrieMap"));
        assert!(!names("rpds.HashTrieMap.x", "rpds.HashTrieMap"));
    }
}
