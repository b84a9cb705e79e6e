//! Every tracked object, kept alive for the time of an audit, and an index of their addresses.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};
use std::ptr::NonNull;

use pyo3::exceptions::PyOverflowError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::heap::{Object, Type};

/// What `gc.get_objects()` returned, sorted by address.
pub(super) struct Heap<'py> {
    /// Owns one reference to each of `objects`.
    list: Bound<'py, PyList>,
    objects: Vec<NonNull<ffi::PyObject>>,
    index: AddressMap<usize, Page>,
    /// Owns objects that aren't in the list. None is taken out again.
    kept: RefCell<Vec<Bound<'py, PyAny>>>,
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
        // So that nobody else finds it, and changes it.
        // SAFETY: the list is alive, and the thread attached; to be untracked does it no harm.
        unsafe { ffi::PyObject_GC_UnTrack(list.as_ptr().cast()) };
        let mut objects = Vec::with_capacity(list.len());
        for at in 0..list.len() {
            let at = ffi::Py_ssize_t::try_from(at)?;
            // SAFETY: the list is alive, and the thread attached.
            let object = unsafe { ffi::PyList_GetItem(list.as_ptr(), at) };
            objects.push(NonNull::new(object).ok_or_else(|| PyErr::fetch(py))?);
        }
        objects.sort_unstable();
        objects.dedup();
        let mut index = AddressMap::default();
        for (at, object) in objects.iter().enumerate() {
            let first = u32::try_from(at).map_err(|_| PyOverflowError::new_err("more than 2³² objects"))?;
            let address = object.as_ptr() as usize;
            let page = index.entry(address >> PAGE_BITS).or_insert(Page { first, starts: 0 });
            page.starts |= bit(address);
        }
        Ok(Self { list, objects, index, kept: RefCell::default() })
    }

    pub(super) fn py(&self) -> Python<'py> {
        self.list.py()
    }

    pub(super) fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether an address is that of the list, which has all and is the audit's own.
    pub(super) fn is_own_list(&self, address: usize) -> bool {
        self.list.as_ptr() as usize == address
    }

    /// The objects, in the order of their addresses.
    pub(super) fn objects(&self) -> impl Iterator<Item = Object<'_>> {
        (0..self.len()).map(|at| self.object(at))
    }

    /// One of the objects, by its place.
    #[inline]
    pub(super) fn object(&self, at: usize) -> Object<'_> {
        // SAFETY: the list owns a reference to the object for as long as the heap is there, since nobody else has the list.
        // That the thread is attached, it says, too.
        unsafe { Object::new(self.objects[at]) }
    }

    /// The place of what is at an address, if that is one of the objects.
    #[inline]
    pub(super) fn find(&self, address: usize) -> Option<usize> {
        let page = self.index.get(&(address >> PAGE_BITS))?;
        let bit = bit(address);
        let below = (page.starts & (bit - 1)).count_ones();
        (page.starts & bit != 0).then_some((page.first + below) as usize)
    }

    /// What is at an address, if that is one of the objects.
    pub(super) fn get(&self, address: usize) -> Option<Object<'_>> {
        Some(self.object(self.find(address)?))
    }

    /// Keeps alive what is alive for a moment only: one of the objects, or what one of them leads to.
    pub(super) fn keep(&self, object: Object<'_>) -> Object<'_> {
        self.get(object.address()).unwrap_or_else(|| {
            self.kept.borrow_mut().push(object.to_bound(self.py()));
            // SAFETY: the reference stays in `kept` for as long as the heap is there, which says that the thread is
            // attached.
            unsafe { Object::new(object.as_non_null()) }
        })
    }

    /// Keeps the type of such an object alive.
    pub(super) fn keep_type(&self, ty: Type<'_>) -> Type<'_> {
        self.keep(ty.as_object()).as_type().expect("a type is one")
    }
}

/// The object's bit in [`Page::starts`].
fn bit(address: usize) -> u64 {
    1 << (address >> ALIGNMENT_BITS & 63)
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
