//! Types made of parts: options, results, tuples, arrays, ranges and the like.

use std::cmp::Reverse;
use std::num::{Saturating, Wrapping};
use std::ops::{Bound, ControlFlow, Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive};
use std::panic::AssertUnwindSafe;
use std::task::Poll;

use pyo3::prelude::*;

use crate::support::field::field_tests;

type Object = Py<PyAny>;

field_tests!(LetsGo {
    option: Option<Object> = |own| Some(own());
    option_of_option: Option<Option<Object>> = |own| Some(Some(own()));
    result_ok: Result<Object, u8> = |own| Ok(own());
    result_err: Result<u8, Object> = |own| Err(own());
    result_of_two: Result<Object, Vec<Object>> = |own| Err(vec![own(), own()]);
    control_flow_break: ControlFlow<Object, u8> = |own| ControlFlow::Break(own());
    control_flow_continue: ControlFlow<u8, Object> = |own| ControlFlow::Continue(own());
    poll: Poll<Object> = |own| Poll::Ready(own());
    bound_included: Bound<Object> = |own| Bound::Included(own());
    bound_excluded: Bound<Object> = |own| Bound::Excluded(own());
    reverse: Reverse<Object> = |own| Reverse(own());
    assert_unwind_safe: AssertUnwindSafe<Object> = |own| AssertUnwindSafe(own());
    wrapping: Wrapping<Object> = |own| Wrapping(own());
    saturating: Saturating<Object> = |own| Saturating(own());
    range: Range<Object> = |own| own()..own();
    range_from: RangeFrom<Object> = |own| own()..;
    range_to: RangeTo<Object> = |own| ..own();
    range_to_inclusive: RangeToInclusive<Object> = |own| ..=own();

    array: [Object; 3] = |own| [own(), own(), own()];
    array_of_arrays: [[Option<Object>; 2]; 2] = |own| [[Some(own()), None], [None, Some(own())]];
    boxed_slice: Box<[Object]> = |own| Box::new([own(), own()]);

    tuple_1: (Object,) = |own| (own(),);
    tuple_mixed: (u8, Object, String, Vec<Object>) = |own| (1, own(), String::from("a"), vec![own()]);

});

field_tests!(Keeps {
    range_inclusive: RangeInclusive<Object> = |own| own()..=own();
});

/// Tuples of every length, with the object at the first, the last and every other place.
macro_rules! tuples {
    ($($name:ident: $($part:ident)+;)+) => {
        field_tests!(LetsGo {$(
            $name: ($(tuples!(@object $part),)+) = |own| ($(tuples!(@own own $part),)+);
        )+});
    };
    (@object $part:ident) => { Option<Object> };
    (@own $own:ident $part:ident) => { Some($own()) };
}

tuples! {
    tuple_2: A B;
    tuple_3: A B C;
    tuple_4: A B C D;
    tuple_5: A B C D E;
    tuple_6: A B C D E F;
    tuple_7: A B C D E F G;
    tuple_8: A B C D E F G H;
    tuple_9: A B C D E F G H I;
    tuple_10: A B C D E F G H I J;
    tuple_11: A B C D E F G H I J K;
    tuple_12: A B C D E F G H I J K L;
    tuple_13: A B C D E F G H I J K L M;
    tuple_14: A B C D E F G H I J K L M N;
    tuple_15: A B C D E F G H I J K L M N O;
    tuple_16: A B C D E F G H I J K L M N O P;
}
