//! Every tracked object, kept alive for the time of an audit, and an index of their addresses.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use pyo3::exceptions::PyOverflowError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::heap::Object;

/// What `gc.get_objects()` returned, sorted by address.
pub(super) struct Heap<'py> {
    /// Owns one reference to each object, so that none can go away.
    _list: Bound<'py, PyList>,
    objects: Vec<Object>,
    index: AddressMap<usize, Page>,
}

/// Which addresses of a page are objects, and where in [`Heap::objects`] the first of them stands. A page is as large
/// as a bit for every aligned address fills a word: a lookup is one probe of a small table.
#[derive(Default)]
struct Page {
    first: u32,
    starts: u64,
}

/// The bits of an address below the page's: 64 objects, aligned to eight bytes.
const PAGE_BITS: u32 = 9;
const ALIGNMENT_BITS: u32 = 3;

impl<'py> Heap<'py> {
    pub(super) fn new(py: Python<'py>) -> PyResult<Self> {
        let gc = py.import(intern!(py, "gc"))?;
        let list = gc.call_method0(intern!(py, "get_objects"))?.cast_into::<PyList>()?;
        let mut objects = Vec::with_capacity(list.len());
        for at in 0..list.len() {
            let at = ffi::Py_ssize_t::try_from(at)?;
            // SAFETY: the list is alive and nobody else has it; the item is borrowed from it, and it stays in `_list`.
            let object = unsafe { ffi::PyList_GetItem(list.as_ptr(), at) };
            if object.is_null() {
                return Err(PyErr::fetch(py));
            }
            objects.push(object);
        }
        objects.sort_unstable();
        objects.dedup();
        let mut index = AddressMap::default();
        for (at, &object) in objects.iter().enumerate() {
            let first = u32::try_from(at).map_err(|_| PyOverflowError::new_err("more than 2³² objects"))?;
            let page = index.entry(object as usize >> PAGE_BITS).or_insert(Page { first, starts: 0 });
            page.starts |= bit(object);
        }
        Ok(Self { _list: list, objects, index })
    }

    /// The objects, in the order of their addresses. Each is alive.
    pub(super) fn objects(&self) -> &[Object] {
        &self.objects
    }

    /// Where the object stands in [`objects`](Self::objects), if it is tracked.
    #[inline]
    pub(super) fn find(&self, object: Object) -> Option<usize> {
        let page = self.index.get(&(object as usize >> PAGE_BITS))?;
        let bit = bit(object);
        let below = (page.starts & (bit - 1)).count_ones();
        (page.starts & bit != 0).then_some((page.first + below) as usize)
    }
}

/// The object's bit in [`Page::starts`].
fn bit(object: Object) -> u64 {
    1 << (object as usize >> ALIGNMENT_BITS & 63)
}

/// Spreads numbers over a table; std's default hasher takes several times as long.
#[derive(Default)]
pub(super) struct Multiply(u64);

impl Hasher for Multiply {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        let product = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = product ^ product >> 32;
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

/// A table with addresses for keys.
pub(super) type AddressMap<K, V> = HashMap<K, V, BuildHasherDefault<Multiply>>;

/// A set of addresses.
pub(super) type AddressSet<K> = HashSet<K, BuildHasherDefault<Multiply>>;

/// How many objects `gc.freeze()` has set aside: what they hold, the audit can't see.
pub(super) fn frozen(py: Python<'_>) -> PyResult<usize> {
    py.import(intern!(py, "gc"))?.call_method0(intern!(py, "get_freeze_count"))?.extract()
}
