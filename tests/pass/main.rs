//! The compiling twins of the files in `ui/`, each without its mistake. That they compile is the test.

#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::unnecessary_wraps,
    reason = "nothing here is called"
)]

mod bound {
    mod given_twice;
    mod not_in_scope;
    mod not_predicates;
    mod too_weak;
    mod without_quotes;
    mod without_value;
}
mod class {
    mod argument_contradicts_derive;
    mod argument_parenthesised;
    mod argument_true;
    mod in_quotes;
    mod parenthesised;
    mod unneeded_false;
    mod without_hooks;
    mod without_impl;
}
mod field {
    mod argument_without_impl;
    mod bound;
    mod closure;
    mod function_over_references;
    mod py_err;
    mod undeclared_trait_object;
    mod without_impl;
    mod without_impl_in_variant;
    mod without_impl_inside;
    mod without_impl_twice;
}
mod gc {
    mod equals_nothing;
    mod false_and_skip;
    mod given_twice;
    mod given_twice_apart;
    mod in_our_attribute;
    mod in_quotes;
    mod on_container;
    mod on_variant;
    mod parenthesised;
    mod true_and_skip;
    mod unneeded_false;
    mod unneeded_in_generic;
    mod unneeded_in_variant;
    mod unneeded_skip;
    mod unneeded_twice;
    mod unneeded_with_parameter;
    mod without_equals;
    mod without_value;
}
mod keys {
    mod clear_in_quotes;
    mod clear_twice;
    mod clear_without_value;
    mod container_key_on_field;
    mod container_key_on_variant;
    mod field_key_on_variant;
    mod field_keys_on_container;
    mod gc_false_and_clear;
    mod name_value;
    mod no_comma;
    mod not_a_key;
    mod recursive_with_value;
    mod skip_and_clear;
    mod skip_and_recursive;
    mod skip_equals_nothing;
    mod skip_twice;
    mod skip_with_value;
    mod unknown_on_container;
    mod unknown_on_field;
    mod unknown_on_variant;
    mod without_parentheses;
}
mod krate {
    mod not_a_path;
    mod without_quotes;
    mod without_value;
    mod wrong_path;
}
mod recursion {
    mod mutual;
}
mod several {
    mod in_one_enum;
    mod in_one_struct;
    mod types_without_impl;
    mod unneeded_used_elsewhere;
    mod used_elsewhere;
    mod without_impl_used_elsewhere;
}
mod shape {
    mod packed;
    mod packed_with_alignment;
    mod union;
}
mod with {
    mod and_recursive;
    mod and_skip;
    mod call;
    mod in_quotes;
    mod not_a_path;
    mod not_found;
    mod parenthesised;
    mod without_clear;
    mod without_traverse;
    mod without_value;
    mod wrong_signature;
    mod wrong_type;
}

fn main() {}
