//! `#[pyclass]` and `#[traversable]`: PyO3's attributes, and the derive.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::{Attribute, DeriveInput, Ident, Path};

use crate::attr::{self, ContainerAttrs};
use crate::errors::Errors;
use crate::rewrite::{Reader, rewrite};

const DERIVE: &str = "PyGcTraversable";

const USAGE: &str = "`gc` takes `false` here: `#[pyclass(gc = false)]` leaves the class to PyO3 and to hooks of your own; \
                     to use the derive, remove it";

/// `#[pyclass(…)]`. For `#[pyclass(frozen)] struct Node { #[pyo3(get, gc = false)] id: Id, … }`:
///
/// ```text
/// #[__private::pyclass(frozen)]
/// #[derive(PyGcTraversable)]
/// struct Node { #[pyo3(get)] #[__pyo3_gc(gc = false)] id: Id, … }
///
/// const _: () = {
///     use __private::NoHooks as _;
///     assert!(!<Node as PyGcTraversable>::MAY_CONTAIN_CYCLES || <__private::Hooks<Node>>::INSTALLED, "…");
/// };
/// ```
///
/// With `gc = false`, the class is what PyO3 makes of it.
pub(crate) fn pyclass(arguments: TokenStream, item: &TokenStream) -> TokenStream {
    // What isn't a struct or an enum is PyO3's to complain about.
    let Ok(mut item) = syn::parse2::<DeriveInput>(item.clone()) else {
        return quote!(#[::pyo3_gc::__private::pyclass(#arguments)] #item);
    };
    let krate = ContainerAttrs::krate_of(&item.attrs);
    let derives = item.attrs.iter().any(names_derive);
    let cfgs = attr::cfgs(&item.attrs);

    let errors = Errors::new();
    let (left_alone, theirs) = attr::parse_arguments(&errors, arguments, USAGE);
    if let (Some(key), true) = (left_alone, derives) {
        errors.at(
            key,
            "`gc = false` contradicts `#[derive(PyGcTraversable)]`: remove one; to leave out single fields, put \
             `#[pyo3(gc = false)]` on them",
        );
    }
    let pyclass = quote!(#[#krate::__private::pyclass(#(#theirs),*)]);
    let derive = (!derives).then(|| quote!(#[derive(#krate::PyGcTraversable)]));
    // PyO3 refuses parameters: nothing beside the class is to complain about them as well.
    let is_refused = !item.generics.params.is_empty();
    let ident = item.ident.clone();
    match errors.finish() {
        // The derive all the same: `#[pymethods]` would miss it. But hooks, if there are any, are nobody's business.
        Err(error) => {
            let error = error.to_compile_error();
            let unread = rewrite(&mut item, Reader::PyClass);
            quote!(#error #unread #pyclass #derive #item)
        }
        Ok(()) if left_alone.is_some() => {
            let errors = Errors::new();
            let krate = attr::take_from_left_alone(&errors, &mut item.attrs);
            let error = errors.finish().err().map(|error| error.to_compile_error());
            let unread = rewrite(&mut item, Reader::LeftAlone);
            let marker =
                (!is_refused).then(|| quote!(#(#cfgs)* impl #krate::__private::LeftAlone for #ident {}));
            quote!(#error #unread #pyclass #item #marker)
        }
        Ok(()) => {
            let unread = rewrite(&mut item, Reader::PyClass);
            let assertion = (!is_refused).then(|| assert_hooks(&ident, &krate, &cfgs));
            quote!(#unread #pyclass #derive #item #assertion)
        }
    }
}

/// Fails to compile where the class may hold references and its hooks are installed nowhere.
fn assert_hooks(ident: &Ident, krate: &Path, cfgs: &[Attribute]) -> TokenStream {
    let message = format!(
        "`{ident}` may hold Python references, but its garbage-collector hooks are installed nowhere: put \
         `#[pyo3_gc::pymethods]` on its `impl` block (an empty one will do: `#[pyo3_gc::pymethods] impl {ident} {{}}`)"
    );
    let assertion = quote_spanned! {ident.span()=>
        ::core::assert!(
            !<#ident as #krate::PyGcTraversable>::MAY_CONTAIN_CYCLES || <#krate::__private::Hooks<#ident>>::INSTALLED,
            "{}", #message
        );
    };
    quote! {
        #(#cfgs)*
        const _: () = {
            #[allow(unused_imports)]
            use #krate::__private::NoHooks as _;
            #assertion
        };
    }
}

/// `#[traversable]`: the derive, on an item whose `#[pyo3(…)]` other derives read.
pub(crate) fn traversable(arguments: &TokenStream, item: &TokenStream) -> TokenStream {
    let mut item = match syn::parse2::<DeriveInput>(item.clone()) {
        Ok(item) => item,
        Err(error) => {
            let error = error.to_compile_error();
            return quote!(#error #item);
        }
    };
    let error = (!arguments.is_empty()).then(|| {
        let message = "`#[traversable]` takes no arguments: options of the derive go into `#[pyo3_gc(...)]`";
        syn::Error::new_spanned(arguments, message).to_compile_error()
    });
    let krate = ContainerAttrs::krate_of(&item.attrs);
    let derive = (!item.attrs.iter().any(names_derive)).then(|| quote!(#[derive(#krate::PyGcTraversable)]));
    let unread = rewrite(&mut item, Reader::Derives);
    quote!(#error #unread #derive #item)
}

/// Whether the attribute is a `#[derive(…)]`, conditional or not, that names our derive.
fn names_derive(attribute: &Attribute) -> bool {
    let is_derive = attribute.path().is_ident("derive") || attribute.path().is_ident("cfg_attr");
    is_derive && attr::mentions(attribute.meta.to_token_stream(), &|ident| ident == DERIVE)
}
