//! Looks at the memory of this process without trusting a pointer: through the file that Linux has for it, where an
//! address that isn't there is an error, not a crash. Elsewhere nothing can be seen.

use std::cell::RefCell;
use std::ops::{ControlFlow, Range};

pub(super) const WORD: usize = size_of::<usize>();
pub(super) const PAGE: usize = 4096;

/// What is at an address.
pub(super) enum Place {
    /// A block in use.
    Used(Range<usize>),
    /// Memory that was given back, or that an allocator has for itself; or none.
    Unused,
    /// Memory of an allocator that isn't known.
    Unread,
}

/// The process's memory, a page at a time. What was read is kept, since most pages are asked for often.
pub(super) struct Memory<'a> {
    source: Source<'a>,
    pages: RefCell<Pages>,
}

/// What memory is read from.
struct Source<'a> {
    #[cfg(unix)]
    file: std::fs::File,
    #[cfg_attr(not(unix), expect(dead_code))]
    progress: &'a dyn Fn(usize) -> ControlFlow<()>,
}

impl Source<'_> {
    /// Fills `bytes` from an address on; `None` if a part of it isn't there, or the search was broken off.
    #[cfg(unix)]
    fn read(&self, start: usize, bytes: &mut [u8]) -> Option<()> {
        use std::os::unix::fs::FileExt;
        (self.progress)(bytes.len() / WORD).continue_value()?;
        self.file.read_exact_at(bytes, start as u64).ok()
    }

    #[cfg(not(unix))]
    fn read(&self, _: usize, _: &mut [u8]) -> Option<()> {
        None
    }
}

/// A table of pages, each at the one place where it can stand.
struct Pages {
    /// The page at each place, or [`NO_PAGE`].
    at: Vec<usize>,
    bytes: Vec<u8>,
}

/// How many pages are kept: 16 MiB, of which nothing is taken before it is used.
const PAGES: usize = 1 << 12;

/// No page begins there.
const NO_PAGE: usize = usize::MAX;

impl Pages {
    /// The bytes of a page.
    #[inline]
    fn get(&mut self, source: &Source<'_>, page: usize) -> Option<&[u8]> {
        let place = page / PAGE % PAGES;
        let bytes = self.bytes.get_mut(place * PAGE..(place + 1) * PAGE)?;
        if self.at[place] != page {
            self.at[place] = NO_PAGE;
            source.read(page, bytes)?;
            self.at[place] = page;
        }
        Some(bytes)
    }
}

impl<'a> Memory<'a> {
    /// `None` on systems without this file. `progress` is called with how many words are read; once it breaks off, nothing is
    /// read any more, so that all that goes through memory comes to its end.
    pub(super) fn open(progress: &'a dyn Fn(usize) -> ControlFlow<()>) -> Option<Self> {
        let source = Source {
            #[cfg(unix)]
            file: std::fs::File::open("/proc/self/mem").ok()?,
            progress,
        };
        let pages = Pages { at: vec![NO_PAGE; PAGES], bytes: vec![0; PAGES * PAGE] };
        Some(Self { source, pages: RefCell::new(pages) })
    }

    /// One word. None crosses the end of a page.
    #[inline]
    pub(super) fn word(&self, at: usize) -> Option<usize> {
        let page = at & !(PAGE - 1);
        let mut pages = self.pages.borrow_mut();
        let word = pages.get(&self.source, page)?.get(at - page..)?.first_chunk::<WORD>()?;
        Some(usize::from_ne_bytes(*word))
    }

    /// The words of a range up to where memory ends, without what is kept of them changing.
    pub(super) fn words(&self, range: Range<usize>) -> Vec<usize> {
        let mut words = Vec::with_capacity(range.len() / WORD);
        self.each_word(range, |_, word| words.push(word));
        words
    }

    /// Calls `each` with the words of a range, and where they stand, up to where memory ends.
    pub(super) fn each_word(&self, range: Range<usize>, mut each: impl FnMut(usize, usize)) {
        let mut start = range.start.next_multiple_of(WORD);
        let mut pages = self.pages.borrow_mut();
        while start + WORD <= range.end {
            let page = start & !(PAGE - 1);
            let end = range.end.min(page + PAGE);
            let Some(bytes) = pages.get(&self.source, page) else { return };
            let words = bytes[start - page..end - page].chunks_exact(WORD);
            for (at, word) in words.enumerate() {
                each(start + at * WORD, usize::from_ne_bytes(word.try_into().unwrap_or_default()));
            }
            start = page + PAGE;
        }
    }

    /// Forgets what was read.
    pub(super) fn forget(&self) {
        self.pages.borrow_mut().at.fill(NO_PAGE);
    }
}
