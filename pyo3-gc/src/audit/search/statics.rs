//! Where the program and its libraries have their static variables.

use std::ops::Range;

use super::super::maps::{Mapping, Maps};
use super::memory::{Memory, WORD};

/// Where the program and its libraries have their variables: the parts of their files that are loaded to be written to.
pub(super) fn static_variables<'a>(memory: &Memory<'_>, maps: &'a Maps) -> Vec<(&'a str, Range<usize>)> {
    let files = maps.iter().filter(|mapping| mapping.offset == 0 && mapping.path.starts_with('/'));
    let segments = files.flat_map(|file| {
        let segments = segments(memory, maps, file).unwrap_or_default();
        segments.into_iter().map(|range| (&*file.path, range))
    });
    segments.collect()
}

/// The writable segments of a file by the mapping of its beginning. [elf(5), for 64 bits]
fn segments(memory: &Memory<'_>, maps: &Maps, file: &Mapping) -> Option<Vec<Range<usize>>> {
    const LOADED: usize = 1;
    const WRITABLE: usize = 2;
    const PAGE: usize = 4096;
    /// More than a file has.
    const SEGMENTS: usize = 128;
    let start = file.range.start;
    let part = |at: usize, bits: usize| {
        let word = memory.word(at - at % WORD)?;
        Some(word >> (at % WORD * 8) & ((1 << bits) - 1))
    };
    let is_elf = WORD == 8 && part(start, 32)? == u32::from_le_bytes(*b"\x7fELF") as usize;
    if !is_elf || part(start + 4, 8)? != 2 {
        return None;
    }
    let (table, size, number) = (memory.word(start + 32)?, part(start + 54, 16)?, part(start + 56, 16)?);
    // Tools that change a file may move the table.
    let of_table = |mapping: &&Mapping| {
        let end = mapping.offset + mapping.range.len();
        mapping.path == file.path && mapping.range.start >= start && (mapping.offset..end).contains(&table)
    };
    let mapping = maps.iter().find(of_table)?;
    let table = mapping.range.start + (table - mapping.offset);
    let headers = (0..number.min(SEGMENTS)).map(|at| table + at * size);
    let headers = headers.filter(|&header| part(header, 32) == Some(LOADED)).collect::<Vec<_>>();
    let first = headers.iter().filter_map(|header| memory.word(header + 16)).min()?;
    // Where addresses of the file are counted from.
    let base = start.wrapping_sub(first - first % PAGE);
    let writable =
        headers.iter().filter(|&&header| part(header + 4, 32).is_some_and(|it| it & WRITABLE != 0));
    let range = |&header: &usize| {
        let (address, size) = (memory.word(header + 16)?, memory.word(header + 40)?);
        let start = base.wrapping_add(address);
        Some(start.next_multiple_of(WORD)..start.checked_add(size)?)
    };
    Some(writable.filter_map(range).collect())
}
