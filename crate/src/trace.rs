// What heapglass/attach calls of a program that records its heap. Rust exports these from the program; of a C archive's functions it
// exports none, hence the second names.
//
// With the feature lossless a full ring calls the import heapglass.drain; without it, what is not read in time is lost.

extern "C" {
    fn hg_trace_ring() -> usize;
    fn hg_trace_start(mode: u32);
    fn hg_trace_snapshot();
    fn hg_trace_checkpoint(heap: usize);
}

#[no_mangle]
extern "C" fn heapglass_trace_ring() -> usize {
    unsafe { hg_trace_ring() }
}

#[no_mangle]
extern "C" fn heapglass_trace_start(mode: u32) {
    #[cfg(feature = "lossless")]
    lossless::hook();
    unsafe { hg_trace_start(mode) }
}

#[no_mangle]
extern "C" fn heapglass_trace_snapshot() {
    unsafe { hg_trace_snapshot() }
}

#[no_mangle]
extern "C" fn heapglass_trace_checkpoint(heap: usize) {
    unsafe { hg_trace_checkpoint(heap) }
}

#[cfg(feature = "lossless")]
mod lossless {
    #[repr(C)]
    pub struct Ring([u8; 0]);

    #[link(wasm_import_module = "heapglass")]
    extern "C" {
        fn drain();
    }

    extern "C" {
        fn hg_set_drain_hook(hook: extern "C" fn(*mut Ring));
    }

    extern "C" fn drained(_: *mut Ring) {
        unsafe { drain() }
    }

    pub fn hook() {
        unsafe { hg_set_drain_hook(drained) }
    }
}
