//! What the types are called that an audit meets.

use std::cell::RefCell;

use pyo3::prelude::*;

use super::heap::AddressMap;
use crate::heap::Type;
use crate::type_names::{TypeName, TypeNames};

/// Names of types, asked for once.
pub(super) struct Names<'py> {
    py: Python<'py>,
    getters: TypeNames<'py>,
    known: RefCell<AddressMap<usize, TypeName>>,
}

impl<'py> Names<'py> {
    pub(super) fn new(py: Python<'py>) -> PyResult<Self> {
        Ok(Self { py, getters: TypeNames::new(py)?, known: RefCell::default() })
    }

    pub(super) fn of(&self, ty: Type<'_>) -> TypeName {
        let mut known = self.known.borrow_mut();
        let name = known.entry(ty.address()).or_insert_with(|| self.getters.name(&ty.to_bound(self.py)));
        name.clone()
    }

    /// The name as reports have it.
    pub(super) fn text(&self, ty: Type<'_>) -> String {
        self.of(ty).to_string()
    }
}
