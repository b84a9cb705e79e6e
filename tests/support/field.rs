//! What must be true of a class that holds a value of some type, whatever the type is.

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::False;
use pyo3::types::PyWeakrefMethods;
use pyo3_gc::{Graveyard, PyGcTraversable};

use super::{DropCounter, DropProbe, Walk, collect, is_alive, object, refcount, visits, weak};

/// A class with one field of the type under test, and a probe.
pub(crate) trait Holder: PyClass<Frozen = False> + Into<PyClassInitializer<Self>> {
    type Field: PyGcTraversable + 'static;

    fn new(field: Self::Field, probe: DropProbe) -> Self;
    fn field(&mut self) -> &mut Self::Field;
}

/// What `clear` does to a value.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Clear {
    /// It lets go of everything: a cycle of nothing but such fields is collected.
    LetsGo,
    /// The same, but `clear_into` doesn't wait for the graveyard.
    LetsGoAtOnce,
    /// There is nothing to put in the place of what the value holds: such a cycle leaks, as the docs say.
    Keeps,
}

/// Tests, one for each type: `name: type = |own| value`, where each `own()` is one more reference to one object.
macro_rules! field_tests {
    ($clear:ident { $($(#[$attr:meta])* $name:ident: $ty:ty = |$own:ident| $value:expr;)+ }) => {$(
        #[test]
        $(#[$attr])*
        fn $name() {
            // Unsendable, so that types which aren't `Send` can be tested too.
            #[pyo3::pyclass(unsendable)]
            #[derive(pyo3_gc::PyGcTraversable)]
            struct Holder {
                field: $ty,
                probe: $crate::support::DropProbe,
            }
            $crate::support::hooks!(Holder);

            impl $crate::support::field::Holder for Holder {
                type Field = $ty;

                fn new(field: $ty, probe: $crate::support::DropProbe) -> Self {
                    Self { field, probe }
                }

                fn field(&mut self) -> &mut $ty {
                    &mut self.field
                }
            }

            $crate::support::alone(|py| {
                $crate::support::field::check::<Holder>(
                    py,
                    $crate::support::field::Clear::$clear,
                    |$own| $value,
                );
            });
        }
    )+};
}

pub(crate) use field_tests;

type Own<'a> = &'a dyn Fn() -> Py<PyAny>;

/// All of the checks below. `value` is asked for values that hold the object whose references it is given.
pub(crate) fn check<H: Holder>(py: Python<'_>, clear: Clear, value: impl Fn(Own<'_>) -> H::Field) {
    const { assert!(H::Field::MAY_CONTAIN_CYCLES) };
    let holding = |object: &Bound<'_, PyAny>| value(&|| object.clone().unbind());
    visits_what_it_owns::<H>(py, holding);
    passes_errors_on::<H>(py, holding);
    lives_and_dies_in_a_cycle::<H>(py, holding);
    lets_go_when_cleared::<H>(py, clear, holding);
    stays_valid_when_its_interior_is_cleared::<H>(py, holding);
    collects_what_holds_itself::<H>(py, clear, holding);
}

fn wrap<'py, H: Holder>(py: Python<'py>, field: H::Field, dropped: &DropCounter) -> Bound<'py, H> {
    Bound::new(py, H::new(field, dropped.probe())).unwrap()
}

/// How many references to `object` there are more than `before`.
fn added(object: &Bound<'_, PyAny>, before: isize) -> usize {
    usize::try_from(refcount(object) - before).unwrap()
}

/// Each reference once, twice alike, and no reference count moves.
fn visits_what_it_owns<H: Holder>(py: Python<'_>, holding: impl Fn(&Bound<'_, PyAny>) -> H::Field) {
    let target = object(py);
    let before = refcount(&target);
    let field = holding(&target);
    let owned = added(&target, before);
    assert!(owned > 0, "the value under test holds the object");

    let holder = wrap::<H>(py, field, &DropCounter::default()).into_any();
    for _ in 0..2 {
        assert_eq!(visits(&holder, &target), owned);
        assert_eq!(added(&target, before), owned);
    }

    let walk = Walk::of(&holder, None);
    let seen: Vec<_> =
        walk.visits.iter().filter(|(address, _)| *address == target.as_ptr() as usize).collect();
    assert_eq!(seen.len(), owned);
    assert!(seen.iter().all(|(_, during)| *during == refcount(&target)), "nor during the walk");
}

