//! The model of the model test: its rules by example, without an interpreter, as the documentation states them. And the
//! random programs come by all of them.

use std::cell::RefCell;

use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};

use crate::coverage::Coverage;
use crate::graph::{Graph, Id, Past, Taken};
use crate::kind::{Kind, Written};
use crate::machine::run;
use crate::program::{Op, Program, programs};
use crate::support::alone;

/// The slot of an `ArcOpen`, `ArcFrozen`, `RcOpen`, `GcArcOpen` or `GcArcFrozen` that always points to contents.
const BARE: usize = 0;
/// The slot of contents that holds objects.
const OBJECTS: usize = 0;
const NOBODY: [Id; 0] = [];

/// Adds a reference to `to`, beside those that there are.
fn link(graph: &mut Graph, from: Id, slot: usize, to: Id) {
    graph.hold(to);
    let (_, replaced) = graph.move_in(from, slot, to);
    graph.release(replaced);
}

fn let_go(graph: &mut Graph, ids: impl IntoIterator<Item = Id>) {
    ids.into_iter().for_each(|id| graph.let_go(id));
}

fn alive(graph: &Graph) -> Vec<Id> {
    (0..graph.nodes.len()).filter(|id| graph.nodes[*id].is_alive).collect()
}

/// What is alive after a collection.
fn collected(graph: &mut Graph) -> Vec<Id> {
    graph.collect();
    alive(graph)
}

#[test]
fn counting_frees_a_chain_but_no_cycle() {
    let mut graph = Graph::default();
    let [a, b, c] = [(); 3].map(|()| graph.add(Kind::Instance));
    link(&mut graph, a, 0, b);
    link(&mut graph, b, 0, c);
    let_go(&mut graph, [b, c]);
    assert_eq!(alive(&graph), [a, b, c]);
    let_go(&mut graph, [a]);
    assert_eq!(alive(&graph), NOBODY);

    let [a, b] = [(); 2].map(|()| graph.add(Kind::Open));
    link(&mut graph, a, 0, b);
    link(&mut graph, b, 1, a);
    let_go(&mut graph, [a, b]);
    assert_eq!(alive(&graph), [a, b]);
    assert_eq!(collected(&mut graph), NOBODY);
}

/// Every slot that can hold its own object, in the tightest cycle. These leak: what isn't shown, what isn't cleared, and
/// what a frozen class has no lock around.
#[test]
fn what_holds_itself_is_collected_with_these_exceptions() {
    let mut leaks = Vec::new();
    for kind in Kind::ALL {
        for (slot, rules) in kind.slots().iter().enumerate() {
            if rules.written == Written::AtBirth || !kind.fits(rules.holds) || kind.is_contents() {
                continue;
            }
            let mut graph = Graph::default();
            let node = graph.add(kind);
            link(&mut graph, node, slot, node);
            assert_eq!(collected(&mut graph), [node], "{kind:?} is held");
            let_go(&mut graph, [node]);
            if collected(&mut graph) != NOBODY {
                leaks.push((kind, slot));
            }
        }
    }
    let once = 2;
    // A finalizer has brought itself back.
    let expected =
        [(Kind::Finalizer, 0), (Kind::Kept, 0), (Kind::Opaque, 0), (Kind::Opaque, 1), (Kind::Frozen, once)];
    assert_eq!(leaks, expected);
}

/// What can't be cleared relies on its neighbours in the cycle.
#[test]
fn one_neighbour_that_lets_go_is_enough() {
    for (kind, slot) in [(Kind::Kept, 0), (Kind::Frozen, 2)] {
        let mut graph = Graph::default();
        let [node, list] = [kind, Kind::List].map(|kind| graph.add(kind));
        link(&mut graph, node, slot, list);
        link(&mut graph, list, 0, node);
        let_go(&mut graph, [node, list]);
        assert_eq!(collected(&mut graph), NOBODY);
    }
}

/// An object that two owners of the same contents lead back to, all of them garbage but for `held` owners.
fn sharing(owner: Kind, contents: Kind, owners: usize, held: usize) -> (Graph, Vec<Id>) {
    let mut graph = Graph::default();
    let [object, shared] = [Kind::Instance, contents].map(|kind| graph.add(kind));
    link(&mut graph, shared, OBJECTS, object);
    let owners: Vec<Id> = (0..owners).map(|_| graph.add(owner)).collect();
    for &owner in &owners {
        link(&mut graph, owner, BARE, shared);
        link(&mut graph, object, 0, owner);
    }
    let_go(&mut graph, [object, shared]);
    let_go(&mut graph, owners[held..].to_vec());
    (graph, owners)
}

