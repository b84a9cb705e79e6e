//! Types that own no Python object: none of them is ever looked into, or cleared.

use std::alloc::Layout;
use std::any::TypeId;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::ffi::{CStr, CString, OsStr, OsString, c_void};
use std::hash::{BuildHasherDefault, RandomState};
use std::marker::{PhantomData, PhantomPinned};
use std::net::{self, IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{self, NonZero, NonZeroU8, Saturating, Wrapping};
use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};
use std::path::{Path, PathBuf};
use std::ptr::NonNull;
use std::sync::{Mutex, OnceLock, RwLock, atomic, mpsc};
use std::thread::ThreadId;
use std::time::{Duration, Instant, SystemTime};
use std::{cell, cmp, ffi, fs, io, process, rc, sync};

use pyo3::prelude::*;
use pyo3_gc::{PyGcOpaque, PyGcPooled, PyGcTraversable};

use crate::support::{self, DropCounter, DropProbe, alone, collect, object, refcount, visits};

/// Checked when this file is compiled.
macro_rules! leaves {
    ($($ty:ty),+ $(,)?) => {
        $(const _: () = assert!(!<$ty as PyGcTraversable>::MAY_CONTAIN_CYCLES, stringify!($ty));)+
    };
}

leaves!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64, bool, char, (), Infallible);
leaves!(NonZero<u8>, NonZero<u16>, NonZero<u32>, NonZero<u64>, NonZero<u128>, NonZero<usize>, NonZeroU8);
leaves!(NonZero<i8>, NonZero<i16>, NonZero<i32>, NonZero<i64>, NonZero<i128>, NonZero<isize>);
leaves!(Wrapping<u32>, Saturating<i64>, cmp::Reverse<u8>);
leaves!(str, String, CStr, CString, OsStr, OsString, Path, PathBuf);
leaves!(Box<str>, Box<CStr>, Box<OsStr>, Box<Path>, Box<[u8]>, &'static str, &'static [u8]);
leaves!(atomic::AtomicBool, atomic::AtomicU8, atomic::AtomicU16, atomic::AtomicU32, atomic::AtomicU64);
leaves!(atomic::AtomicUsize, atomic::AtomicI8, atomic::AtomicI16, atomic::AtomicI32, atomic::AtomicI64);
leaves!(atomic::AtomicIsize, atomic::Ordering, atomic::AtomicPtr<u8>);
leaves!(Duration, Instant, SystemTime);
leaves!(IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6);
leaves!(cmp::Ordering, TypeId, Layout, ThreadId, RandomState, BuildHasherDefault<DefaultHasher>);
leaves!(Range<u8>, RangeFrom<u8>, RangeFull, RangeInclusive<u8>, RangeTo<u8>, RangeToInclusive<u8>);
leaves!(PhantomData<Py<PyAny>>, PhantomData<str>, PhantomPinned);