/// A visitor's error stops the walk where it is, and comes out.
fn passes_errors_on<H: Holder>(py: Python<'_>, holding: impl Fn(&Bound<'_, PyAny>) -> H::Field) {
    let holder = wrap::<H>(py, holding(&object(py)), &DropCounter::default()).into_any();
    let complete = Walk::of(&holder, None);
    assert_eq!(complete.returned, 0);
    for (position, error) in (1..=complete.visits.len()).zip(1000..) {
        let walk = Walk::of(&holder, Some((position, error)));
        assert_eq!(walk.returned, error);
        assert_eq!(walk.visits, complete.visits[..position]);
    }
}

/// In a cycle with an ordinary object: kept while somebody holds it, collected afterwards.
fn lives_and_dies_in_a_cycle<H: Holder>(py: Python<'_>, holding: impl Fn(&Bound<'_, PyAny>) -> H::Field) {
    let (target, dropped) = (object(py), DropCounter::default());
    let holder = wrap::<H>(py, holding(&target), &dropped).into_any();
    target.setattr("holder", &holder).unwrap();
    let (weak, owned) = (weak(&target), visits(&holder, &target));
    drop(target);

    collect(py);
    assert!(is_alive(&weak), "held by a live holder");
    assert_eq!(dropped.dropped(), 0);
    let target = weak.upgrade().unwrap();
    assert_eq!(visits(&holder, &target), owned, "not cleared while alive");
    drop(target);

    drop(holder);
    assert_eq!(dropped.dropped(), 0, "the cycle holds itself");
    collect(py);
    assert!(!is_alive(&weak), "collected");
    assert_eq!(dropped.dropped(), 1);
}

/// `clear` drops; `clear_into` only moves out. Both leave a value that is valid.
fn lets_go_when_cleared<H: Holder>(
    py: Python<'_>,
    clear: Clear,
    holding: impl Fn(&Bound<'_, PyAny>) -> H::Field,
) {
    let target = object(py);
    let before = refcount(&target);
    let mut field = holding(&target);
    let kept = if clear == Clear::Keeps { added(&target, before) } else { 0 };
    field.clear();
    assert_eq!(added(&target, before), kept);
    field.clear();
    let holder = wrap::<H>(py, field, &DropCounter::default());
    assert_eq!(visits(holder.as_any(), &target), kept);
    drop(holder);
    assert_eq!(added(&target, before), 0);

    let holder = wrap::<H>(py, holding(&target), &DropCounter::default());
    let owned = added(&target, before);
    let mut graveyard = Graveyard::new();
    holder.borrow_mut().field().clear_into(&mut graveyard);
    if clear != Clear::LetsGoAtOnce {
        // What is in a box is held beside.
        assert!(added(&target, before) >= owned, "nothing is dropped yet");
    }
    assert_eq!(visits(holder.as_any(), &target), kept);
    drop(graveyard);
    assert_eq!(added(&target, before), kept);
}

/// Whatever `clear_interior` can reach: what it lets go of isn't visited any more, and everything else is.
fn stays_valid_when_its_interior_is_cleared<H: Holder>(
    py: Python<'_>,
    holding: impl Fn(&Bound<'_, PyAny>) -> H::Field,
) {
    let target = object(py);
    let before = refcount(&target);
    let holder = wrap::<H>(py, holding(&target), &DropCounter::default());
    let owned = added(&target, before);

    let mut graveyard = Graveyard::new();
    holder.borrow_mut().field().clear_interior_into(&mut graveyard);
    assert!(added(&target, before) >= owned, "nothing is dropped yet");
    let kept = visits(holder.as_any(), &target);
    drop(graveyard);
    assert_eq!(added(&target, before), kept);

    holder.borrow_mut().field().clear_interior();
    assert_eq!(added(&target, before), kept);
    assert_eq!(visits(holder.as_any(), &target), kept);
}

/// The tightest cycle, which nothing but the field's own `clear` can break.
fn collects_what_holds_itself<H: Holder>(
    py: Python<'_>,
    clear: Clear,
    holding: impl Fn(&Bound<'_, PyAny>) -> H::Field,
) {
    let dropped = DropCounter::default();
    let holder = wrap::<H>(py, holding(&object(py)), &dropped);
    let itself = holding(holder.as_any());
    *holder.borrow_mut().field() = itself;

    collect(py);
    assert_eq!(dropped.dropped(), 0, "held from outside");
    assert!(visits(holder.as_any(), holder.as_any()) > 0, "not cleared while alive");

    drop(holder);
    collect(py);
    assert_eq!(dropped.dropped(), usize::from(clear != Clear::Keeps));
}
