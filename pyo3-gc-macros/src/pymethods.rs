//! `#[pymethods]`: PyO3's attribute, and the hooks that the block doesn't define itself.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Ident, ImplItem, ImplItemFn, ItemImpl, Path, Type, parse_quote};

use crate::attr::{self, ContainerAttrs, PYO3_GC};

const TRAVERSE: &str = "__traverse__";
const CLEAR: &str = "__clear__";

/// `#[pymethods]`. For `impl Node { … }` without hooks:
///
/// ```text
/// #[private::pymethods]
/// impl Node {
///     …
///     fn __traverse__(&self, visit: PyVisit<'_>) -> TraverseResult {
///         use private::NoHooks as _;
///         <private::Hooks<Self>>::traverse(self, visit)
///     }
///     fn __clear__(slf: &Bound<'_, Self>) {
///         use private::NoHooks as _;
///         <private::Hooks<Self>>::clear(slf)
///     }
/// }
///
/// impl private::HasHooks for Node {}
///
/// const _: () = { … assert!(<private::Probe<Node>>::IS_TRAVERSABLE || <private::Hooks<Node>>::LEFT_ALONE, "…") };
/// ```
///
/// With the feature `multiple-pymethods`, `#[pyclass]` writes the hooks, and this adds nothing.
pub(crate) fn pymethods(arguments: &TokenStream, item: &TokenStream) -> TokenStream {
    // What isn't an impl block is PyO3's to complain about.
    let Ok(mut block) = syn::parse2::<ItemImpl>(item.clone()) else {
        return quote!(#[::pyo3_gc::private::pymethods(#arguments)] #item);
    };
    let krate = ContainerAttrs::krate_of(&block.attrs);
    block.attrs.retain(|attribute| !attribute.path().is_ident(PYO3_GC));
    let cfgs = attr::cfgs(&block.attrs);
    let defined = Defined { traverse: find(&block, TRAVERSE), clear: find(&block, CLEAR) };
    let assertion = assertion(&block.self_ty, &defined, &krate);

    let marker = if cfg!(feature = "multiple-pymethods") {
        TokenStream::new()
    } else {
        let [traverse, clear] = hooks(&krate);
        for (hook, by_hand) in [(traverse, &defined.traverse), (clear, &defined.clear)] {
            if let Some(hook) = complement(hook, by_hand.as_ref()) {
                block.items.push(ImplItem::Fn(hook));
            }
        }
        let class = &block.self_ty;
        quote!(#(#cfgs)* impl #krate::private::HasHooks for #class {})
    };
    let assertion = assertion.map(|assertion| {
        quote! {
            #(#cfgs)*
            const _: () = {
                #[allow(unused_imports)]
                use #krate::private::{NoHooks as _, NotTraversable as _};
                #assertion
            };
        }
    });
    quote! {
        #[#krate::private::pymethods(#arguments)]
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
        #[#krate::private::pymethods]
        impl #class {
            #traverse
            #clear
        }
    }
}

/// The hooks that the block defines by hand.
struct Defined {
    traverse: Option<ImplItemFn>,
    clear: Option<ImplItemFn>,
}

fn find(block: &ItemImpl, name: &str) -> Option<ImplItemFn> {
    block.items.iter().find_map(|item| match item {
        ImplItem::Fn(function) if function.sig.ident == name => Some(function.clone()),
        _ => None,
    })
}

fn hooks(krate: &Path) -> [ImplItemFn; 2] {
    let private = quote!(#krate::private);
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

/// Our hook, where there is none by hand: always, or while the `#[cfg(…)]` of that by hand doesn't hold.
fn complement(mut hook: ImplItemFn, by_hand: Option<&ImplItemFn>) -> Option<ImplItemFn> {
    let Some(by_hand) = by_hand else {
        return Some(hook);
    };
    let conditions: Vec<_> = attr::cfgs(&by_hand.attrs)
        .iter()
        .filter_map(|cfg| cfg.meta.require_list().ok().map(|list| list.tokens.clone()))
        .collect();
    if conditions.is_empty() {
        return None;
    }
    hook.attrs.push(parse_quote!(#[cfg(not(all(#(#conditions),*)))]));
    Some(hook)
}

/// Refuses hooks that would do nothing, or that are there twice.
fn assertion(class: &Type, defined: &Defined, krate: &Path) -> Option<TokenStream> {
    let traversable = quote!(<#krate::private::Probe<#class>>::IS_TRAVERSABLE);
    let left_alone = quote!(<#krate::private::Hooks<#class>>::LEFT_ALONE);
    let by_hand = defined.traverse.as_ref().or(defined.clear.as_ref());
    let (span, condition, message) = match (by_hand, &defined.traverse) {
        (Some(hook), _) if cfg!(feature = "multiple-pymethods") => (
            hook.sig.ident.span(),
            left_alone,
            "with the feature `multiple-pymethods`, `#[pyo3_gc::pyclass]` writes the hooks itself: remove this one, or \
             put `#[pyclass(gc = false)]` on the class",
        ),
        (None, _) if cfg!(feature = "multiple-pymethods") => return None,
        (Some(_), Some(_)) => return None,
        (Some(clear), None) => (
            clear.sig.ident.span(),
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
