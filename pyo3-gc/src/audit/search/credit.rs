//! To whom hidden references are put down.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::super::finding::Evidence;
use super::super::heap::{AddressMap, Heap};
use super::graph::{Graph, What};
use crate::heap::Type;

/// By the holding type, and whether the instances are tracked.
pub(crate) type Holders<'h> = HashMap<(Type<'h>, bool, Evidence), Holding<'h>>;

/// What the instances of one type hold.
#[derive(Default)]
pub(crate) struct Holding<'h> {
    pub(crate) held: HashMap<Type<'h>, usize>,
    /// The nodes that are meant.
    nodes: HashSet<u32>,
}

impl Holding<'_> {
    /// How many instances.
    pub(crate) fn objects(&self) -> usize {
        self.nodes.len()
    }
}

/// Which instances memory leads to a block from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    None,
    One(u32),
    /// Several, of which this is the first.
    Many(u32),
}

pub(super) struct Credit<'a, 'h, 'py> {
    pub(super) heap: &'h Heap<'py>,
    pub(super) graph: &'a Graph<'h>,
    /// References of each object that are still to be explained.
    pub(super) left: &'a mut [u32],
    /// How many of them running code seems to have.
    pub(super) running: &'a [u32],
    /// Of each node.
    owners: Vec<Owner>,
    pub(super) holders: Holders<'h>,
    pub(super) hidden: Holders<'h>,
}

/// A word that is the address of an object, without those that stand for visits.
#[derive(Clone, Copy)]
struct Word {
    node: u32,
    place: usize,
}

impl<'a, 'h, 'py> Credit<'a, 'h, 'py> {
    pub(super) fn new(
        heap: &'h Heap<'py>,
        graph: &'a Graph<'h>,
        left: &'a mut [u32],
        running: &'a [u32],
    ) -> Self {
        let owners = owners(graph);
        let (holders, hidden) = (Holders::default(), Holders::default());
        Self { heap, graph, left, running, owners, holders, hidden }
    }

    /// Puts down what stands in memory: first what leads back to where it stands.
    pub(super) fn memory(&mut self) {
        let words = self.hidden_words();
        let (wanted, asked) = (self.wanted_components(), self.asked_blocks());
        let leads_back = |word: &Word| {
            let component = self.graph.nodes[word.node as usize].component;
            let target =
                self.graph.of_place(word.place).map(|node| self.graph.nodes[node as usize].component);
            let is_asked_for = wanted.get(component as usize) == Some(&true) || asked[word.node as usize];
            is_asked_for && target == Some(component)
        };
        let (cycles, others): (Vec<_>, Vec<_>) = words.into_iter().partition(leads_back);
        let shared = self.shared_in_cycles(&cycles);
        for word in cycles {
            let holder = match self.owners[word.node as usize] {
                Owner::None => continue,
                Owner::One(instance) => instance,
                Owner::Many(first) => shared.get(&word.node).copied().unwrap_or(first),
            };
            self.holds(holder, word.place, Evidence::Memory);
        }
        self.rest(others);
    }

    /// The words that no visit explains, in the order of the nodes.
    fn hidden_words(&self) -> Vec<Word> {
        let mut shown = HashMap::<(u32, usize), u32>::new();
        for &(node, place) in &self.graph.shown {
            *shown.entry((node, place)).or_default() += 1;
        }
        let mut explains = |key: &(u32, usize)| {
            let visits = shown.get_mut(key).filter(|visits| **visits > 0)?;
            *visits -= 1;
            Some(())
        };
        let (mut words, mut shared) = (Vec::new(), Vec::new());
        for &(node, place) in &self.graph.words {
            match self.owners[node as usize] {
                Owner::One(instance) if explains(&(instance, place)).is_some() => {}
                Owner::Many(_) => shared.push(Word { node, place }),
                _ => words.push(Word { node, place }),
            }
        }
        // What several own, any of them may show.
        let mut by_any = AddressMap::<usize, u32>::default();
        for ((_, place), visits) in shown {
            *by_any.entry(place).or_default() += visits;
        }
        shared.retain(|word| match by_any.get_mut(&word.place) {
            Some(visits) if *visits > 0 => {
                *visits -= 1;
                false
            }
            _ => true,
        });
        words.extend(shared);
        words.sort_unstable_by_key(|word| (word.node, word.place));
        words
    }

