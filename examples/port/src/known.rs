//! Types and crates that are known by their names. What follows from a name is never that an object is visited or freed.

/// Types of PyO3 and of pyo3-gc that own Python objects, whatever their arguments are.
#[rustfmt::skip]
pub(crate) const OWNERS: &[&str] = &[
    "Bound", "Py", "PyBuffer", "PyErr", "PyGcArc", "PyGcErr", "PyGcPool", "PyObject", "PyResult",
];

/// Types that own nothing, whatever their arguments are.
#[rustfmt::skip]
pub(crate) const LEAVES: &[&str] = &[
    "AtomicPtr", "NonNull", "PhantomData", "PyBackedBytes", "PyBackedStr", "PyGcOpaque", "PyGcPooled",
    "Weak",
];

/// Types that own what their arguments own.
#[rustfmt::skip]
pub(crate) const CONTAINERS: &[&str] = &[
    "AHashMap", "AHashSet", "Arc", "ArrayVec", "BTreeMap", "BTreeSet", "BinaryHeap", "Box", "Cell", "Cow",
    "Either", "HashMap", "HashSet", "HashTable", "IndexMap", "IndexSet", "IntoIter", "Lazy", "LazyCell",
    "LazyLock", "LinkedList", "Mutex", "OnceCell", "OnceLock", "Option", "Peekable", "Pin", "PyMutex",
    "PyOnceLock", "GILOnceCell", "GILProtected", "Range", "Rc", "ReentrantMutex", "RefCell", "Result",
    "Reverse", "RwLock", "SmallVec", "UnsafeCell", "MaybeUninit", "ManuallyDrop", "Vec", "VecDeque",
    "DashMap", "DashSet", "ArcSwap", "ArcSwapOption", "Sender", "UnboundedSender", "SyncSender", "Receiver",
    "UnboundedReceiver", "JoinHandle", "Graph", "StableGraph", "GraphMap", "DiGraph", "UnGraph",
    "StableDiGraph", "StableUnGraph", "DiGraphMap", "Poll", "ControlFlow", "Wrapping", "Saturating",
    "NonZero",
];

/// Of these, those that have no implementation of the trait all the same, or none that asks their arguments.
#[rustfmt::skip]
pub(crate) const HIDING: &[&str] = &[
    "ArcSwap", "ArcSwapOption", "DashMap", "DashSet", "GILOnceCell", "GILProtected", "JoinHandle",
    "ManuallyDrop", "MaybeUninit", "Peekable", "PyMutex", "Receiver", "Sender", "SyncSender",
    "UnboundedReceiver", "UnboundedSender", "UnsafeCell",
];

/// Types of std, PyO3 and others that own nothing.
#[rustfmt::skip]
pub(crate) const VALUES: &[&str] = &[
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16", "u32",
    "u64", "u8", "usize", "String", "PathBuf", "Path", "OsString", "OsStr", "CString", "CStr", "Duration",
    "Instant", "SystemTime", "RandomState", "AtomicBool", "AtomicI8", "AtomicI16", "AtomicI32", "AtomicI64",
    "AtomicIsize", "AtomicU8", "AtomicU16", "AtomicU32", "AtomicU64", "AtomicUsize", "Ordering", "TypeId",
    "ThreadId", "File", "TcpStream", "TcpListener", "UdpSocket", "UnixStream", "OwnedFd", "OwnedHandle",
    "IpAddr", "Ipv4Addr", "Ipv6Addr", "SocketAddr", "NonZeroU8", "NonZeroU16", "NonZeroU32", "NonZeroU64",
    "NonZeroUsize", "NonZeroI8", "NonZeroI16", "NonZeroI32", "NonZeroI64", "Condvar", "Barrier", "Once",
    "Thread", "Infallible", "PhantomPinned", "DefaultHasher", "Layout", "CompareOp", "CancelHandle",
];

/// Crates of which all types own nothing, and of which features of pyo3-gc cover the types.
#[rustfmt::skip]
pub(crate) const VALUE_CRATES: &[&str] = &[
    "bigdecimal", "bytes", "chrono", "chrono_tz", "http", "jiff", "num_bigint", "num_complex",
    "num_rational", "ordered_float", "regex", "rust_decimal", "serde_json", "time", "tokio_util", "url",
    "uuid",
];
