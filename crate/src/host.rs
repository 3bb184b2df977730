// What the archives of the profiles small and trace expect of Emscripten, as far as malloc calls it.

use core::arch::wasm32::{memory_grow, memory_size};

const PAGE: usize = 65536;
/// The last page would end at 4 GiB, which 32 bits cannot say.
const MOST_PAGES: usize = 65535;

static mut ERRNO: i32 = 0;

#[no_mangle]
extern "C" fn __errno_location() -> *mut i32 {
    core::ptr::addr_of_mut!(ERRNO)
}

#[no_mangle]
extern "C" fn emscripten_get_heap_size() -> usize {
    memory_size(0).min(MOST_PAGES) * PAGE
}

#[no_mangle]
extern "C" fn emscripten_get_heap_max() -> usize {
    MOST_PAGES * PAGE
}

/// 1: memory has at least so many bytes now.
#[no_mangle]
extern "C" fn emscripten_resize_heap(bytes: usize) -> i32 {
    let pages = bytes.div_ceil(PAGE);
    let missing = pages.saturating_sub(memory_size(0));
    i32::from(missing == 0 || memory_grow(0, missing) != usize::MAX)
}

/// Of messages on standard error, which a module that imports nothing does not have. WASI's libc has its own.
#[cfg(not(target_os = "wasi"))]
#[no_mangle]
extern "C" fn __wasi_fd_write(_: i32, _: i32, _: i32, _: i32) -> i32 {
    8 // a bad file descriptor
}