    /// The components with instances that were asked for.
    fn wanted_components(&self) -> Vec<bool> {
        let nodes = &self.graph.nodes;
        let mut wanted = vec![false; nodes.len()];
        for node in nodes.iter().filter(|node| node.kind().is_some_and(|kind| kind.is_wanted)) {
            if let Some(wanted) = wanted.get_mut(node.component as usize) {
                *wanted = true;
            }
        }
        wanted
    }

    /// The blocks that memory of instances that were asked for leads to.
    fn asked_blocks(&self) -> Vec<bool> {
        let nodes = &self.graph.nodes;
        let mut asked = vec![false; nodes.len()];
        let all = (0_u32..).zip(nodes).map(|(node, _)| node);
        let mut queue = all.filter(|node| self.is_wanted(*node)).collect::<Vec<_>>();
        while let Some(at) = queue.pop() {
            let leads = nodes[at as usize].is_credible();
            for &next in &self.graph.owned[nodes[at as usize].owned.clone()] {
                let is_block = leads && matches!(nodes[next as usize].what, What::Block(..));
                if is_block && !std::mem::replace(&mut asked[next as usize], true) {
                    queue.push(next);
                }
            }
        }
        asked
    }

    /// Of what several instances lead to: one that it leads back to, rather one that was asked for.
    fn shared_in_cycles(&self, words: &[Word]) -> AddressMap<u32, u32> {
        let mut found = AddressMap::default();
        let nodes = &self.graph.nodes;
        let is_shared = |node: u32| matches!(self.owners[node as usize], Owner::Many(_));
        let components =
            words.iter().filter(|word| is_shared(word.node)).map(|word| nodes[word.node as usize].component);
        let components = components.collect::<HashSet<_>>();
        if components.is_empty() {
            return found;
        }
        let instances = (0_u32..).zip(nodes).filter(|(_, node)| components.contains(&node.component));
        let instances = instances.filter_map(|(at, node)| Some((at, node.kind()?, node)));
        let mut instances = instances.filter(|(.., node)| !node.owned.is_empty()).collect::<Vec<_>>();
        instances.sort_by_key(|(_, kind, node)| (!kind.is_wanted, node.address()));
        for (instance, _, node) in instances {
            let mut queue = vec![instance];
            while let Some(at) = queue.pop() {
                for &next in &self.graph.owned[nodes[at as usize].owned.clone()] {
                    let of_next = &nodes[next as usize];
                    let is_block = matches!(of_next.what, What::Block(..));
                    if is_block && of_next.component == node.component && !found.contains_key(&next) {
                        found.insert(next, instance);
                        queue.push(next);
                    }
                }
            }
        }
        found
    }

    /// What doesn't lead back is a finding only if it is sure who holds it: in memory that one instance alone leads to, there
    /// are as many such words as there are references.
    fn rest(&mut self, words: Vec<Word>) {
        let mut by_place = AddressMap::<usize, Vec<Word>>::default();
        for word in words {
            by_place.entry(word.place).or_default().push(word);
        }
        let mut by_place = by_place.into_iter().collect::<Vec<_>>();
        by_place.sort_unstable_by_key(|(place, _)| *place);
        for (place, words) in by_place {
            let left = self.left[place] as usize;
            let not_running = left.saturating_sub(self.running[place] as usize);
            let holders = words.iter().map(|word| self.owners[word.node as usize]).collect::<Vec<_>>();
            let is_alone = holders.iter().all(|holder| *holder == holders[0]);
            let is_credible = words.iter().all(|word| self.graph.nodes[word.node as usize].is_credible());
            let is_all = [left, not_running].contains(&words.len()) || is_alone && words.len() >= left;
            let is_sure = is_credible && is_all;
            for holder in holders {
                match holder {
                    Owner::One(instance) if is_sure && self.is_wanted(instance) => {
                        self.holds(instance, place, Evidence::Memory);
                    }
                    Owner::One(instance) | Owner::Many(instance) => self.may_hold(instance, place),
                    Owner::None => {}
                }
            }
        }
    }

