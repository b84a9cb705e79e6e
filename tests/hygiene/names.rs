//! The expansion where the names that it might lean on are missing, or mean something else.

#![no_implicit_prelude]
#![deny(warnings)]
#![allow(
    dead_code,
    clippy::unnecessary_wraps,
    clippy::struct_field_names,
    reason = "that it compiles is most of the test"
)]

#[expect(non_camel_case_types, reason = "primitives are")]
/// Everything that a careless expansion would name, as something else.
mod shadowed {
    pub(crate) struct Some;
    pub(crate) struct None;
    pub(crate) struct Ok;
    pub(crate) struct Err;
    pub(crate) struct Option<T>(pub(crate) T);
    pub(crate) struct Result<T>(pub(crate) T);
    pub(crate) struct Box<T>(pub(crate) T);
    pub(crate) struct Vec<T>(pub(crate) T);
    pub(crate) struct PyVisit;
    pub(crate) struct PyTraverseError;
    pub(crate) struct Graveyard;
    pub(crate) struct Probe;
    pub(crate) struct TraverseResult;
    pub(crate) trait Clone {}
    pub(crate) trait Sized {}
    pub(crate) trait Drop {}
    pub(crate) trait Into {}
    pub(crate) trait NotTraversable {}
    pub(crate) mod core {}
    pub(crate) mod std {}
    pub(crate) mod alloc {}
    pub(crate) mod pyo3 {}
    pub(crate) mod pyo3_gc {}
    pub(crate) mod private {}
    pub(crate) type bool = ();
    pub(crate) type u8 = ();
    pub(crate) const MAY_CONTAIN_CYCLES: () = ();
    pub(crate) const fn traverse() {}
    pub(crate) const fn clear() {}
    pub(crate) const fn again() {}
}

mod with_shadowed_names {
    #![allow(unused_imports, unused_macros, reason = "what is shadowed isn't used")]

    macro_rules! assert {
        () => {};
    }
    macro_rules! panic {
        () => {};
    }
    use super::shadowed::{Box, Option, Result, Vec};
    use super::shadowed::{
        Clone, Drop, Err, Graveyard, Into, MAY_CONTAIN_CYCLES, None, NotTraversable, Ok, Probe,
        PyTraverseError, PyVisit, Sized, Some, TraverseResult, again, alloc, bool, clear, core, private,
        pyo3, pyo3_gc, std, traverse, u8,
    };

    struct Foreign;

    struct StandIn;

    // SAFETY: 1 to 6: it owns nothing; nothing is visited or cleared.
    unsafe impl ::pyo3_gc::PyGcTraverseAs<Foreign> for StandIn {
        const MAY_CONTAIN_CYCLES: ::core::primitive::bool = true;

        fn traverse(
            _: &Foreign,
            _: ::pyo3::PyVisit<'_>,
        ) -> ::core::result::Result<(), ::pyo3::PyTraverseError> {
            ::core::result::Result::Ok(())
        }

        fn clear_into<'g>(_: &mut Foreign, _: &mut ::pyo3_gc::Graveyard<'g>)
        where
            Foreign: 'g,
        {
        }
    }

    #[derive(::pyo3_gc::PyGcTraversable)]
    struct Struct<T> {
        object: ::core::option::Option<::pyo3::Py<::pyo3::PyAny>>,
        value: ::std::vec::Vec<T>,
        #[pyo3(gc = false)]
        excluded: Foreign,
        #[pyo3(gc = false)]
        #[expect(clippy::type_complexity, reason = "asked inside the impl")]
        generic: (
            Foreign,
            fn(T) -> (T, ::std::vec::Vec<T>, ::std::vec::Vec<::std::vec::Vec<T>>),
            [(Foreign, T); 3],
        ),
        #[pyo3_gc(with = StandIn)]
        foreign: Foreign,
        #[pyo3_gc(with = self::StandIn)]
        other: Foreign,
    }

    #[derive(::pyo3_gc::PyGcTraversable)]
    enum Enum {
        Ok(::core::option::Option<::pyo3::Py<::pyo3::PyAny>>),
        Err { bool: ::std::string::String },
        Some,
        None(#[pyo3(gc = false)] Foreign),
    }
}

/// The names of our own locals, parameters, constants and lifetimes, wherever a name can stand.
#[expect(non_upper_case_globals, non_camel_case_types, non_snake_case, reason = "the names of our locals")]
mod with_our_names {
    use ::pyo3_gc::PyGcTraversable;
    use ::std::option::Option;
    use ::std::vec::Vec;

    type Object = ::pyo3::Py<::pyo3::PyAny>;

    const visit: u8 = 1;
    const graveyard: u8 = 2;
    const error: u8 = 3;

