//! The blocks that CPython's own allocator has given out: small ones, all of one size in each pool. [CPython 3.9 to 3.14,
//! Objects/obmalloc.c and `Include/internal/pycore_obmalloc.h`]
//!
//! Where the pools are is known to the interpreter alone, but a pool says of itself how many of its blocks are in use, and
//! has a list of those that were and aren't: both together must be all that were ever handed out.

use super::super::heap::AddressMap;
use super::memory::{Memory, Place, WORD};
use crate::heap::FREE_THREADED;

/// What comes before the first block of a pool.
const HEADER: usize = 6 * WORD;
const ALIGNMENT: usize = 16;
const LARGEST: usize = 512;

/// The pools that were found.
#[derive(Default)]
pub(super) struct Pools {
    /// How large a pool is, and how it is aligned.
    size: usize,
    /// By their addresses, divided by the size.
    found: AddressMap<usize, Pool>,
    /// Bits of all pools.
    used: Vec<u64>,
}

struct Pool {
    /// Of each block.
    size: u32,
    /// How many have ever been handed out.
    carved: u32,
    /// Where in [`Pools::used`] the bits of its blocks begin.
    bits: usize,
}

impl Pools {
    /// For a version of CPython. Free-threaded builds have another allocator, and so have systems of 32 bits other sizes.
    pub(super) fn new(version: (u8, u8)) -> Self {
        let size = if version >= (3, 10) { 1 << 14 } else { 1 << 12 };
        let is_known = !FREE_THREADED && WORD == 8 && ((3, 9)..=(3, 14)).contains(&version);
        Self { size: if is_known { size } else { 0 }, ..Self::default() }
    }

    /// Adds the pool that begins here, if one does. Where it ends.
    pub(super) fn add(&mut self, memory: &Memory<'_>, start: usize) -> Option<usize> {
        if self.size == 0 || start % self.size != 0 {
            return None;
        }
        let word = |at: usize| memory.word(start + at * WORD);
        let halves = |word: usize| (word & 0xFFFF_FFFF, word >> 32);
        let (_arena, class) = halves(word(4)?);
        let block = (class + 1).checked_mul(ALIGNMENT).filter(|size| *size <= LARGEST)?;
        let (next, last) = halves(word(5)?);
        let is_pool =
            last == self.size - block && (HEADER..=self.size).contains(&next) && (next - HEADER) % block == 0;
        if !is_pool {
            return None;
        }
        let carved = (next - HEADER) / block;
        let (bits, used) = (self.used.len(), halves(word(0)?).0);
        self.used.resize(bits + carved.div_ceil(64), u64::MAX);
        let freed = self.free(memory, start, word(1)?, bits, block, carved);
        if freed.and_then(|freed| used.checked_add(freed)) != Some(carved) {
            self.used.truncate(bits);
            return None;
        }
        let [size, carved] = [block, carved].map(|number| u32::try_from(number).unwrap_or_default());
        self.found.insert(start / self.size, Pool { size, carved, bits });
        Some(start + self.size)
    }

    /// Goes through the list of the blocks that are free again, and takes their bits away. How many they are; `None` if it
    /// isn't such a list.
    fn free(
        &mut self,
        memory: &Memory<'_>,
        pool: usize,
        first: usize,
        bits: usize,
        block: usize,
        carved: usize,
    ) -> Option<usize> {
        let (mut free, mut count) = (first, 0);
        while free != 0 {
            let offset = free.checked_sub(pool + HEADER)?;
            let at = offset / block;
            let (word, bit) = (bits + at / 64, 1 << (at % 64));
            if offset % block != 0 || at >= carved || self.used[word] & bit == 0 {
                return None;
            }
            self.used[word] &= !bit;
            count += 1;
            free = memory.word(free)?;
        }
        Some(count)
    }

    /// What is at an address, if a pool is.
    pub(super) fn containing(&self, address: usize) -> Option<Place> {
        let number = address.checked_div(self.size)?;
        let pool = self.found.get(&number)?;
        let (size, first) = (pool.size as usize, number * self.size + HEADER);
        let at = address.checked_sub(first).map(|offset| offset / size);
        let block = at.filter(|at| *at < pool.carved as usize).and_then(|at| {
            let is_used = self.used[pool.bits + at / 64] >> (at % 64) & 1 != 0;
            is_used.then(|| first + at * size..first + (at + 1) * size)
        });
        Some(block.map_or(Place::Unused, Place::Used))
    }
}
