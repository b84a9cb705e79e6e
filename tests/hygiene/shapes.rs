//! Odd but valid items: the macro neither panics nor rejects them, and says nothing about them.

#![deny(warnings)]
#![allow(dead_code, clippy::type_complexity, reason = "that it compiles is most of the test")]

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Debug;
use std::marker::PhantomData;

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

type Object = Option<Py<PyAny>>;

struct Foreign;

mod generics {
    use super::*;

    #[derive(PyGcTraversable)]
    struct Defaults<T = Object, U: Debug + ?Sized = str, const N: usize = 3, const FLAG: bool = { !false }> {
        array: [T; N],
        marker: PhantomData<U>,
    }

    #[derive(PyGcTraversable)]
    struct Lifetimes<'a, 'b: 'a, T: 'a + ?Sized>(&'a T, &'b &'a T, Cow<'a, str>)
    where
        T: Debug;

    #[derive(PyGcTraversable)]
    struct Where<T, U>
    where
        T: Iterator<Item = U>,
        for<'x> &'x U: Debug,
        Vec<T>: Debug,
        [T; 2]: Sized,
    {
        value: T,
        items: Vec<T::Item>,
    }

    #[derive(PyGcTraversable)]
    struct EmptyWhere<T>(T);

    #[derive(PyGcTraversable)]
    struct TrailingComma<'a, T, const N: usize>
    where
        T: 'a,
    {
        value: [&'a T; N],
    }

    #[derive(PyGcTraversable)]
    struct Unsized<T: ?Sized> {
        object: Object,
        last: T,
    }

    #[derive(PyGcTraversable)]
    struct UnsizedSlice(Object, [Object]);

    #[derive(PyGcTraversable)]
    enum Consts<const A: char, const B: i8> {
        First([u8; 2]),
    }

    fn needs<T: PyGcTraversable + ?Sized>() -> bool {
        T::MAY_CONTAIN_CYCLES
    }

    #[test]
    fn traverse_what_they_hold() {
        assert!(needs::<Defaults>());
        assert!(!needs::<Defaults<u8>>());
        assert!(!needs::<Lifetimes<'_, '_, Object>>());
        assert!(needs::<Unsized<[Object]>>());
        assert!(needs::<UnsizedSlice>());
        assert!(!needs::<Consts<'x', -1>>());
        assert!(!needs::<TrailingComma<'_, Object, 2>>());
        assert!(needs::<EmptyWhere<Object>>());
    }
}

mod items {
    #![expect(deprecated, reason = "in the items, but not in what is made of them")]
    use super::*;

    macro_rules! declare {
        ($(#[$attr:meta])* struct $name:ident<$param:ident> { $($field:ident: $ty:ty),* $(,)? }) => {
            #[derive(PyGcTraversable)]
            $(#[$attr])*
            struct $name<$param> {
                $($field: $ty,)*
            }
        };
        (enum $name:ident { $($variant:ident($ty:ty)),* $(,)? }) => {
            #[derive(PyGcTraversable)]
            enum $name {
                $($variant($ty),)*
            }
        };
        (hidden $name:ident) => {
            #[derive(PyGcTraversable)]
            struct $name<'a, T> {
                visit: Option<Box<$name<'a, T>>>,
                error: &'a Object,
                item: Vec<T>,
                #[pyo3(gc = false)]
                foreign: Foreign,
            }
        };
    }
    declare!(
        #[pyo3_gc(bound = "T: PyGcTraversable")]
        struct Bounded<T> {
            one: Vec<T>,
            two: Option<Box<Bounded<T>>>,
        }
    );
    declare!(
        struct Inferred<T> {
            one: Vec<T>,
            two: Option<Box<Inferred<T>>>,
            three: [T; 2],
            four: (T,),
            five: &'static str,
        }
    );
    declare!(
        enum Either {
            Left(Option<Box<Either>>),
            Right(HashMap<String, Either>),
            Object(Object),
        }
    );
    declare!(hidden Hidden);

    #[derive(PyGcTraversable)]
    struct Configured {
        #[cfg(not(any()))]
        present: Object,
        #[cfg(any())]
        absent: NoSuchType,
        #[cfg_attr(all(), pyo3(gc = false))]
        excluded: Foreign,
        #[cfg_attr(any(), pyo3(gc = false))]
        included: u8,
        #[cfg_attr(all(), pyo3_gc(clear = false), doc = "A field.")]
        kept: Object,
    }

    #[derive(PyGcTraversable)]
    struct ConfiguredTuple(#[cfg(any())] NoSuchType, Object, #[cfg(any())] NoSuchType, u8);

    #[derive(PyGcTraversable)]
    enum ConfiguredVariants {
        #[cfg(any())]
        Absent(NoSuchType),
        Present(#[cfg(any())] NoSuchType, #[cfg(not(any()))] Object),
        #[cfg(not(any()))]
        Named {
            #[cfg(any())]
            absent: NoSuchType,
            present: Object,
        },
    }

    #[derive(PyGcTraversable)]
    #[cfg_attr(all(), pyo3_gc(bound = "T: PyGcTraversable"))]
    #[cfg_attr(any(), pyo3_gc(no_such_key))]
    struct ConfiguredContainer<T>(T);

    #[deprecated]
    #[derive(PyGcTraversable)]
    struct OldType {
        #[deprecated]
        field: Object,
        #[deprecated]
        #[pyo3(gc = false)]
        foreign: OldForeign,
    }
    #[deprecated]
    struct OldForeign;

    #[deprecated]
    #[derive(PyGcTraversable)]
    enum OldEnum {
        #[deprecated]
        Old(OldType),
        #[deprecated]
        OldNamed { old: OldType },
    }

    #[derive(PyGcTraversable)]
    #[doc(hidden)]
    #[non_exhaustive]
    #[must_use]
    #[repr(C, align(32))]
    pub(crate) struct Attributed {
        /// A private type in a public struct.
        private: Private,
        #[doc(hidden)]
        pub(crate) hidden: Object,
    }
    #[derive(PyGcTraversable)]
    struct Private(Object);

    #[derive(PyGcTraversable)]
    #[repr(transparent)]
    struct Transparent(Object);

    #[derive(PyGcTraversable)]
    #[repr(i16)]
    enum Discriminants {
        One = 1,
        Two { field: Object } = 1 + 1,
        Three(Object) = -4,
        Four {},
        Five(),
    }

    #[derive(PyGcTraversable)]
    struct NoFields {}
    #[derive(PyGcTraversable)]
    struct NoTupleFields();

    /// Attributes without keys ask for nothing.
    #[derive(PyGcTraversable)]
    #[pyo3()]
    #[pyo3_gc()]
    struct Empty(#[pyo3_gc()] u8, #[pyo3(,)] u8, #[pyo3(gc = true)] Object);

    #[test]
    fn in_function_bodies() {
        struct Foreign;
        #[derive(PyGcTraversable)]
        struct Local<T> {
            value: T,
            inner: Inner,
            #[pyo3(gc = false)]
            foreign: Foreign,
        }
        #[derive(PyGcTraversable)]
        #[pyo3_gc(crate = "pyo3_gc")]
        struct Inner {
            object: Object,
            #[pyo3(gc = false)]
            foreign: Foreign,
        }
        const {
            #[derive(PyGcTraversable)]
            struct InConst(Object, #[pyo3(gc = false)] Foreign);
            assert!(InConst::MAY_CONTAIN_CYCLES);
        }
        let closure = || {
            #[derive(PyGcTraversable)]
            enum InClosure {
                Object(Object, #[pyo3(gc = false)] Foreign),
            }
            InClosure::MAY_CONTAIN_CYCLES
        };
        assert!(closure() && Local::<u8>::MAY_CONTAIN_CYCLES);
    }

    #[test]
    fn macro_made_recursive_types_are_asked_without_themselves() {
        const { assert!(!Inferred::<u8>::MAY_CONTAIN_CYCLES) };
        const { assert!(Inferred::<Object>::MAY_CONTAIN_CYCLES) };
        const { assert!(!Hidden::<'_, u8>::MAY_CONTAIN_CYCLES) };
        const { assert!(Either::MAY_CONTAIN_CYCLES) };
    }
}
