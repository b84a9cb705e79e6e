//! The part of the expansion that lists the fields marked `hidden`, and asks the types of the others for theirs.
//!
//! For `struct Feed { #[pyo3_gc(hidden = "a closure")] sink: Sink, items: Vec<Item> }`:
//!
//! ```text
//! fn list_hidden(list: &mut HiddenFields) {
//!     let name = type_name::<Self>();
//!     if list.enter(name) {
//!         list.add(name, "sink", "a closure");
//!         <Vec<Item> as PyGcTraversable>::list_hidden(list);
//!     }
//! }
//! ```

use proc_macro2::TokenStream;
use quote::quote;

use crate::exclusion::is_probed;
use crate::model::{Container, Field, Shape};
use crate::names::{Paths, in_field, local};

pub(crate) fn method(container: &Container<'_>, paths: &Paths) -> TokenStream {
    let private = &paths.private;
    let (list, name) = (local("list"), local("name"));
    let named: Vec<_> = match &container.shape {
        Shape::Struct(fields) => fields.iter().map(|field| (field.name(), field)).collect(),
        Shape::Enum(variants) => variants
            .iter()
            .flat_map(|variant| {
                variant.fields.iter().map(|field| (format!("{}.{}", variant.ident, field.name()), field))
            })
            .collect(),
        Shape::Union(_) => Vec::new(),
    };
    let own = named.iter().filter_map(|(field_name, field)| {
        let reason = &field.attrs.hidden.as_ref()?.value;
        Some(quote!(#list.add(#name, #field_name, #reason);))
    });
    let mut asked: Vec<&Field<'_>> = Vec::new();
    for field in container.fields().filter(|field| field.is_traversed() && !is_probed(field, container)) {
        if !asked.iter().any(|known| known.ty == field.ty && known.with() == field.with()) {
            asked.push(field);
        }
    }
    let others = asked.into_iter().map(|field| {
        let method = in_field(field, false, paths, "list_hidden");
        quote!(#method(#list);)
    });
    quote! {
        fn list_hidden(#list: &mut #private::HiddenFields) {
            let #name = ::core::any::type_name::<Self>();
            if #list.enter(#name) {
                #(#own)*
                #(#others)*
            }
        }
    }
}
