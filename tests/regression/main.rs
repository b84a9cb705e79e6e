//! What went wrong in public, each case a test named for its symptom, with the right behaviour.
//!
//! Each was seen to fail with the fault put back in:
//!
//! | report | test | fault that makes it fail |
//! |---|---|---|
//! | pydantic/pydantic#13817 | `shared_tree_is_visited_twice` | `Arc` visits, or clears, what it shares with others |
//! | python/cpython#123241 | `counting_in_traverse_leaks` | `Py` takes a reference, visits, and gives it back |
//! | PyO3/pyo3#6330, the review | `object_holding_itself_leaks` | clearing leaves a bare `Py<PyAny>` as it is |
//! | PyO3/pyo3#2301, #3165 | `python_code_runs_in_traverse` | `Py` attaches, or asks for a `repr`, when it is visited |
//! | awolverp/cachebox#84 | `collection_under_lock_hangs` | `Mutex` is locked where it should be tried |
//! | DataDog/dd-trace-py#17867 | `span_in_dict_and_list_leaks`, and `ui/class/without_hooks.rs` | the hooks visit nothing |
//! | pydantic/pydantic#13621, #13819 | `forgotten_field_leaks`, and `ui/class/hooks_outside_of_methods.rs` | the derive passes over the last field |
//! | PyO3/pyo3#4563, #6269, #6206 | `class/inheritance.rs`, and `dict` in `class/dict_weakref.rs` | the hooks visit each field twice |
//! | PyO3/pyo3#3688 | `collection_on_another_thread_aborts` | PyO3's check of the thread insists (in a copy of PyO3) |
//! | crate-py/rpds#264 | `persistent_map_leaks`, and `ui/field/persistent_collection.rs` | `PyGcArc` doesn't visit its node |
//! | (found here) | `deferred_drop_under_lock_hangs` | clearing attaches to the interpreter |

mod collection_on_another_thread_aborts;
mod collection_under_lock_hangs;
mod counting_in_traverse_leaks;
mod deferred_drop_under_lock_hangs;
mod forgotten_field_leaks;
mod object_holding_itself_leaks;
mod persistent_map_leaks;
mod python_code_runs_in_traverse;
mod shared_tree_is_visited_twice;
mod span_in_dict_and_list_leaks;
#[path = "../support/mod.rs"]
mod support;
