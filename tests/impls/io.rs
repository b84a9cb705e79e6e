//! Readers and writers around others: visited and let go of through what they wrap.

use std::io::{self, BufReader, BufWriter, Cursor, LineWriter, Read, Take, Write};

use pyo3::prelude::*;
use pyo3_gc::PyGcTraversable;

use crate::support::field::field_tests;

/// A file of Python's, say.
#[derive(PyGcTraversable)]
struct FileLike(Option<Py<PyAny>>);

impl Read for FileLike {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        io::repeat(0).read(buffer)
    }
}

impl Write for FileLike {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

field_tests!(LetsGo {
    buf_reader: BufReader<FileLike> = |own| BufReader::new(FileLike(Some(own())));
    buf_reader_in_the_middle: BufReader<FileLike> = |own| {
        let mut reader = BufReader::new(FileLike(Some(own())));
        reader.read_exact(&mut [0; 3]).unwrap();
        reader
    };
    buf_writer: BufWriter<FileLike> = |own| {
        let mut writer = BufWriter::new(FileLike(Some(own())));
        writer.write_all(b"abc").unwrap();
        writer
    };
    line_writer: LineWriter<FileLike> = |own| LineWriter::new(FileLike(Some(own())));
    cursor: Cursor<Vec<Py<PyAny>>> = |own| Cursor::new(vec![own(), own()]);
    take: Take<BufReader<FileLike>> = |own| BufReader::new(FileLike(Some(own()))).take(10);
});
