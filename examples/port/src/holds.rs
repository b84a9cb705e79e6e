//! Whether a type owns Python references, by its name and by those of its fields.

use syn::{GenericArgument, PathArguments, ReturnType, Type, TypeParamBound};

use crate::known::{CONTAINERS, HIDING, LEAVES, OWNERS, VALUE_CRATES, VALUES};
use crate::model::{Field, Model, TypeDef};
use crate::names::{Names, plain};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Holds {
    No,
    /// Types that can't be looked into.
    Maybe(Vec<String>),
    /// By way of which field.
    Yes(String),
}

impl Holds {
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Yes(by), _) | (_, Self::Yes(by)) => Self::Yes(by),
            (Self::Maybe(mut one), Self::Maybe(other)) => {
                one.extend(other);
                one.sort();
                one.dedup();
                Self::Maybe(one)
            }
            (Self::No, other) | (other, Self::No) => other,
        }
    }
}

pub(crate) struct Holdings<'a> {
    model: &'a Model,
    names: &'a Names<'a>,
    /// Of each type of the model.
    known: Vec<Holds>,
    /// Which of its parameters each type of the model owns.
    owned: Vec<Vec<bool>>,
}

impl<'a> Holdings<'a> {
    pub(crate) fn new(model: &'a Model, names: &'a Names<'a>) -> Self {
        let owned = model.types.iter().map(|ty| vec![false; ty.parameters.len()]).collect();
        let mut holdings = Self { model, names, known: vec![Holds::No; model.types.len()], owned };
        holdings.find_owned();
        // Types name each other, so the answers grow until nothing changes: the least fixed point.
        loop {
            let next: Vec<_> = model
                .types
                .iter()
                .zip(&holdings.known)
                .map(|(ty, known)| match known {
                    Holds::Yes(_) => known.clone(),
                    _ => holdings.over_fields(ty),
                })
                .collect();
            if next == holdings.known {
                return holdings;
            }
            holdings.known = next;
        }
    }

    /// The parameters that stand in a field, but for those behind a pointer or in a `PhantomData`.
    fn find_owned(&mut self) {
        loop {
            let owns = |ty: &TypeDef, name: &String| {
                ty.fields.iter().any(|field| self.owns_parameter(&field.ty, ty.module, name))
            };
            let next: Vec<Vec<_>> = self
                .model
                .types
                .iter()
                .map(|ty| ty.parameters.iter().map(|name| owns(ty, name)).collect())
                .collect();
            if next == self.owned {
                return;
            }
            self.owned = next;
        }
    }

    fn owns_parameter(&self, ty: &Type, module: usize, name: &String) -> bool {
        let owns = |ty: &Type| self.owns_parameter(ty, module, name);
        match ty {
            Type::Array(array) => owns(&array.elem),
            Type::Slice(slice) => owns(&slice.elem),
            Type::Paren(paren) => owns(&paren.elem),
            Type::Group(group) => owns(&group.elem),
            Type::Tuple(tuple) => tuple.elems.iter().any(owns),
            Type::Path(path) => {
                let segments: Vec<_> =
                    path.path.segments.iter().map(|segment| plain(&segment.ident)).collect();
                let Some(last) = path.path.segments.last() else { return false };
                if segments[0] == *name {
                    return true;
                }
                let absolute = self.names.absolute(module, &segments, 0);
                let inner = arguments_of(&last.arguments).enumerate();
                match self.local(module, &segments, absolute.as_deref()) {
                    Some(Local::Type(index)) => {
                        let owned = &self.owned[index];
                        inner
                            .into_iter()
                            .any(|(at, ty)| owned.get(at).copied().unwrap_or_default() && owns(ty))
                    }
                    _ => {
                        !LEAVES.contains(&segments[segments.len() - 1].as_str())
                            && inner.into_iter().any(|(_, ty)| owns(ty))
                    }
                }
            }
            _ => false,
        }
    }

    /// Over all fields that don't say themselves that they are to be left out.
    pub(crate) fn of_type(&self, ty: &TypeDef) -> Holds {
        let index = self.model.types.iter().position(|other| std::ptr::eq(other, ty));
        index.map_or(Holds::No, |index| self.known[index].clone())
    }

    fn over_fields(&self, definition: &TypeDef) -> Holds {
        definition.fields.iter().map(|field| self.of_field(field, definition)).fold(Holds::No, Holds::or)
    }

    pub(crate) fn of_field(&self, field: &Field, owner: &TypeDef) -> Holds {
        match self.of(&field.ty, owner.module, &owner.parameters) {
            _ if field.is_excluded => Holds::No,
            Holds::Yes(by) if by.is_empty() => Holds::Yes(field.name.clone()),
            Holds::Yes(by) => Holds::Yes(format!("{}.{by}", field.name)),
            other => other,
        }
    }

    pub(crate) fn of(&self, ty: &Type, module: usize, parameters: &[String]) -> Holds {
        let of = |ty: &Type| self.of(ty, module, parameters);
        match ty {
            Type::Array(array) => of(&array.elem),
            Type::Slice(slice) => of(&slice.elem),
            Type::Paren(paren) => of(&paren.elem),
            Type::Group(group) => of(&group.elem),
            Type::Tuple(tuple) => tuple.elems.iter().map(of).fold(Holds::No, Holds::or),
            Type::Path(path) if path.qself.is_none() => self.of_path(&path.path, module, parameters),
            Type::TraitObject(object) => {
                let closure = object.bounds.iter().any(|bound| match bound {
                    TypeParamBound::Trait(bound) => bound
                        .path
                        .segments
                        .last()
                        .is_some_and(|last| last.ident.to_string().starts_with("Fn")),
                    _ => false,
                });
                Holds::Maybe(vec![if closure { "a closure".to_owned() } else { written(ty) }])
            }
            Type::Reference(_) | Type::Ptr(_) | Type::BareFn(_) | Type::Never(_) => Holds::No,
            other => Holds::Maybe(vec![written(other)]),
        }
    }