    pub(super) fn is_wanted(&self, node: u32) -> bool {
        self.graph.nodes[node as usize].kind().is_some_and(|kind| kind.is_wanted)
    }

    /// Explains a reference to an object by a holder, if one is left.
    pub(super) fn holds(&mut self, holder: u32, place: usize, evidence: Evidence) {
        if self.left[place] > 0 {
            self.left[place] -= 1;
            add(&mut self.holders, self.heap, self.graph, (holder, place, evidence));
        }
    }

    fn may_hold(&mut self, holder: u32, place: usize) {
        if self.left[place] > 0 && self.is_wanted(holder) {
            add(&mut self.hidden, self.heap, self.graph, (holder, place, Evidence::Memory));
        }
    }

    /// The instances with memory of their own that couldn't be looked through.
    pub(super) fn unread(&self) -> Vec<u32> {
        let mut found = BTreeSet::new();
        for (node, owner) in self.graph.nodes.iter().zip(&self.owners) {
            if let (true, Owner::One(instance) | Owner::Many(instance)) = (node.has_unread, *owner) {
                found.insert(instance);
            }
        }
        found.into_iter().collect()
    }
}

fn add<'h>(
    holders: &mut Holders<'h>,
    heap: &'h Heap<'_>,
    graph: &Graph<'h>,
    (holder, place, evidence): (u32, usize, Evidence),
) {
    let node = &graph.nodes[holder as usize];
    let Some(kind) = node.kind() else { return };
    let is_tracked = heap.find(node.address()).is_some();
    let holding = holders.entry((kind.ty, is_tracked, evidence)).or_default();
    holding.nodes.insert(holder);
    *holding.held.entry(heap.object(place).ty()).or_default() += 1;
}

/// Goes from each instance to the blocks that its memory leads to; first past what seems to be left over from before.
fn owners(graph: &Graph<'_>) -> Vec<Owner> {
    let mut owners = vec![Owner::None; graph.nodes.len()];
    for (at, node) in (0_u32..).zip(&graph.nodes) {
        if node.kind().is_some_and(|kind| kind.shape.is_some()) {
            owners[at as usize] = Owner::One(at);
        }
    }
    let all = |node: u32| &graph.owned[graph.nodes[node as usize].owned.clone()];
    let credible = |node: u32| if graph.nodes[node as usize].is_credible() { all(node) } else { &[] };
    let is_block = |node: u32| matches!(graph.nodes[node as usize].what, What::Block(..));
    let instances = (0_u32..).zip(&graph.nodes).filter(|(_, node)| node.kind().is_some()).map(|(at, _)| at);
    let instances = instances.collect::<Vec<_>>();
    let mut queue = Vec::new();
    for &instance in &instances {
        queue.push(instance);
        while let Some(at) = queue.pop() {
            for &next in credible(at).iter().filter(|next| is_block(**next)) {
                // A block is gone through twice at most.
                let owner = &mut owners[next as usize];
                *owner = match *owner {
                    Owner::None => Owner::One(instance),
                    Owner::One(first) if first != instance => Owner::Many(first),
                    _ => continue,
                };
                queue.push(next);
            }
        }
    }
    // What nothing better leads to belongs to who has the rest.
    let is_left_over = |node: &u32| owners[*node as usize] != Owner::None;
    let mut queue = (0..).take(owners.len()).filter(is_left_over).collect::<Vec<_>>();
    while let Some(at) = queue.pop() {
        for next in all(at).iter().copied().filter(|next| is_block(*next)) {
            if owners[next as usize] == Owner::None {
                owners[next as usize] = owners[at as usize];
                queue.push(next);
            }
        }
    }
    owners
}