    #[derive(PyGcTraversable)]
    struct Fields<'g, 'visit> {
        visit: Option<Object>,
        graveyard: Option<Object>,
        error: &'g u8,
        __pyo3_gc_visit: Option<Object>,
        __pyo3_gc_graveyard: &'visit [Object],
        __pyo3_gc_error: Option<Object>,
        __pyo3_gc_field_0: Option<Object>,
        traverse: u8,
        clear: u8,
        clear_into: u8,
        MAY_CONTAIN_CYCLES: bool,
    }

    #[derive(PyGcTraversable)]
    enum Variants<'g, 'a> {
        visit(Option<Object>, &'g u8),
        __pyo3_gc_visit { visit: Option<Object>, __pyo3_gc_visit: &'a u8, __pyo3_gc_field_0: Vec<Object> },
        MAY_CONTAIN_CYCLES { __pyo3_gc_field_1: Option<Object>, __pyo3_gc_field_0: Option<Object> },
        traverse,
        __pyo3_gc_graveyard(Option<Object>, u8, Option<Object>),
    }

    #[derive(PyGcTraversable)]
    struct Params<__pyo3_gc_visit, graveyard, visit, const error: usize, const N: usize> {
        one: Vec<__pyo3_gc_visit>,
        two: Option<graveyard>,
        three: visit,
        four: [u8; error],
        five: [u8; N],
    }

    #[derive(PyGcTraversable)]
    struct __pyo3_gc_error_struct<T, E>(T, E);

    /// Methods of the same names, for which no call of the expansion may be mistaken.
    impl Fields<'_, '_> {
        fn traverse(&self) -> &Self {
            self
        }
        fn clear(&self) -> &Self {
            self
        }
        fn clear_into(&self) -> &Self {
            self
        }
        fn clear_interior_into(&self) -> &Self {
            self
        }
    }

    #[derive(PyGcTraversable)]
    struct Nested<'g, 'visit> {
        fields: Fields<'g, 'visit>,
        list: Vec<Fields<'g, 'visit>>,
    }
}

/// A trait with methods of the same names, in scope, for every type.
mod with_a_rival_trait {
    use ::pyo3_gc::PyGcTraversable;
    use ::std::option::Option;

    trait Rival {
        const MAY_CONTAIN_CYCLES: u8 = 0;
        fn traverse(&self, _: u8) {}
        fn clear(&mut self) {}
        fn clear_into(&mut self, _: u8) {}
        fn clear_interior_into(&self, _: u8) {}
    }
    impl<T: ?::core::marker::Sized> Rival for T {}

    struct Foreign;

    #[derive(PyGcTraversable)]
    struct Struct<T>(
        Option<::pyo3::Py<::pyo3::PyAny>>,
        T,
        #[pyo3_gc(skip)] Excluded,
        #[pyo3_gc(skip)] Foreign,
    );
    struct Excluded;
}

/// Keywords for names.
#[expect(non_camel_case_types, non_upper_case_globals, reason = "the names are keywords")]
mod with_raw_identifiers {
    use ::pyo3_gc::PyGcTraversable;
    use ::std::assert;
    use ::std::option::Option;
    use ::std::vec::Vec;

    type Object = ::pyo3::Py<::pyo3::PyAny>;
    struct Foreign;

    struct r#Mod;

    // SAFETY: 1 to 6: it owns nothing; nothing is visited or cleared.
    unsafe impl ::pyo3_gc::PyGcTraverseAs<Foreign> for r#Mod {
        const MAY_CONTAIN_CYCLES: bool = true;

        fn traverse(
            _: &Foreign,
            _: ::pyo3::PyVisit<'_>,
        ) -> ::std::result::Result<(), ::pyo3::PyTraverseError> {
            ::std::result::Result::Ok(())
        }

        fn clear_into<'g>(_: &mut Foreign, _: &mut ::pyo3_gc::Graveyard<'g>)
        where
            Foreign: 'g,
        {
        }
    }

    #[derive(PyGcTraversable)]
    struct r#struct<'r#async, r#type, const r#const: usize> {
        r#type: Vec<r#type>,
        r#enum: Option<Object>,
        r#async: &'r#async str,
        r#const: [u8; r#const],
        #[pyo3(gc = false)]
        r#static: Foreign,
        #[pyo3_gc(with = self::r#Mod)]
        r#mod: Foreign,
        r#struct: Option<::std::boxed::Box<r#struct<'r#async, r#type, r#const>>>,
    }

    #[derive(PyGcTraversable)]
    enum r#enum {
        r#match(Option<Object>),
        r#loop { r#while: Vec<r#enum>, r#for: Option<Object> },
        r#break,
    }

    #[test]
    fn a_recursive_type_of_a_raw_name_is_asked_without_itself() {
        const { assert!(r#enum::MAY_CONTAIN_CYCLES) };
        const { assert!(r#struct::<u8, 1>::MAY_CONTAIN_CYCLES) };
    }
}
