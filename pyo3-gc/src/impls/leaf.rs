//! Types that own no Python object.

use std::alloc::Layout;
use std::any::TypeId;
use std::cmp::Ordering;
use std::collections::hash_map::DefaultHasher;
use std::convert::Infallible;
use std::ffi::{CStr, CString, OsStr, OsString, c_void};
use std::hash::{BuildHasherDefault, RandomState};
use std::marker::{PhantomData, PhantomPinned};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::NonZero;
use std::ops::RangeFull;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::{Barrier, Condvar, Once, atomic};
use std::thread::ThreadId;
use std::time::{Duration, Instant, SystemTime};
use std::{fs, rc, sync};

use crate::leaf;

leaf!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64, bool, char, (), Infallible);
leaf!(NonZero<u8>, NonZero<u16>, NonZero<u32>, NonZero<u64>, NonZero<u128>, NonZero<usize>);
leaf!(NonZero<i8>, NonZero<i16>, NonZero<i32>, NonZero<i64>, NonZero<i128>, NonZero<isize>);
leaf!(str, String, CStr, CString, OsStr, OsString, Path, PathBuf);
leaf!(atomic::AtomicBool, atomic::AtomicU8, atomic::AtomicU16, atomic::AtomicU32, atomic::AtomicU64);
leaf!(atomic::AtomicUsize, atomic::AtomicI8, atomic::AtomicI16, atomic::AtomicI32, atomic::AtomicI64);
leaf!(atomic::AtomicIsize, atomic::Ordering);
leaf!(Duration, Instant, SystemTime);
leaf!(IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6);
leaf!(Ordering, TypeId, Layout, ThreadId, RangeFull, PhantomPinned, fs::File, Barrier, Condvar, Once);
leaf!(RandomState, DefaultHasher);
leaf!(impl[H] BuildHasherDefault<H>);
leaf!(impl[T: ?Sized] PhantomData<T>);

// Raw pointers own nothing that the type system knows of; `c_void` is for `Box<c_void>`-like handles.
leaf!(c_void);
leaf!(impl[T: ?Sized] *const T);
leaf!(impl[T: ?Sized] *mut T);
leaf!(impl[T: ?Sized] NonNull<T>);
leaf!(impl[T] atomic::AtomicPtr<T>);

// Borrowed, not owned: whoever owns it visits it. There is no such impl for `&mut T`: with it, `this.clear_interior()`
// on a `this: &mut T` would resolve to the impl of the reference and do nothing.
leaf!(impl[T: ?Sized] &T);

// A weak pointer owns no contents: those of an `Rc` or `Arc` die with the last strong one.
leaf!(impl[T: ?Sized] rc::Weak<T>);
leaf!(impl[T: ?Sized] sync::Weak<T>);

/// Function pointers capture nothing. Those over references, such as `fn(&str)`, are other types than
/// `fn(T)` for every `T`, and cannot be covered without a conflict (rust-lang/rust#56105).
macro_rules! function_pointers {
    ($($arg:ident)*) => {
        leaf!(impl[R, $($arg),*] fn($($arg),*) -> R);
        leaf!(impl[R, $($arg),*] unsafe fn($($arg),*) -> R);
        leaf!(impl[R, $($arg),*] extern "C" fn($($arg),*) -> R);
        leaf!(impl[R, $($arg),*] unsafe extern "C" fn($($arg),*) -> R);
    };
}

function_pointers!();
function_pointers!(A);
function_pointers!(A B);
function_pointers!(A B C);
function_pointers!(A B C D);
function_pointers!(A B C D E);
function_pointers!(A B C D E F);
function_pointers!(A B C D E F G);
function_pointers!(A B C D E F G H);