#[test]
fn shared_contents_leak_and_those_of_one_owner_do_not() {
    for (owner, contents) in [
        (Kind::ArcOpen, Kind::ArcContents),
        (Kind::ArcFrozen, Kind::ArcContents),
        (Kind::RcOpen, Kind::RcContents),
    ] {
        let (mut graph, _) = sharing(owner, contents, 1, 0);
        assert_eq!(collected(&mut graph), NOBODY);
        let (mut graph, owners) = sharing(owner, contents, 2, 0);
        assert_eq!(collected(&mut graph).len(), 4);
        // Until they are no longer shared.
        graph.nodes[0].fields[0].edges.retain(|edge| edge.to == owners[0]);
        graph.release([owners[1]]);
        assert_eq!(collected(&mut graph), NOBODY);
    }
}

#[test]
fn contents_of_a_pygcarc_are_seen_through_however_many_owners_they_have() {
    for owner in [Kind::GcArcOpen, Kind::GcArcFrozen] {
        for owners in 1..4 {
            let (mut graph, _) = sharing(owner, Kind::GcArcContents, owners, 0);
            assert_eq!(collected(&mut graph), NOBODY);
        }
    }
}

#[test]
fn a_live_owner_keeps_everything() {
    for (owner, contents) in [
        (Kind::ArcOpen, Kind::ArcContents),
        (Kind::RcOpen, Kind::RcContents),
        (Kind::GcArcOpen, Kind::GcArcContents),
    ] {
        let (mut graph, owners) = sharing(owner, contents, 3, 1);
        assert_eq!(collected(&mut graph).len(), 5);
        assert_eq!(graph.nodes[1].fields[OBJECTS].edges.len(), 1, "nothing is cleared");
        let_go(&mut graph, [owners[0]]);
        let leaks = contents != Kind::GcArcContents;
        assert_eq!(!collected(&mut graph).is_empty(), leaks);
    }
}

/// What hidden references lead to is alive, and nothing that only leads there.
#[test]
fn hidden_references_hold_from_outside() {
    let mut graph = Graph::default();
    let [hider, hidden, garbage] = [Kind::Opaque, Kind::Instance, Kind::Instance].map(|kind| graph.add(kind));
    link(&mut graph, hider, 0, hidden);
    link(&mut graph, hidden, 0, hider);
    link(&mut graph, garbage, 0, garbage);
    link(&mut graph, garbage, 0, hider);
    let_go(&mut graph, [hider, hidden, garbage]);
    assert_eq!(collected(&mut graph), [hider, hidden]);
}

/// A lock that is taken for writing hides; one that is taken for reading can't be emptied, where only `&` is at hand.
#[test]
fn locks_that_are_taken() {
    let rw_lock = 1;
    for (kind, taken, leaks) in [
        (Kind::Frozen, Taken::No, false),
        (Kind::Frozen, Taken::ForReading, true),
        (Kind::Frozen, Taken::ForWriting, true),
        (Kind::Guarded, Taken::ForReading, false),
        (Kind::Guarded, Taken::ForWriting, true),
    ] {
        let mut graph = Graph::default();
        let node = graph.add(kind);
        link(&mut graph, node, rw_lock, node);
        graph.nodes[node].fields[rw_lock].taken = taken;
        let_go(&mut graph, [node]);
        assert_eq!(!collected(&mut graph).is_empty(), leaks, "{kind:?} {taken:?}");
        assert_eq!(graph.nodes[node].past == Past::Cleared, taken != Taken::ForWriting);
    }
}

#[test]
fn a_finalizer_brings_back_what_it_leads_to_once() {
    let mut graph = Graph::default();
    let [finalizer, friend, garbage] = [Kind::Finalizer, Kind::Open, Kind::Open].map(|kind| graph.add(kind));
    link(&mut graph, finalizer, 0, friend);
    link(&mut graph, friend, 0, finalizer);
    link(&mut graph, garbage, 0, garbage);
    link(&mut graph, garbage, 1, friend);
    let_go(&mut graph, [finalizer, friend, garbage]);
    assert_eq!(collected(&mut graph), [finalizer, friend]);
    assert_eq!(graph.rescued, [finalizer]);
    assert_eq!(graph.nodes[friend].fields[0].edges.len(), 1, "nothing is cleared");
    let_go(&mut graph, [finalizer]);
    assert_eq!(collected(&mut graph), NOBODY);
}

