//! Types that own no Python object.

use std::any::TypeId;
use std::backtrace::Backtrace;
use std::cmp::Ordering;
use std::collections::hash_map::DefaultHasher;
use std::convert::Infallible;
use std::ffi::{CStr, CString, OsStr, OsString, c_void};
use std::hash::{BuildHasherDefault, RandomState};
use std::marker::{PhantomData, PhantomPinned};
use std::mem::Discriminant;
use std::net::{self, IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{self, NonZero};
use std::ops::RangeFull;
use std::panic::Location;
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::{Barrier, Condvar, Once, atomic, mpsc};
use std::thread::{Thread, ThreadId};
use std::time::{Duration, Instant, SystemTime, SystemTimeError};
use std::{alloc, array, char, collections, env, ffi, fmt, fs, io, iter, process, rc, str, string, sync};

use super::composed;
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
leaf!(Ordering, TypeId, alloc::Layout, Thread, ThreadId, RangeFull, PhantomPinned, Barrier, Condvar, Once);
leaf!(Location<'_>, Backtrace, num::FpCategory);
leaf!(RandomState, DefaultHasher);
leaf!(impl[H] BuildHasherDefault<H>);
leaf!(impl[T: ?Sized] PhantomData<T>);
leaf!(impl[T] Discriminant<T>);
leaf!(impl[T] iter::Empty<T>);

// Files, sockets, processes and standard streams.
leaf!(fs::File, fs::Metadata, fs::FileType, fs::FileTimes, fs::Permissions);
leaf!(fs::OpenOptions, fs::DirBuilder, fs::DirEntry, fs::ReadDir);
leaf!(net::TcpListener, net::TcpStream, net::UdpSocket, net::Shutdown);
leaf!(io::Stdin, io::Stdout, io::Stderr, io::Empty, io::Repeat, io::Sink, io::SeekFrom);
leaf!(process::Child, process::ChildStdin, process::ChildStdout, process::ChildStderr);
leaf!(process::ExitCode, process::ExitStatus, process::Output, process::Stdio);

// Errors that hold no other error. An `io::Error` can: PyO3 turns a `PyErr` into one.
leaf!(io::ErrorKind, fmt::Error, env::VarError, net::AddrParseError, SystemTimeError);
leaf!(num::ParseIntError, num::ParseFloatError, num::TryFromIntError, num::IntErrorKind, str::ParseBoolError);
leaf!(
    str::Utf8Error,
    string::FromUtf8Error,
    string::FromUtf16Error,
    char::ParseCharError,
    char::CharTryFromError
);
leaf!(ffi::NulError, ffi::FromBytesWithNulError, ffi::FromBytesUntilNulError, ffi::IntoStringError);
leaf!(array::TryFromSliceError, collections::TryReserveError, alloc::LayoutError);
leaf!(mpsc::RecvError, mpsc::RecvTimeoutError, mpsc::TryRecvError);

/// Handles of the operating system, and what only this one has.
#[cfg(unix)]
mod unix {
    use std::os::fd::{BorrowedFd, OwnedFd};
    use std::os::unix::net;

    use crate::leaf;

    leaf!(OwnedFd, BorrowedFd<'_>);
    leaf!(net::SocketAddr, net::UnixDatagram, net::UnixListener, net::UnixStream);
}

/// Handles of the operating system, and what only this one has.
#[cfg(windows)]
mod windows {
    use std::os::windows::io::{
        BorrowedHandle, BorrowedSocket, HandleOrInvalid, HandleOrNull, OwnedHandle, OwnedSocket,
    };

    use crate::leaf;

    leaf!(OwnedHandle, OwnedSocket, HandleOrInvalid, HandleOrNull, BorrowedHandle<'_>, BorrowedSocket<'_>);
}

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

// By the same names as the derive knows them by.
composed!(leaf impl[T: ?Sized] PhantomData<T>: T);
composed!(leaf impl[T: ?Sized] rc::Weak<T>: T);
composed!(leaf impl[T: ?Sized] sync::Weak<T>: T);
composed!(leaf impl[T: ?Sized] NonNull<T>: T);
composed!(leaf impl[T] atomic::AtomicPtr<T>: T);
