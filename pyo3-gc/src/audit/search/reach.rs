//! What memory doesn't show: an object with hidden references that nobody was found to hold, and that alone keeps a wanted
//! instance alive. The instance may hold it.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;

use super::super::count::Count;
use super::super::finding::Evidence;
use super::super::heap::{AddressMap, AddressSet, Heap};
use super::super::progress::Progress;
use super::credit::Credit;
use super::graph::{Node, What};
use crate::heap::Object;

/// What keeps each object of the heap alive.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    No,
    By(u32),
    Several,
}

impl Credit<'_, '_, '_> {
    /// `unread` are the instances whose memory couldn't all be looked through. Without memory to look at, it may be any that
    /// shows nothing. `on_stack` are references that functions in C and Rust seem to have.
    pub(super) fn reached(
        &mut self,
        count: &Count<'_>,
        unread: Option<&Vec<u32>>,
        on_stack: &[u32],
        progress: &Progress<'_>,
    ) -> ControlFlow<()> {
        let candidates = match unread {
            Some(unread) => unread.clone(),
            None => self.silent(),
        };
        if candidates.is_empty() {
            return ControlFlow::Continue(());
        }
        let nodes = &self.graph.nodes;
        let by_address = |nodes_: &mut dyn Iterator<Item = u32>| {
            nodes_.map(|node| (nodes[node as usize].address(), node)).collect::<AddressMap<_, _>>()
        };
        let wanted = (0_u32..).zip(nodes).filter(|(node, _)| self.is_wanted(*node)).map(|(node, _)| node);
        let wanted = by_address(&mut { wanted });
        let candidates = by_address(&mut candidates.into_iter());
        let is_root = |at: usize| self.left[at] > 0 || count.tallies[at].references().is_none();
        let is_asked = |address| candidates.contains_key(&address) || wanted.contains_key(&address);
        let kept = kept(self.heap, is_root, is_asked, progress)?;
        let mut by_root = BTreeMap::<u32, (Vec<usize>, bool)>::new();
        for (&address, kept) in &kept {
            if let Kept::By(root) = *kept {
                let (addresses, is_asked_for) = by_root.entry(root).or_default();
                *is_asked_for |= wanted.contains_key(&address);
                addresses.extend(candidates.contains_key(&address).then_some(address));
            }
        }
        progress.stage("following hidden references", by_root.len())?;
        for (root, (addresses, is_asked_for)) in by_root {
            progress.step()?;
            let root = root as usize;
            let is_unexplained = self.left[root] > self.running[root].saturating_add(on_stack[root]);
            if is_unexplained && is_asked_for && !addresses.is_empty() {
                if let Some(found) = nearest(self.heap, self.heap.object(root), &addresses, progress)? {
                    self.holds(candidates[&found], root, Evidence::Reaches);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Of `unread` those that were asked for, and those that such lead to at once: what an instance wraps.
    pub(super) fn near(&self, unread: Vec<u32>) -> Vec<u32> {
        /// An instance's dict, and what is in it.
        const DEPTH: usize = 3;
        const STEPS: usize = 100_000;
        let (wanted, others): (Vec<_>, Vec<_>) = unread.into_iter().partition(|node| self.is_wanted(*node));
        let mut found = wanted;
        if others.is_empty() {
            return found;
        }
        let nodes = &self.graph.nodes;
        let others = others.into_iter().map(|node| (nodes[node as usize].address(), node));
        let others = others.collect::<AddressMap<_, _>>();
        let of_node = |node: &Node<'_>| match node.what {
            What::Object(object, Some(kind)) if kind.is_wanted => Some(self.heap.keep(object)),
            _ => None,
        };
        let (mut now, mut seen) =
            (nodes.iter().filter_map(of_node).collect::<Vec<_>>(), AddressSet::<usize>::default());
        for _ in 0..DEPTH {
            let mut next = Vec::new();
            for object in now {
                let class = object.ty().as_object();
                object.visits(&mut |target| {
                    let is_new = target != class && !target.is_type() && seen.len() < STEPS;
                    if is_new && seen.insert(target.address()) {
                        found.extend(others.get(&target.address()));
                        next.push(self.heap.keep(target));
                    }
                });
            }
            now = next;
        }
        found
    }

    /// The wanted instances that visit nothing but their type.
    fn silent(&self) -> Vec<u32> {
        let nodes = (0_u32..).zip(&self.graph.nodes);
        let silent = nodes.filter_map(|(at, node)| {
            let What::Object(object, Some(kind)) = node.what else { return None };
            let mut shows = false;
            object.visits(&mut |target| shows |= target != kind.ty.as_object());
            (kind.is_wanted && !shows).then_some(at)
        });
        silent.collect()
    }
}

/// Which of the roots keeps each object alive that is asked for, whether it is in the heap or visited by what is.
fn kept(
    heap: &Heap<'_>,
    is_root: impl Fn(usize) -> bool,
    is_asked: impl Fn(usize) -> bool,
    progress: &Progress<'_>,
) -> ControlFlow<(), AddressMap<usize, Kept>> {
    let mut kept = vec![Kept::No; heap.len()];
    let mut others = AddressMap::<usize, Kept>::default();
    let mut queue = Vec::new();
    let join = |old: Kept, new: Kept| if old == Kept::No || old == new { new } else { Kept::Several };
    progress.stage("looking for what keeps the suspects alive", heap.len())?;
    for root in 0..heap.len() {
        progress.step()?;
        if !is_root(root) {
            continue;
        }
        let this = Kept::By(u32::try_from(root).unwrap_or(u32::MAX));
        kept[root] = join(kept[root], this);
        queue.push(root);
        while let Some(at) = queue.pop() {
            progress.work(1)?;
            let new = kept[at];
            heap.object(at).visits(&mut |target| {
                let address = target.address();
                if let Some(next) = heap.find(address) {
                    let joined = join(kept[next], new);
                    if joined != kept[next] {
                        kept[next] = joined;
                        queue.push(next);
                    }
                } else if is_asked(address) {
                    let old = others.get(&address).copied().unwrap_or(Kept::No);
                    others.insert(address, join(old, new));
                }
            });
        }
    }
    let objects = heap.objects().zip(kept).map(|(object, kept)| (object.address(), kept));
    others.extend(objects.filter(|(address, _)| is_asked(*address)));
    ControlFlow::Continue(others)
}

/// The first of the candidates that an object leads to.
fn nearest(
    heap: &Heap<'_>,
    root: Object<'_>,
    candidates: &[usize],
    progress: &Progress<'_>,
) -> ControlFlow<(), Option<usize>> {
    /// More would take too long, and tell no more.
    const STEPS: usize = 10_000;
    let (mut seen, mut queue) = (AddressSet::default(), VecDeque::from([root]));
    while let Some(object) = queue.pop_front() {
        if candidates.contains(&object.address()) {
            return ControlFlow::Continue(Some(object.address()));
        }
        progress.work(1)?;
        object.visits(&mut |target| {
            if seen.len() < STEPS && seen.insert(target.address()) {
                queue.push_back(heap.keep(target));
            }
        });
    }
    ControlFlow::Continue(None)
}
