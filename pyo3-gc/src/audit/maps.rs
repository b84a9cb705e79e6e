//! What is mapped where into the memory of this process, as Linux tells it. Other systems don't, and seem to have nothing.

use std::ops::Range;

/// A part of the address space.
pub(super) struct Mapping {
    pub(super) range: Range<usize>,
    pub(super) is_writable: bool,
    /// Where in the file it begins.
    pub(super) offset: usize,
    /// The file, or a name in brackets; empty, if it is just memory.
    pub(super) path: String,
}

/// The mappings, in the order of their addresses.
#[derive(Default)]
pub(super) struct Maps(Vec<Mapping>);

impl Maps {
    pub(super) fn read() -> Self {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        Self(maps.lines().filter_map(Mapping::parse).collect())
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Mapping> {
        self.0.iter()
    }

    /// The mapping that an address lies in.
    pub(super) fn at(&self, address: usize) -> Option<&Mapping> {
        let after = self.0.partition_point(|mapping| mapping.range.start <= address);
        self.0[..after].last().filter(|mapping| mapping.range.contains(&address))
    }

    /// The file that an address belongs to.
    pub(super) fn file(&self, address: usize) -> Option<&str> {
        self.at(address).map(|mapping| &*mapping.path).filter(|path| path.starts_with('/'))
    }
}

impl Mapping {
    /// A line such as `7f0c1a000000-7f0c1a021000 rw-p 00000000 00:00 0    /usr/lib/libc.so.6`. [`proc_pid_maps(5)`]
    fn parse(line: &str) -> Option<Self> {
        let mut columns = line.splitn(6, ' ');
        let (range, rights, offset) = (columns.next()?, columns.next()?, columns.next()?);
        let path = columns.nth(2)?;
        let (start, end) = range.split_once('-')?;
        let bound = |hex| usize::from_str_radix(hex, 16).ok();
        Some(Self {
            range: bound(start)?..bound(end)?,
            is_writable: rights.starts_with("rw"),
            offset: bound(offset)?,
            path: path.trim_start().to_owned(),
        })
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::{Mapping, Maps};

    #[test]
    fn tells_memory_from_files() {
        let maps = Maps::read();
        let value = Box::new(1);
        let heap = maps.at(std::ptr::from_ref(&*value) as usize).unwrap();
        assert!(heap.is_writable && !heap.path.starts_with('/'), "{}", heap.path);
        let file = maps.file(Maps::read as fn() -> Maps as usize).unwrap();
        assert_eq!(file, std::env::current_exe().unwrap().to_str().unwrap());
        assert!(maps.at(8).is_none());
    }

    #[test]
    fn reads_a_path_with_spaces_and_no_path() {
        let mapping = Mapping::parse("1000-2000 rw-p 00000000 00:00 0                    /a b/c").unwrap();
        assert_eq!((mapping.range, mapping.offset, &*mapping.path), (0x1000..0x2000, 0, "/a b/c"));
        assert_eq!(Mapping::parse("1000-2000 r--p 00000000 00:00 0 ").unwrap().path, "");
    }
}
