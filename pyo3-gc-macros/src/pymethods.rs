//! `#[pymethods]`: PyO3's attribute, and the hooks that the block doesn't define itself.

use std::mem;

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, FnArg, Ident, ImplItem, ImplItemFn, ItemImpl, Path, parse_quote};

use crate::attr;
use crate::errors::Errors;

const TRAVERSE: &str = "__traverse__";
const CLEAR: &str = "__clear__";

/// `#[pymethods]`. For `impl Node { … }` without hooks:
///
/// ```text
/// #[__private::pymethods]
/// impl Node {
///     …
///     fn __traverse__(&self, visit: PyVisit<'_>) -> TraverseResult {
///         use __private::NoHooks as _;
///         <__private::Hooks<Self>>::traverse(self, visit)
///     }
///     fn __clear__(slf: &Bound<'_, Self>) {
///         use __private::NoHooks as _;
///         <__private::Hooks<Self>>::clear(slf)
///     }
/// }
///
/// impl __private::HasHooks for Node {}
///
/// const _: () = { … assert!(<__private::Probe<Node>>::IS_TRAVERSABLE || <__private::Hooks<Node>>::LEFT_ALONE, "…") };
/// ```
///
/// With the feature `multiple-pymethods`, `#[pyclass]` writes the hooks, and this adds nothing.
pub(crate) fn pymethods(arguments: &TokenStream, item: &TokenStream) -> TokenStream {
    // What isn't an impl block is PyO3's to complain about.
    let Ok(mut block) = syn::parse2::<ItemImpl>(item.clone()) else {
        return quote!(#[::pyo3_gc::__private::pymethods(#arguments)] #item);
    };
    let errors = Errors::new();
    let krate = attr::take_from_impl(&errors, &mut block.attrs);
    let errors = errors.finish().err().map(|error| error.to_compile_error());
    let cfgs = attr::cfgs(&block.attrs);
    let assertion = assertion(&mut block, &krate);

    let marker = if cfg!(feature = "multiple-pymethods") {
        TokenStream::new()
    } else {
        let [traverse, clear] = hooks(&krate);
        install_traverse(&mut block, traverse);
        install_clear(&mut block, clear);
        let class = &block.self_ty;
        quote!(#(#cfgs)* impl #krate::__private::HasHooks for #class {})
    };
    let assertion = assertion.map(|assertion| {
        quote! {
            #(#cfgs)*
            const _: () = {
                #[allow(unused_imports)]
                use #krate::__private::{NoHooks as _, NotTraversable as _};
                #assertion
            };
        }
    });
    quote! {
        #errors
        #[#krate::__private::pymethods(#arguments)]
        #block
        #marker
        #assertion
    }
}

/// The block that `#[pyclass]` writes where a class may have several.
pub(crate) fn block_of_hooks(class: &Ident, krate: &Path, cfgs: &[Attribute]) -> TokenStream {
    let [traverse, clear] = hooks(krate);
    quote! {
        #(#cfgs)*
        #[#krate::__private::pymethods]
        impl #class {
            #traverse
            #clear
        }

        #(#cfgs)*
        impl #krate::__private::HasHooks for #class {}
    }
}

/// The methods of a name: several, if each has its `#[cfg(…)]`.
fn find<'a>(block: &'a mut ItemImpl, name: &str) -> Vec<&'a mut ImplItemFn> {
    let named = |item: &'a mut ImplItem| match item {
        ImplItem::Fn(method) if method.sig.ident == name => Some(method),
        _ => None,
    };
    block.items.iter_mut().filter_map(named).collect()
}

fn hooks(krate: &Path) -> [ImplItemFn; 2] {
    let private = quote!(#krate::__private);
    [
        parse_quote! {
            fn __traverse__(&self, visit: #private::PyVisit<'_>) -> #private::TraverseResult {
                #[allow(unused_imports)]
                use #private::NoHooks as _;
                <#private::Hooks<Self>>::traverse(self, visit)
            }
        },
        parse_quote! {
            fn __clear__(slf: &#private::Bound<'_, Self>) {
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
    let by_hand = find(block, CLEAR);
    if !by_hand.is_empty() {
        let conditions: Option<Vec<_>> = by_hand.iter().map(|method| condition(method)).collect();
        let Some(conditions) = conditions else {
            return;
        };
        hook.attrs.push(parse_quote!(#[cfg(not(any(#(#conditions),*)))]));
    }
    block.items.push(ImplItem::Fn(hook));
}

/// When a method is there, if not always.
fn condition(method: &ImplItemFn) -> Option<TokenStream> {
    let conditions: Vec<_> = attr::cfgs(&method.attrs)
        .iter()
        .filter_map(|cfg| cfg.meta.require_list().ok().map(|list| list.tokens.clone()))
        .collect();
    (!conditions.is_empty()).then(|| quote!(all(#(#conditions),*)))
}

/// Refuses hooks that would do nothing, or that are there twice.
fn assertion(block: &mut ItemImpl, krate: &Path) -> Option<TokenStream> {
    let class = block.self_ty.clone();
    let traversable = quote!(<#krate::__private::Probe<#class>>::IS_TRAVERSABLE);
    let installed = quote!(<#krate::__private::Hooks<#class>>::INSTALLED);
    let left_alone = quote!(<#krate::__private::Hooks<#class>>::LEFT_ALONE);
    let [traverse, clear] =
        [TRAVERSE, CLEAR].map(|hook| find(block, hook).first().map(|hook| hook.sig.ident.span()));
    let (span, condition, message) = match (traverse.or(clear), traverse) {
        (Some(hook), _) if cfg!(feature = "multiple-pymethods") => (
            hook,
            quote!(!#installed),
            "with the feature `multiple-pymethods`, `#[pyo3_gc::pyclass]` writes the hooks itself: remove this one, or \
             put `#[pyclass(gc = false)]` on the class",
        ),
        (None, _) if cfg!(feature = "multiple-pymethods") => (
            class.span(),
            quote!(#installed || #left_alone),
            "with the feature `multiple-pymethods`, `#[pyo3_gc::pyclass]` writes the hooks, and this class has another \
             `#[pyclass]`: use that one, or hooks by hand and PyO3's own `#[pymethods]`",
        ),
        (Some(_), Some(_)) => return None,
        (Some(clear), None) => (
            clear,
            traversable,
            "`__clear__` without `__traverse__` is never called, since the collector doesn't find the cycles that it \
             would break: define `__traverse__` too, or remove `gc = false` from the class",
        ),
        (None, _) => (
            class.span(),
            quote!(#traversable || #left_alone),
            "the class doesn't implement `PyGcTraversable`, so that its hooks would do nothing: use \
             `#[pyo3_gc::pyclass]`, or put `#[derive(PyGcTraversable)]` on it",
        ),
    };
    Some(quote_spanned!(span=> ::core::assert!(#condition, "{}", #message);))
}
