//! Types that PyO3 doesn't have in every build: buffers, which the limited API has from Python 3.11 on, and what belongs
//! to coroutines, with the feature `experimental-async`.

/// Stands in for PyO3's module where it has none, see below.
#[allow(dead_code, reason = "named only where PyO3 has no such module")]
mod buffer {
    pub(super) struct PyBuffer<T>(std::marker::PhantomData<T>);
    pub(super) struct PyUntypedBuffer;
}

/// Stands in for PyO3's module where it has none, see below.
#[allow(dead_code, reason = "named only where PyO3 has no such module")]
mod coroutine {
    pub(super) struct CancelHandle;
}

// Neither PyO3's features nor the limited API are known here. But a name that a glob import brings into a block goes before
// one of the module around it: `buffer` and `coroutine` are PyO3's where it has them.
const _: () = {
    #[allow(unused_imports, clippy::wildcard_imports, reason = "see above; PyO3 may have neither")]
    use pyo3::*;

    use crate::leaf;

    // Not visited, although from PyO3 0.29 on `obj` lends the object that exports the memory. What is visited can be
    // cleared before its owner, and CPython's `memoryview` lets go of the memory when it is cleared, exported or not: a
    // destructor that then read the buffer, in safe code, would read what is freed (tried on 3.11 and 3.13).
    leaf!(
        /// A leaf. A buffer owns the object that exports its memory, and hides it: an exporter that the collector saw
        /// could be cleared while the buffer can still be read. A cycle through the exporter leaks. Where there can be
        /// one, hold the exporter in a `Py` and ask it for a buffer each time.
        impl[T] buffer::PyBuffer<T>
    );
    leaf!(
        /// A leaf, as a [`PyBuffer`](pyo3::buffer::PyBuffer) is.
        buffer::PyUntypedBuffer
    );

    leaf!(
        /// A leaf. It owns the exception that was thrown into the coroutine, from then until it is polled, and PyO3
        /// doesn't lend it.
        coroutine::CancelHandle
    );
};
