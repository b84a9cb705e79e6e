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
    mod argument_in_quotes;
    mod argument_parenthesised;
    mod argument_true;
    mod argument_twice;
    mod argument_without_value;
    mod bound_on_methods;
    mod clear_without_traverse;
    mod conditional_gc_and_get;
    mod conditional_get;
    mod derive_above;
    mod enum_pyo3_pymethods;
    mod enum_without_hooks;
    mod gc_on_class;
    mod gc_on_variant;
    mod hooks_outside_of_methods;
    mod in_quotes;
    mod left_alone_and_bound;
    mod left_alone_and_conditional_gc;
    mod left_alone_and_conditional_get;
    mod left_alone_and_gc;
    mod left_alone_and_gc_on_class;
    mod left_alone_and_skip;
    mod nested_pyo3_pymethods;
    mod nested_without_hooks;
    mod parenthesised;
    mod pyo3_pyclass;
    mod pyo3_pymethods;
    mod unknown_key_on_methods;
    mod unneeded_false;
    mod without_hooks;
    mod without_impl;
}
mod dynamic {
    mod field_without_supertrait;
    mod implementor_without_impl;
    mod without_supertrait;
}
mod field {
    mod argument_without_impl;
    mod bound;
    mod closure;
    mod function_over_references;
    mod function_over_references_below_others;
    mod persistent_collection;
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
    mod skip_and_with_and_recursive;
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
mod pyo3 {
    mod argument_of_methods;
    mod class_on_function;
    mod class_on_union;
    mod generic_class;
    mod generic_class_left_alone;
    mod methods_on_struct;
    mod new_of_another_type;
    mod returned_type;
    mod unknown_argument;
    mod unknown_argument_beside_gc;
    mod unknown_key;
    mod unknown_key_beside_gc;
    mod wrong_signature;
    mod wrong_signature_of_hook;
}
mod recursion {
    mod mutual;
    mod without_impl;
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
mod traversable {
    mod derive_above;
    mod on_function;
    mod unneeded_false;
    mod with_argument;
    mod without_impl;
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