#[test]
fn clearing_by_hand() {
    // Contents of an owner's own are cleared with it, through `&mut` or `&`; those that it shares are not, nor those behind
    // a lock that is taken.
    let fixed = 2;
    for (owner, owners, left) in
        [(Kind::ArcOpen, 1, [0, 0]), (Kind::ArcFrozen, 1, [0, 1]), (Kind::ArcOpen, 2, [1, 1])]
    {
        let (mut graph, owners) = sharing(owner, Kind::ArcContents, owners, 1);
        link(&mut graph, 1, fixed, owners[0]);
        graph.clear(owners[0]);
        assert_eq!([OBJECTS, fixed].map(|slot| graph.nodes[1].fields[slot].edges.len()), left);
    }
    let next = 1;
    for (taken, left) in [(Taken::No, 0), (Taken::ForReading, 1), (Taken::ForWriting, 1)] {
        let (mut graph, owners) = sharing(Kind::ArcFrozen, Kind::ArcContents, 1, 1);
        let further = graph.add(Kind::ArcContents);
        link(&mut graph, further, OBJECTS, owners[0]);
        link(&mut graph, 1, next, further);
        graph.nodes[1].fields[next].taken = taken;
        graph.let_go(further);
        graph.clear(owners[0]);
        assert_eq!(graph.nodes[further].fields[OBJECTS].edges.len(), left);
    }
}

/// Programs that failed, each with another fault put into the code under test. One that fails without is pasted here.
#[test]
fn programs_that_failed() {
    use Kind::{ArcContents, ArcOpen, Frozen, GcArcOpen, Guarded, Instance, Kept, LockedVariant};
    use Op::{Add, Clear, Collect, Drop, Link, LockForever, Poison};

    let add = |kind, label| Add(kind, label, [label - 1; 2]); // born with the one before
    let two_owners = [add(Instance, 1), add(ArcContents, 2), add(ArcOpen, 3), Add(ArcOpen, 4, [2, 2])];
    let programs: [&[Op]; 7] = [
        &[&two_owners[..], &[Drop(2), Collect]].concat(), // both visited the contents
        &[&two_owners[..], &[Clear(3)]].concat(),         // one cleared them
        &[add(Instance, 1), add(GcArcOpen, 2), Link(1, 0, 2)], // the holder and the node visited the contents
        &[add(LockedVariant, 1), Link(1, 0, 1), Poison(1, 0)], // skipped
        &[add(Guarded, 1), Link(1, 0, 1), LockForever(1, 0, true)], // waited for
        &[add(Frozen, 1), Link(1, 2, 1), add(Instance, 2), Link(2, 0, 1)], // its `OnceLock` wasn't visited
        &[add(Kept, 1), Link(1, 0, 1)],                   // cleared all the same
    ];
    for program in programs {
        let result = alone(|py| run(py, &Program(program.to_vec())));
        result.unwrap();
    }
}

/// A test that never gets anywhere passes, too.
#[test]
fn random_programs_come_by_every_rule() {
    let total = RefCell::new(Coverage::default());
    for (cases, nodes, changes) in [(600, 15, 60), (60, 200, 120)] {
        let config =
            Config { cases, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Config::default() };
        let result = TestRunner::new(config).run(&programs(nodes, changes), |program| {
            let coverage = alone(|py| run(py, &program)).map_err(TestCaseError::fail)?;
            total.borrow_mut().merge(coverage);
            Ok(())
        });
        result.unwrap();
    }
    let total = total.into_inner();
    println!("{total:#?}");
    for kind in Kind::ALL {
        let is_common = |outcome: &std::collections::BTreeMap<Kind, usize>, at_least| {
            assert!(outcome.get(&kind).is_some_and(|count| *count >= at_least), "{kind:?}: {total:#?}");
        };
        is_common(&total.kept, 100);
        // What hides can be collected only where it hides nothing that leads back to it.
        is_common(&total.collected, if kind == Kind::Opaque { 2 } else { 20 });
    }
    assert!(total.by_step.values().all(|count| *count >= 100), "{total:#?}");
    assert!(total.most_nodes == 200 && total.rescued >= 100 && total.leaked.len() >= 20, "{total:#?}");
}
