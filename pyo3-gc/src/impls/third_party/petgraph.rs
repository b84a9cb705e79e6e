//! `petgraph`: the weights of nodes and edges. A cleared graph is empty.

use std::mem;

use petgraph::EdgeType;
use petgraph::graph::{Graph, IndexType};
use petgraph::stable_graph::StableGraph;
use pyo3::PyVisit;

use crate::impls::{clear_through_graveyard, of_parts};
use crate::traversable::{TraverseResult, again};
use crate::{Graveyard, PyGcTraversable, leaf};

leaf!(petgraph::Directed, petgraph::Undirected);
leaf!(impl[Ix] petgraph::graph::NodeIndex<Ix>);
leaf!(impl[Ix] petgraph::graph::EdgeIndex<Ix>);

macro_rules! graph {
    ($graph:ident) => {
        // SAFETY: 1 and 4: each weight of a node and of an edge once. 2: iterating over a shared reference reads.
        // 3: `?`. 5: the weights' own answer. 6: an empty graph is a graph.
        unsafe impl<N, E, D, Ix> PyGcTraversable for $graph<N, E, D, Ix>
        where
            N: PyGcTraversable,
            E: PyGcTraversable,
            D: EdgeType,
            Ix: IndexType,
        {
            const MAY_CONTAIN_CYCLES: bool = N::MAY_CONTAIN_CYCLES || E::MAY_CONTAIN_CYCLES;
            of_parts!(N, E);

            fn traverse(&self, visit: PyVisit<'_>) -> TraverseResult {
                if N::MAY_CONTAIN_CYCLES {
                    for node in self.node_weights() {
                        node.traverse(again(&visit))?;
                    }
                }
                if E::MAY_CONTAIN_CYCLES {
                    for edge in self.edge_weights() {
                        edge.traverse(again(&visit))?;
                    }
                }
                Ok(())
            }

            clear_through_graveyard!();

            fn clear_into<'g>(&mut self, graveyard: &mut Graveyard<'g>)
            where
                Self: 'g,
            {
                if Self::MAY_CONTAIN_CYCLES {
                    graveyard.bury(mem::take(self));
                }
            }

            fn clear_interior_into<'g>(&self, graveyard: &mut Graveyard<'g>)
            where
                Self: 'g,
            {
                if Self::MAY_CONTAIN_CYCLES {
                    self.node_weights().for_each(|node| node.clear_interior_into(graveyard));
                    self.edge_weights().for_each(|edge| edge.clear_interior_into(graveyard));
                }
            }
        }
    };
}

graph!(Graph);
graph!(StableGraph);
