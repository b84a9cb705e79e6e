//! `#[pymethods]`: PyO3's attribute, and the hooks that the block doesn't define itself.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem;

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::{FnArg, Ident, ImplItem, ImplItemFn, ItemImpl, LitStr, Meta, Path, parse_quote};

use crate::attr::{self, PYO3};
use crate::errors::Errors;
use crate::meta::{entry, parse, split_at_commas};

const TRAVERSE: &str = "__traverse__";
const CLEAR: &str = "__clear__";

const USAGE: &str = "`gc` takes `false` here: `#[pymethods(gc = false)]` installs no garbage-collector hooks; to have them, \
                     remove it";

/// `#[pymethods]`. For `impl Node { … }` without hooks:
///
/// ```text
/// impl __private::BothInstallHooks_WritePymethodsGcFalseOnOne for Node {}
///
/// #[__private::pymethods]
/// impl Node {
///     …
///     #[pyo3(name = "__traverse__")]
///     fn __pyo3_gc_traverse_1a2b(&self, visit: PyVisit<'_>) -> TraverseResult {
///         use __private::NoHooks as _;
///         <__private::Hooks<Self>>::traverse(self, visit)
///     }
///     #[pyo3(name = "__clear__")]
///     fn __pyo3_gc_clear_1a2b(slf: &Bound<'_, Self>) {
///         use __private::NoHooks as _;
///         <__private::Hooks<Self>>::clear(slf)
///     }
/// }
///
/// const _: () = { … assert!(<__private::Probe<Node>>::IS_TRAVERSABLE, "…") };
/// ```
///
/// Where two blocks of a class install hooks, rustc reports the marker's conflict first, since it comes first.
///
/// With `gc = false` the block is PyO3's, but for the marker if it has a `__traverse__`. So is one that PyO3 refuses.
pub(crate) fn pymethods(arguments: &TokenStream, item: &TokenStream) -> TokenStream {
    // What isn't an impl block is PyO3's to complain about.
    let Ok(mut block) = syn::parse2::<ItemImpl>(item.clone()) else {
        return quote!(#[::pyo3_gc::__private::pymethods(#arguments)] #item);
    };
    let errors = Errors::new();
    let krate = attr::take_from_impl(&errors, &mut block.attrs);
    let (without_hooks, theirs) = attr::parse_arguments(&errors, arguments.clone(), USAGE);
    let errors = errors.finish().err().map(|error| error.to_compile_error());
    let cfgs = attr::cfgs(&block.attrs);

    let class = block.self_ty.clone();
    let marker = quote!(impl #krate::__private::BothInstallHooks_WritePymethodsGcFalseOnOne for #class {});
    let (marker, assertions) = if !block.generics.params.is_empty() {
        (None, Vec::new())
    } else if errors.is_some() || block.trait_.is_some() {
        // One error is enough: nobody is to miss the hooks.
        (Some(marker), Vec::new())
    } else if without_hooks.is_some() {
        let by_hand = conditions(&find(&mut block, TRAVERSE));
        (by_hand.map(|condition| quote!(#[cfg(#condition)] #marker)), Vec::new())
    } else {
        let assertions = assertions(&mut block, &krate);
        let [traverse, clear] = hooks(&block, &krate, &theirs);
        install_traverse(&mut block, traverse);
        install_clear(&mut block, clear);
        (Some(marker), assertions)
    };
    let assertions = (!assertions.is_empty()).then(|| {
        quote! {
            #(#cfgs)*
            const _: () = {
                #[allow(unused_imports)]
                use #krate::__private::{NoHooks as _, NotTraversable as _};
                #(#assertions)*
            };
        }
    });
    let marker = marker.map(|marker| quote!(#(#cfgs)* #marker));
    quote! {
        #errors
        #marker
        #[#krate::__private::pymethods(#(#theirs),*)]
        #block
        #assertions
    }
}

/// The methods that Python knows by a name: several, if each has its `#[cfg(…)]`.
fn find<'a>(block: &'a mut ItemImpl, name: &str) -> Vec<&'a mut ImplItemFn> {
    let named = |item: &'a mut ImplItem| match item {
        ImplItem::Fn(method) if python_name(method) == name => Some(method),
        _ => None,
    };
    block.items.iter_mut().filter_map(named).collect()
}

/// The method's name, or that in its `#[pyo3(name = "…")]`.
fn python_name(method: &ImplItemFn) -> String {
    let lists = method.attrs.iter().filter_map(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident(PYO3) => Some(list.tokens.clone()),
        _ => None,
    });
    let given = lists.flat_map(split_at_commas).find_map(|tokens| {
        let entry = entry.parse2(tokens).ok().filter(|entry| entry.key == "name")?;
        parse::<LitStr>(&entry.value, "").ok()
    });
    given.map_or_else(|| method.sig.ident.unraw().to_string(), |name| name.value())
}

/// Rust knows them by names that no other `impl` of the class has: not a plain one with a helper called `__traverse__`, and
/// not another block of ours, whose mistake would be followed by an error for each use of an ambiguous name.
fn hooks(block: &ItemImpl, krate: &Path, arguments: &[TokenStream]) -> [ImplItemFn; 2] {
    let mut place = DefaultHasher::new();
    format!("{:?}", block.impl_token.span).hash(&mut place);
    let place = place.finish();
    // With an argument that PyO3 doesn't know, it hands the block back as it is, so that rustc would see the attribute.
    let is_read = arguments.iter().all(|argument| argument.to_string().starts_with("crate"));
    let [(traverse, traverse_name), (clear, clear_name)] = [TRAVERSE, CLEAR].map(|name| {
        if is_read {
            let ident = format_ident!("__pyo3_gc_{}_{place:x}", name.trim_matches('_'));
            (ident, Some(quote!(#[pyo3(name = #name)])))
        } else {
            (format_ident!("{name}"), None)
        }
    });
    let private = quote!(#krate::__private);
    [
        parse_quote! {
            #traverse_name
            fn #traverse(&self, visit: #private::PyVisit<'_>) -> #private::TraverseResult {
                #[allow(unused_imports)]
                use #private::NoHooks as _;
                <#private::Hooks<Self>>::traverse(self, visit)
            }
        },
        parse_quote! {
            #clear_name
            fn #clear(slf: &#private::Bound<'_, Self>) {
                #[allow(unused_imports)]
                use #private::NoHooks as _;
                <#private::Hooks<Self>>::clear(slf);
            }
        },
    ]
}

/// Where that by hand is conditional, one method stands for both, since PyO3 0.30 overlooks its `#[cfg(…)]`:
///
/// ```text
/// fn __traverse__(&self, __pyo3_gc_visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
///     #[cfg(all(…))]
///     { let visit = __pyo3_gc_visit; … }
///     #[cfg(not(all(…)))]
///     { … }
/// }
/// ```
fn install_traverse(block: &mut ItemImpl, hook: ImplItemFn) {
    let mut by_hand = find(block, TRAVERSE);
    let by_hand = match by_hand.as_mut_slice() {
        [] => return block.items.push(ImplItem::Fn(hook)),
        [by_hand] => by_hand,
        // For PyO3 to take or to refuse.
        [..] => return,
    };
    let (Some(condition), Some(FnArg::Typed(argument))) = (condition(by_hand), by_hand.sig.inputs.last_mut())
    else {
        return;
    };
    let visit = Ident::new("__pyo3_gc_visit", argument.span());
    let pattern = mem::replace(&mut argument.pat, parse_quote!(#visit));
    let body = &by_hand.block;
    let ours = &hook.block;
    by_hand.block = parse_quote!({
        #[cfg(#condition)]
        { let #pattern = #visit; #body }
        #[cfg(not(#condition))]
        { let visit = #visit; #ours }
    });
    by_hand.attrs.retain(|attribute| !attribute.path().is_ident("cfg"));
}

/// Where those by hand are conditional, ours stands beside them under the opposite condition.
fn install_clear(block: &mut ItemImpl, mut hook: ImplItemFn) {
    if let Some(condition) = conditions(&find(block, CLEAR)) {
        hook.attrs.push(parse_quote!(#[cfg(not(#condition))]));
    }
    block.items.push(ImplItem::Fn(hook));
}

/// When any of the methods is there; `None` if there are none. `any()` is never, and `all()` always.
fn conditions(methods: &[&mut ImplItemFn]) -> Option<TokenStream> {
    let conditions = methods.iter().map(|method| condition(method).unwrap_or_else(|| quote!(all())));
    (!methods.is_empty()).then(|| quote!(any(#(#conditions),*)))
}

/// When a method is there, if not always.
fn condition(method: &ImplItemFn) -> Option<TokenStream> {
    let conditions: Vec<_> = attr::cfgs(&method.attrs)
        .iter()
        .filter_map(|cfg| cfg.meta.require_list().ok().map(|list| list.tokens.clone()))
        .collect();
    (!conditions.is_empty()).then(|| quote!(all(#(#conditions),*)))
}

/// Refuses hooks that would do nothing.
fn assertions(block: &mut ItemImpl, krate: &Path) -> Vec<TokenStream> {
    let class = block.self_ty.clone();
    let traversable = quote!(<#krate::__private::Probe<#class>>::IS_TRAVERSABLE);
    let left_alone = quote!(<#krate::__private::Hooks<#class>>::LEFT_ALONE);
    let assert = |span: Span, condition: &TokenStream, message: &str| quote_spanned!(span=> ::core::assert!(#condition, "{}", #message););
    let [traverse, clear] =
        [TRAVERSE, CLEAR].map(|hook| find(block, hook).first().map(|hook| hook.sig.ident.span()));
    match (traverse, clear) {
        (Some(_), _) => Vec::new(),
        (None, Some(clear)) => vec![assert(
            clear,
            &traversable,
            "`__clear__` without `__traverse__` is never called, since the collector doesn't find the cycles that it \
             would break: define `__traverse__` too, or remove `gc = false` from the class",
        )],
        (None, None) => vec![
            assert(
                class.span(),
                &quote!(#traversable || !#left_alone),
                "the class has `#[pyclass(gc = false)]`, and this block would install garbage-collector hooks that do \
                 nothing: write `#[pymethods(gc = false)]`, or write `__traverse__` and `__clear__` by hand",
            ),
            assert(
                class.span(),
                &quote!(#traversable || #left_alone),
                "the class doesn't implement `PyGcTraversable`, so that its hooks would do nothing: use \
                 `#[pyo3_gc::pyclass]`, or put `#[derive(PyGcTraversable)]` on it",
            ),
        ],
    }
}