leaves!(std::thread::Thread, std::panic::Location<'static>, std::backtrace::Backtrace, std::num::FpCategory);
leaves!(
    std::mem::Discriminant<Option<Py<PyAny>>>,
    std::iter::Empty<Py<PyAny>>,
    std::panic::AssertUnwindSafe<u8>
);

// Files, sockets, processes, standard streams, and handles of the operating system.
leaves!(
    fs::File,
    fs::Metadata,
    fs::FileType,
    fs::FileTimes,
    fs::Permissions,
    fs::OpenOptions,
    fs::DirBuilder
);
leaves!(fs::DirEntry, fs::ReadDir, net::TcpListener, net::TcpStream, net::UdpSocket, net::Shutdown);
leaves!(io::Stdin, io::Stdout, io::Stderr, io::Empty, io::Repeat, io::Sink, io::SeekFrom);
leaves!(
    io::BufReader<fs::File>,
    io::BufWriter<net::TcpStream>,
    io::LineWriter<io::Stdout>,
    io::Cursor<Vec<u8>>
);
leaves!(process::Child, process::ChildStdin, process::ChildStdout, process::ChildStderr, process::ExitStatus);
leaves!(process::ExitCode, process::Output, process::Stdio);
#[cfg(unix)]
leaves!(std::os::fd::OwnedFd, std::os::fd::BorrowedFd<'static>, std::os::unix::net::UnixStream);
#[cfg(unix)]
leaves!(std::os::unix::net::UnixListener, std::os::unix::net::UnixDatagram, std::os::unix::net::SocketAddr);

#[cfg(windows)]
leaves!(std::os::windows::io::OwnedHandle, std::os::windows::io::BorrowedHandle<'static>);
#[cfg(windows)]
leaves!(std::os::windows::io::OwnedSocket, std::os::windows::io::BorrowedSocket<'static>);

// Errors that hold no other.
leaves!(io::ErrorKind, std::fmt::Error, std::env::VarError, net::AddrParseError, std::time::SystemTimeError);
leaves!(num::ParseIntError, num::ParseFloatError, num::TryFromIntError, num::IntErrorKind);
leaves!(
    std::str::ParseBoolError,
    std::str::Utf8Error,
    std::string::FromUtf8Error,
    std::string::FromUtf16Error
);
leaves!(std::char::ParseCharError, std::char::CharTryFromError, std::array::TryFromSliceError);
leaves!(ffi::NulError, ffi::FromBytesWithNulError, ffi::FromBytesUntilNulError, ffi::IntoStringError);
leaves!(std::collections::TryReserveError, std::alloc::LayoutError);
leaves!(mpsc::RecvError, mpsc::RecvTimeoutError, mpsc::TryRecvError);

// Channels through which no Python object is sent.
leaves!(mpsc::Sender<u8>, mpsc::SyncSender<Vec<String>>, mpsc::Receiver<Option<u8>>, mpsc::IntoIter<u8>);
leaves!(mpsc::Sender<PyGcPooled<PyAny>>, Option<Mutex<mpsc::Receiver<u8>>>);

// What is pointed to, but not owned.
leaves!(*const Py<PyAny>, *mut Py<PyAny>, *mut c_void, *const str, NonNull<Py<PyAny>>);
leaves!(&'static Py<PyAny>, &'static [Py<PyAny>], &'static Mutex<Py<PyAny>>);
leaves!(rc::Weak<Py<PyAny>>, sync::Weak<Py<PyAny>>, sync::Weak<[Py<PyAny>]>);
leaves!(fn(), fn(Py<PyAny>) -> Py<PyAny>, unsafe fn(u8), extern "C" fn(u8) -> u8, unsafe extern "C" fn());
leaves!(fn(u8, u8, u8, u8, u8, u8, u8, u8) -> u8);

// Whatever is built of leaves alone.
leaves!(Option<u8>, Result<u8, String>, (u8, String), [u8; 3], [String], [Py<PyAny>; 0], Vec<String>);
leaves!(HashMap<String, u8>, BTreeMap<u8, Vec<u8>>, Mutex<u8>, RwLock<u8>, OnceLock<u8>, cell::RefCell<u8>);
leaves!(cell::Cell<u8>, std::borrow::Cow<'static, str>, std::pin::Pin<Box<u8>>, PyGcOpaque<Py<PyAny>>);

/// Declared by a user.
struct Handle(u64);
struct Typed<T>(u64, PhantomData<T>);
pyo3_gc::leaf!(Handle);
pyo3_gc::leaf!(impl[T] Typed<T>);
leaves!(Handle, Typed<Py<PyAny>>, Vec<Handle>);

#[test]
fn leaves_are_kept_when_cleared() {
    let mut numbers = vec![1, 2, 3];
    numbers.clear_gc();
    assert_eq!(numbers, [1, 2, 3]);

    let mut name = Some(String::from("a name"));
    name.clear_gc();
    assert_eq!(name.as_deref(), Some("a name"));

    let mut ages = HashMap::from([(String::from("Ann"), 30)]);
    ages.clear_gc();
    assert_eq!(ages["Ann"], 30);

    let mut names = BTreeMap::from([(1, "one")]);
    names.clear_gc();
    assert_eq!(names[&1], "one");

    let lock = Mutex::new(Some(1));
    lock.clear_interior();
    assert_eq!(lock.into_inner().unwrap(), Some(1));

    let mut once = OnceLock::from(1);
    once.clear_gc();
    assert_eq!(once.get(), Some(&1));

    let mut handle = Some(Handle(7));
    handle.clear_gc();
    assert_eq!(handle.map(|handle| handle.0), Some(7));

    let mut typed = Typed::<String>(8, PhantomData);
    typed.clear_gc();
    assert_eq!(typed.0, 8);
}

/// `Vec` and the maps have a `clear` of their own, which comes first.
trait ClearGc: PyGcTraversable {
    fn clear_gc(&mut self) {
        PyGcTraversable::clear(self);
    }
}
impl<T: PyGcTraversable> ClearGc for T {}

/// Points to objects, and owns none of them.
#[pyclass]
#[derive(PyGcTraversable)]
struct Pointers {
    lent: &'static Py<PyAny>,
    weak: sync::Weak<Py<PyAny>>,
    phantom: PhantomData<Py<PyAny>>,
    names: Vec<String>,
    probe: DropProbe,
}
support::hooks!(Pointers);

#[test]
fn what_is_only_pointed_to_is_not_visited() {
    alone(|py| {
        let (lent, counted) = (object(py), object(py));
        let owner = sync::Arc::new(counted.clone().unbind());
        let dropped = DropCounter::default();
        let pointers = Pointers {
            lent: Box::leak(Box::new(lent.clone().unbind())),
            weak: sync::Arc::downgrade(&owner),
            phantom: PhantomData,
            names: vec![String::from("kept")],
            probe: dropped.probe(),
        };
        assert!(pointers.lent.is(&lent));
        let holder = Bound::new(py, pointers).unwrap();
        assert_eq!(visits(holder.as_any(), &lent), 0);
        assert_eq!(visits(holder.as_any(), &counted), 0);

        let before = refcount(&lent);
        collect(py);
        holder.borrow_mut().clear();
        assert_eq!(refcount(&lent), before);
        assert!(holder.borrow().weak.upgrade().is_some());
        assert_eq!(holder.borrow().names, ["kept"]);
        assert_eq!(dropped.dropped(), 0);
    });
}
