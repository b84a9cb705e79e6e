//! What the search for suspects makes of memory: whose blocks are read, what in them is in use, and whom they belong to.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyCFunction;
use pyo3_gc::audit::{Audit, Evidence, Report};

use crate::support::process::{alone_in_a_process as alone, in_a_process_of_its_own};
use crate::support::{HAS_GIL, object, weak};

/// Has a block of memory that Rust knows nothing of.
#[pyo3::pyclass(module = "memory")]
struct Raw(#[expect(dead_code, reason = "only the audit looks")] usize);

/// Hides collections.
#[pyo3::pyclass(module = "memory")]
#[derive(Default)]
struct Collections {
    vector: Vec<Py<PyAny>>,
    ring: VecDeque<Py<PyAny>>,
    map: HashMap<usize, Py<PyAny>>,
}

type Store = Arc<Mutex<Vec<Py<PyAny>>>>;

/// One handle of a store.
#[pyo3::pyclass(module = "memory")]
struct Server(#[expect(dead_code, reason = "only the audit looks")] Store);

/// Another one.
#[pyo3::pyclass(module = "memory")]
struct Client(#[expect(dead_code, reason = "only the audit looks")] Store);

#[pyo3_gc::pyclass(module = "memory")]
struct Plain {}

#[pyo3_gc::pymethods]
impl Plain {}

fn report(py: Python<'_>) -> Report {
    Audit::new().suspects("memory").run(py).unwrap()
}

/// The holders, and how many references to instances of `__main__.Object` each holds.
fn holders(report: &Report) -> Vec<(&str, usize)> {
    let holders = report.holders().map(|holder| {
        let held = holder.held.iter().filter(|held| held.type_name == "__main__.Object");
        (&*holder.type_name, held.map(|held| held.references).sum())
    });
    holders.filter(|(_, references)| *references > 0).collect()
}

/// Makes an object known to the collector's objects; the classes aren't tracked by themselves under PyO3 0.28 and 0.29.
fn keep<T: pyo3::PyClass + Into<pyo3::PyClassInitializer<T>>>(py: Python<'_>, value: T) -> Bound<'_, PyAny> {
    let keeper = object(py);
    keeper.setattr("kept", Bound::new(py, value).unwrap()).unwrap();
    keeper
}

/// Memory for so many words from one of CPython's allocators.
fn allocate(words: usize, of_objects: bool) -> *mut usize {
    let bytes = words * size_of::<usize>();
    let malloc = if of_objects { ffi::PyObject_Malloc } else { ffi::PyMem_Malloc };
    // SAFETY: the tests are attached when they ask for memory.
    let memory = unsafe { malloc(bytes) };
    let memory = memory.cast::<usize>();
    assert!(!memory.is_null());
    for at in 0..words {
        // SAFETY: the memory is that large.
        let word = unsafe { memory.add(at) };
        // SAFETY: as above.
        unsafe { word.write(0) };
    }
    memory
}

/// Gives it back.
fn free(memory: *mut usize, of_objects: bool) {
    let free = if of_objects { ffi::PyObject_Free } else { ffi::PyMem_Free };
    // SAFETY: it is from this allocator, and nobody uses it any more.
    unsafe { free(memory.cast()) };
}

/// Writes the address of an object.
fn write(memory: *mut usize, at: usize, object: &Bound<'_, PyAny>) {
    // SAFETY: the memory of the tests is that large.
    let word = unsafe { memory.add(at) };
    // SAFETY: as above.
    unsafe { word.write(object.as_ptr() as usize) };
}

/// Of every size, and of both allocators: small blocks stand in pools, large ones in `malloc`'s.
#[test]
fn memory_of_cpythons_allocators() {
    alone(|py| {
        for (words, of_objects) in
            [1, 3, 8, 25, 63, 64, 200, 20_000].into_iter().flat_map(|n| [(n, true), (n, false)])
        {
            let memory = allocate(words, of_objects);
            let target = object(py);
            write(memory, words - 1, &target);
            let owned = target.unbind().into_ptr();
            let kept = keep(py, Raw(memory as usize));
            let report = report(py);
            if HAS_GIL {
                assert_eq!(holders(&report), [("memory.Raw", 1)], "{words} words: {report}");
                assert_eq!(report.unread.total, 0, "{words} words: {report}");
            } else {
                // All of it is mimalloc's there.
                assert_eq!(report.unread.listed[0].type_name, "memory.Raw", "{words} words: {report}");
            }
            drop(kept);
            free(memory, of_objects);
            // SAFETY: this is the reference that was put there.
            drop(unsafe { Bound::from_owned_ptr(py, owned) });
        }
    });
}

/// Of a size that hardly anybody else uses.
#[test]
fn what_was_given_back_is_not_read() {
    const WORDS: usize = 62;
    in_a_process_of_its_own(|| {
        alone(|py| {
            let target = object(py); // with a reference that nobody shows
            let blocks = (0..40).map(|_| allocate(WORDS, true)).collect::<Vec<_>>();
            for block in &blocks {
                (0..WORDS).for_each(|at| write(*block, at, &target));
            }
            let kept = blocks.iter().map(|block| keep(py, Raw(*block as usize))).collect::<Vec<_>>();
            let found = |report: &Report| {
                let holders = report.hidden.listed.iter().chain(report.holders());
                let seen = holders.filter(|holder| holder.evidence == Evidence::Memory);
                seen.flat_map(|holder| &holder.held).map(|held| held.references).sum::<usize>()
            };
            let before = report(py);
            assert!(found(&before) >= 40 || !HAS_GIL, "{before}");
            for block in blocks {
                free(block, true);
            }
            let after = report(py);
            assert!(found(&after) < 5, "some may be in use again: {after}");
            drop((kept, target));
        });
    });
}

/// What was taken out of a collection is still in its memory, and somebody else's now.
#[test]
fn what_was_taken_out_of_a_collection() {
    alone(|py| {
        let value = |_| object(py).unbind();
        for items in [1, 3, 5, 8, 30] {
            let mut held = Collections {
                vector: (0..items).map(value).collect(),
                ring: (0..items).map(value).collect(),
                map: (0..items).map(|key| (key, value(key))).collect(),
            };
            // So that there is a reserve.
            held.vector.reserve(4);
            held.vector.extend((0..2).map(value));
            held.ring.reserve(4);
            held.ring.extend((0..2).map(value));
            let mut taken = vec![held.vector.pop(), held.ring.pop_back(), held.map.remove(&0)];
            taken.extend([held.vector.pop(), held.ring.pop_back()]);
            let left = held.vector.len() + held.ring.len() + held.map.len();
            let kept = keep(py, held);
            let report = report(py);
            let expected = [("memory.Collections", left)];
            assert_eq!(holders(&report), &expected[..usize::from(left > 0)], "{items} items: {report}");
            drop((kept, taken));
        }
    });
}

#[test]
fn a_ring_over_its_end() {
    alone(|py| {
        let mut ring = (0..8).map(|_| object(py).unbind()).collect::<VecDeque<_>>();
        for _ in 0..5 {
            ring.pop_front();
            ring.push_back(object(py).unbind());
        }
        let kept = keep(py, Collections { ring, ..Collections::default() });
        let report = report(py);
        assert_eq!(holders(&report), [("memory.Collections", 8)], "{report}");
        drop(kept);
    });
}

#[test]
fn what_another_thread_has_made_and_what_has_pages_to_itself() {
    alone(|py| {
        let class = object(py).get_type();
        let values = (0..50_000).map(|_| class.call0().unwrap().unbind()).collect::<Vec<_>>();
        let (few, many) = (values[..3].iter().map(|it| it.clone_ref(py)).collect::<Vec<_>>(), values);
        let copy = py.detach(|| {
            let boxed =
                std::thread::spawn(move || Python::attach(|_| Box::new(few.into_iter().collect::<Vec<_>>())));
            boxed.join().unwrap()
        });
        let kept = keep(py, Collections { vector: *copy, ring: many.into(), ..Collections::default() });
        let report = report(py);
        assert_eq!(holders(&report), [("memory.Collections", 50_003)], "{report}");
        drop(kept);
    });
}

/// A store, and an object in it that leads to what is made of the store.
fn shared<T>(py: Python<'_>, handle: impl FnOnce(Store) -> T) -> (Bound<'_, PyAny>, Store)
where
    T: pyo3::PyClass + Into<pyo3::PyClassInitializer<T>>,
{
    let store = Store::default();
    let target = object(py);
    target.setattr("handle", Bound::new(py, handle(store.clone())).unwrap()).unwrap();
    store.lock().unwrap().push(target.clone().unbind());
    (target, store)
}

/// Also if only the other one is asked for.
#[test]
fn of_several_handles_the_one_that_it_leads_back_to() {
    alone(|py| {
        for pattern in ["memory", "memory.Server", "memory.Client"] {
            let (target, store) = shared(py, Server);
            let client = keep(py, Client(store.clone()));
            let found = Audit::new().suspects(pattern).run(py).unwrap();
            assert_eq!(holders(&found), [("memory.Server", 1)], "{pattern}: {found}");
            store.lock().unwrap().clear();
            drop((target, client));

            let (target, store) = shared(py, Client);
            let server = keep(py, Server(store.clone()));
            let found = Audit::new().suspects(pattern).run(py).unwrap();
            assert_eq!(holders(&found), [("memory.Client", 1)], "{pattern}: {found}");
            store.lock().unwrap().clear();
            drop((target, server));
        }
    });
}

/// A class in Python that wraps one in Rust: who asks for the first is told of the second.
#[test]
fn what_an_instance_wraps() {
    alone(|py| {
        let target = object(py);
        let wrapper = py.eval(c"type('Wrapper', (), {'__module__': 'wrappers'})()", None, None).unwrap();
        let inner = Collections { vector: vec![target.clone().unbind()], ..Collections::default() };
        let inner = Bound::new(py, inner).unwrap();
        wrapper.setattr("inner", &inner).unwrap();
        target.setattr("wrapper", &wrapper).unwrap();
        let report = Audit::new().suspects("wrappers").run(py).unwrap();
        assert_eq!(holders(&report), [("memory.Collections", 1)], "{report}");
        inner.borrow_mut().vector.clear();
    });
}

#[test]
fn what_several_handles_share_and_does_not_lead_back_is_a_note() {
    alone(|py| {
        let store = Store::default();
        let kept = [keep(py, Server(store.clone())), keep(py, Client(store.clone()))];
        store.lock().unwrap().push(object(py).unbind());
        let report = report(py);
        assert_eq!(holders(&report), [], "{report}");
        assert_eq!(
            (report.hidden.total, &*report.hidden.listed[0].held[0].type_name),
            (1, "__main__.Object")
        );
        let text = report.to_string();
        assert!(
            text.contains("\nhidden: 1 (") && text.contains("holds 1 reference to __main__.Object"),
            "{text}"
        );
        drop((kept, store));
    });
}

#[cfg(target_os = "linux")]
mod foreign {
    use std::ffi::{c_int, c_void};

    use super::{Audit, Evidence, Raw, alone, holders, in_a_process_of_its_own, keep, object, report, weak};
    use super::{Bound, PyAnyMethods, Python};

    unsafe extern "C" {
        fn mmap(
            start: *mut c_void,
            length: usize,
            rights: c_int,
            flags: c_int,
            file: c_int,
            at: i64,
        ) -> *mut c_void;
    }

    /// A page of memory that no allocator knows of.
    fn page() -> *mut usize {
        // SAFETY: memory of its own, to be read and written.
        let page = unsafe { mmap(std::ptr::null_mut(), 4096, 3, 0x22, -1, 0) };
        assert_ne!(page as isize, -1);
        page.cast()
    }

    #[test]
    fn memory_that_cannot_be_read_is_said() {
        in_a_process_of_its_own(|| {
            alone(|py| {
                let target = object(py);
                let memory = page();
                super::write(memory, 5, &target);
                let kept = keep(py, Raw(memory as usize));
                let report = report(py);
                assert_eq!(holders(&report), [], "{report}");
                let unread =
                    report.unread.listed.iter().map(|it| (&*it.type_name, it.objects)).collect::<Vec<_>>();
                assert_eq!((report.unread.total, unread), (1, vec![("memory.Raw", 1)]), "{report}");
                let text = report.to_string();
                assert!(text.contains("; memory of 1 type wasn't read\n"), "{text}");
                assert!(
                    text.contains("\nunread: 1 (") && text.contains("\n  memory.Raw, 1 object\n"),
                    "{text}"
                );
                assert!(report.is_clean(), "it is no finding");
                let allowed = Audit::new().suspects("memory").allow("memory.Raw", "is read by hand");
                assert_eq!(allowed.run(py).unwrap().unread.total, 0);
                drop((kept, target));
            });
        });
    }

    #[test]
    fn what_alone_keeps_such_an_instance_alive_may_be_held_by_it() {
        in_a_process_of_its_own(|| {
            alone(|py| {
                // By another thread, so that no address of it is left on this one's stack.
                let make = || {
                    Python::attach(|py| {
                        let (memory, target) = (page(), object(py));
                        target.setattr("raw", Bound::new(py, Raw(memory as usize)).unwrap()).unwrap();
                        super::write(memory, 5, &target);
                        let watched = weak(&target).unbind();
                        target.unbind().into_ptr(); // the reference that stands there
                        watched
                    })
                };
                let watched = py.detach(|| std::thread::spawn(make).join().unwrap());
                let report = report(py);
                assert_eq!(holders(&report), [("memory.Raw", 1)], "{report}");
                assert_eq!(report.holders().next().unwrap().evidence, Evidence::Reaches);
                assert!(crate::support::is_alive(watched.bind(py)));
            });
        });
    }
}

#[test]
fn a_static_variable_is_an_owner_that_is_counted() {
    static KEPT: PyOnceLock<Py<Plain>> = PyOnceLock::new();
    in_a_process_of_its_own(|| {
        alone(|py| {
            KEPT.set(py, Py::new(py, Plain {}).unwrap()).unwrap();
            let report = report(py);
            assert_eq!(report.unexplained().count(), 0, "{report}");
            let more = KEPT.get(py).unwrap().clone_ref(py);
            let report = self::report(py);
            assert_eq!(report.unexplained().map(|it| it.references).collect::<Vec<_>>(), [1], "{report}");
            drop(more);
        });
    });
}

#[test]
fn a_variable_of_a_running_function_is_an_owner_that_is_counted() {
    alone(|py| {
        let look = PyCFunction::new_closure(py, None, None, |arguments, _| {
            let py = arguments.py();
            report(py).unexplained().count()
        });
        let code = c"def function(make, look):\n    kept = make()\n    return look()";
        let namespace = pyo3::types::PyDict::new(py);
        py.run(code, Some(&namespace), None).unwrap();
        let function = namespace.get_item("function").unwrap().unwrap();
        let make = PyCFunction::new_closure(py, None, None, |arguments, _| Py::new(arguments.py(), Plain {}));
        let found = function.call1((make.unwrap(), look.unwrap())).unwrap().extract::<usize>().unwrap();
        assert_eq!(found, 0);
    });
}
