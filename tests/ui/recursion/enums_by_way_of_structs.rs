//! Two enums that hold each other by way of structs, without a mark: the first line says what to do.

#[derive(pyo3_gc::PyGcTraversable)]
enum Statement {
    Block(Vec<Statement>),
    Return(Return),
    Drop(Drop),
}

#[derive(pyo3_gc::PyGcTraversable)]
struct Return(Option<Box<Expression>>); //~ mistake

#[derive(pyo3_gc::PyGcTraversable)]
struct Drop(Box<Expression>);

#[derive(pyo3_gc::PyGcTraversable)]
enum Expression {
    Number(u8),
    Closure(Closure),
}

#[derive(pyo3_gc::PyGcTraversable)]
struct Closure(Vec<Statement>);

const CYCLES: bool = <Statement as pyo3_gc::PyGcTraversable>::MAY_CONTAIN_CYCLES;

fn main() {}

//~ fix: enum Expression => #[pyo3_gc(recursive)] enum Expression
