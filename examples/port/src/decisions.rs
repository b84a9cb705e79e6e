//! What is left to a person, each with its place and the choices.

use serde::Serialize;

use crate::analysis::View;
use crate::model::{Field, TypeDef};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Topic {
    /// A field of a type of another crate that may own Python objects.
    Foreign,
    /// A closure or another type that can't be looked into.
    Unshown,
    Pointer,
    Error,
    TraitObject,
    Hooks,
    SharedArc,
}

impl Topic {
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Foreign => "Types of other crates",
            Self::Unshown => "What can't be looked into",
            Self::Pointer => "Raw pointers",
            Self::Error => "Errors",
            Self::TraitObject => "Trait objects",
            Self::Hooks => "Hooks that do more than visit and clear",
            Self::SharedArc => "Shared by several classes",
        }
    }

    fn choices(self) -> &'static str {
        match self {
            Self::Foreign => {
                "`#[pyo3(gc = false)]` if it owns no Python object; a stand-in, `#[pyo3_gc(with = Type)]`, if nothing inside is \
                 shared; handles of a `PyGcPool` in it"
            }
            Self::Unshown => {
                "keep `hidden` with a reason if no cycle runs through it; handles of a `PyGcPool` in it"
            }
            Self::Pointer => {
                "keep `hidden` if it owns no Python object; an `unsafe impl PyGcTraversable` for the type"
            }
            Self::Error => "`PyGcErr` in the place of `PyErr`",
            Self::TraitObject => {
                "`pyo3_gc::dyn_traversable!` for the trait; `#[pyo3(gc = false)]` if it owns no Python object"
            }
            Self::Hooks => {
                "delete them, and `gc = false` where the class has it, and let the derive make them (`#[pyo3_gc(clear = default)]` for \
                 fields that must agree); or keep them as they are"
            }
            Self::SharedArc => {
                "nothing, if it is rarely shared: its contents are hidden while it is; `PyGcArc` to have it collected"
            }
        }
    }
}

#[derive(Clone)]
pub(crate) struct Decision {
    pub(crate) topic: Topic,
    pub(crate) krate: String,
    /// The type, and the field if it is about one.
    pub(crate) ty: String,
    module: Vec<String>,
    pub(crate) field: Option<String>,
    pub(crate) why: String,
}

#[derive(Default)]
pub(crate) struct Decisions(pub(crate) Vec<Decision>);

/// A decision as it is shown.
#[derive(Serialize)]
pub(crate) struct Shown {
    pub(crate) topic: Topic,
    pub(crate) file: String,
    pub(crate) line: usize,
    pub(crate) what: String,
    pub(crate) choices: &'static str,
}

impl Decisions {
    pub(crate) fn add(
        &mut self,
        topic: Topic,
        view: &View<'_>,
        ty: &TypeDef,
        field: Option<&Field>,
        why: &str,
    ) {
        let decision = Decision {
            topic,
            krate: view.krate.name.clone(),
            ty: ty.name.clone(),
            module: view.tree.modules[ty.module].path.clone(),
            field: field.map(|field| field.name.clone()),
            why: why.to_owned(),
        };
        let is_known = self.0.iter().any(|known| {
            (&known.ty, &known.module, &known.field) == (&decision.ty, &decision.module, &decision.field)
                && known.topic == topic
        });
        if !is_known {
            self.0.push(decision);
        }
    }

    /// With the places that they have in the sources as they are now.
    pub(crate) fn shown(&self, view: &View<'_>, path: impl Fn(usize) -> String) -> Vec<Shown> {
        let here = self.0.iter().filter(|decision| decision.krate == view.krate.name);
        let located = here.filter_map(|decision| {
            let ty =
                view.model.types.iter().find(|ty| {
                    ty.name == decision.ty && view.tree.modules[ty.module].path == decision.module
                })?;
            let field =
                decision.field.as_ref().and_then(|name| ty.fields.iter().find(|field| field.name == *name));
            let at = field.map_or(ty.ident_at, |field| field.at);
            let name = match &decision.field {
                Some(field) => format!("{}.{field}", decision.ty),
                None => decision.ty.clone(),
            };
            Some(Shown {
                topic: decision.topic,
                file: path(at.file),
                line: at.line,
                what: format!("{name}: {}", decision.why),
                choices: decision.topic.choices(),
            })
        });
        located.collect()
    }
}
