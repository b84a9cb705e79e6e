/// For the examples: lets go of the object, and collects until no instance of its class is left.
fn assert_collected(object: Bound<'_, PyAny>) -> PyResult<()> {
    let (py, class) = (object.py(), object.get_type());
    drop(object);
    let gc = py.import("gc")?;
    // A collection does nothing while that of another thread is running.
    for _ in 0..100 {
        gc.call_method0("collect")?;
        let mut left = 0;
        for object in gc.call_method0("get_objects")?.try_iter()? {
            left += usize::from(object?.get_type().is(&class));
        }
        if left == 0 {
            return Ok(());
        }
        py.detach(|| std::thread::sleep(std::time::Duration::from_millis(10)));
    }
    panic!("it leaks")
}
