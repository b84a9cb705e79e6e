//! Readers and writers around others.

use std::io::{BufReader, BufWriter, Cursor, LineWriter, Take, Write};

use super::wrapper;

wrapper!(impl[] Cursor<T>);
wrapper!(impl[] Take<T>);
wrapper!(impl[+ ?Sized] BufReader<T>);
wrapper!(impl[+ ?Sized + Write] BufWriter<T>);
wrapper!(impl[+ Write] LineWriter<T>);