    fn of_path(&self, path: &syn::Path, module: usize, parameters: &[String]) -> Holds {
        let segments: Vec<_> = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        let Some(last) = path.segments.last() else { return Holds::No };
        let arguments = || {
            arguments_of(&last.arguments).map(|ty| self.of(ty, module, parameters)).fold(Holds::No, Holds::or)
        };
        if parameters.contains(&segments[0]) {
            // What it is, the type's user says.
            return if segments.len() == 1 { Holds::No } else { Holds::Maybe(vec![segments.join("::")]) };
        }
        let absolute = self.names.absolute(module, &segments, 0);
        if let Some(local) = self.local(module, &segments, absolute.as_deref()) {
            return match local {
                Local::Type(index) => {
                    let owned =
                        arguments_of(&last.arguments).zip(&self.owned[index]).filter(|(_, owned)| **owned);
                    let owned =
                        owned.map(|(ty, _)| self.of(ty, module, parameters)).fold(Holds::No, Holds::or);
                    self.known[index].clone().or(owned)
                }
                Local::Alias(index) => {
                    let alias = &self.model.aliases[index];
                    self.of(&alias.ty, alias.module, &alias.parameters).or(arguments())
                }
            };
        }
        let full = absolute.unwrap_or(segments);
        let name = full.last().map_or("", String::as_str);
        if OWNERS.contains(&name) && full[0] != "std" && full[0] != "core" {
            return Holds::Yes(String::new());
        }
        if LEAVES.contains(&name)
            || VALUES.contains(&name)
            || (full.len() > 1 && VALUE_CRATES.contains(&full[0].as_str()))
        {
            return Holds::No;
        }
        if CONTAINERS.contains(&name) || full[0] == "std" || full[0] == "core" {
            return arguments();
        }
        arguments().or(Holds::Maybe(vec![full.join("::")]))
    }

    /// What of this crate a path names.
    pub(crate) fn local(
        &self,
        module: usize,
        segments: &[String],
        absolute: Option<&[String]>,
    ) -> Option<Local> {
        if absolute.is_some_and(|path| path[0] != "crate") {
            return None;
        }
        let name = absolute.and_then(|path| path.last()).or(segments.last())?;
        let at = absolute.and_then(|path| self.names.module_at(&path[..path.len() - 1])).unwrap_or(module);
        let types = self.model.types.iter().map(|ty| (&ty.name, ty.module)).enumerate();
        let aliases = self.model.aliases.iter().map(|alias| (&alias.name, alias.module)).enumerate();
        let all = types
            .map(|(index, found)| (Local::Type(index), found))
            .chain(aliases.map(|(index, found)| (Local::Alias(index), found)))
            .filter(|(_, (found, _))| *found == name);
        let all: Vec<_> = all.collect();
        let here = all.iter().find(|(_, (_, module))| *module == at);
        // A name of one segment that no `use` explains may come from anywhere in the crate.
        let is_open =
            absolute.is_none() && !CONTAINERS.contains(&name.as_str()) && !OWNERS.contains(&name.as_str());
        here.or(all.first().filter(|_| is_open || absolute.is_some())).map(|(local, _)| *local)
    }

    /// Whether a type of that name implements the trait if its arguments do.
    pub(crate) fn is_transparent(name: &syn::Ident) -> bool {
        CONTAINERS.iter().any(|container| name == container) && !HIDING.iter().any(|hiding| name == hiding)
    }

    /// A type of this crate by the name that a field gives it.
    pub(crate) fn definition(&self, ty: &Type, module: usize) -> Option<&'a TypeDef> {
        let Type::Path(path) = ty else { return None };
        let segments: Vec<_> = path.path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        let absolute = self.names.absolute(module, &segments, 0);
        match self.local(module, &segments, absolute.as_deref())? {
            Local::Type(index) => Some(&self.model.types[index]),
            Local::Alias(_) => None,
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Local {
    Type(usize),
    Alias(usize),
}

pub(crate) fn arguments_of(arguments: &PathArguments) -> Box<dyn Iterator<Item = &Type> + '_> {
    match arguments {
        PathArguments::AngleBracketed(arguments) => {
            Box::new(arguments.args.iter().filter_map(|argument| match argument {
                GenericArgument::Type(ty) => Some(ty),
                _ => None,
            }))
        }
        PathArguments::Parenthesized(arguments) => match &arguments.output {
            ReturnType::Type(_, ty) => Box::new(arguments.inputs.iter().chain([&**ty])),
            ReturnType::Default => Box::new(arguments.inputs.iter()),
        },
        PathArguments::None => Box::new(std::iter::empty()),
    }
}

/// A type as one would write it.
pub(crate) fn written(ty: &impl quote::ToTokens) -> String {
    let text = ty.to_token_stream().to_string();
    let mut tidy = text
        .replace(" :: ", "::")
        .replace(":: ", "::")
        .replace(" < ", "<")
        .replace("< ", "<")
        .replace(" <", "<");
    for (from, to) in
        [(" > ", ">"), (" >", ">"), (" ,", ","), ("& ", "&"), ("( ", "("), (" )", ")"), (">+", "> +")]
    {
        tidy = tidy.replace(from, to);
    }
    tidy.trim_start_matches("::").to_owned()
}
