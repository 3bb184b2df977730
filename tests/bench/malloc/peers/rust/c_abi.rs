//! The functions of a C allocator over one written in Rust, which wants to be told a block's size when it is freed: each
//! block carries it before its first byte.
//!
//!    base -> | ... up to the alignment ... | total | offset |  <- mem      total: bytes from base on, offset: mem - base
//!
//! C1  offset is kHeader unless a larger alignment was asked for.
//! C2  Every name by which Emscripten's libc reaches its malloc is here, so that no second allocator is linked.
use crate::peer;
use core::alloc::{GlobalAlloc, Layout};
use core::mem::size_of;
use core::ptr::{copy_nonoverlapping, null_mut, write_bytes};

#[repr(C)]
struct Header {
    total: usize,
    offset: usize,
}

const HEADER: usize = size_of::<Header>();
const ALIGN: usize = 8; // alignof(max_align_t) of Emscripten
const MAX_REQUEST: usize = isize::MAX as usize - 0x20000;

/// Pre: `total` is at most `MAX_REQUEST` and a header.
unsafe fn layout(total: usize) -> Layout {
    Layout::from_size_align_unchecked(total, ALIGN)
}

unsafe fn header(mem: *mut u8) -> *mut Header {
    mem.cast::<Header>().sub(1)
}

unsafe fn usable(mem: *mut u8) -> usize {
    (*header(mem)).total - (*header(mem)).offset
}

unsafe fn placed(base: *mut u8, total: usize, offset: usize) -> *mut u8 {
    if base.is_null() {
        return base;
    }
    let mem = base.add(offset);
    header(mem).write(Header { total, offset });
    mem
}

#[no_mangle]
pub unsafe extern "C" fn malloc(size: usize) -> *mut u8 {
    if size > MAX_REQUEST {
        return null_mut();
    }
    placed(peer::allocate(layout(size + HEADER)), size + HEADER, HEADER)
}

#[no_mangle]
pub unsafe extern "C" fn free(mem: *mut u8) {
    if !mem.is_null() {
        let Header { total, offset } = header(mem).read();
        peer::release(mem.sub(offset), layout(total));
    }
}

#[no_mangle]
pub unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut u8 {
    let Some(bytes) = count.checked_mul(size).filter(|&bytes| bytes <= MAX_REQUEST) else {
        return null_mut();
    };
    let mem = placed(peer::allocate(layout(bytes + HEADER)), bytes + HEADER, HEADER);
    if !mem.is_null() {
        write_bytes(mem, 0, bytes);
    }
    mem
}

#[no_mangle]
pub unsafe extern "C" fn realloc(mem: *mut u8, size: usize) -> *mut u8 {
    if mem.is_null() {
        return malloc(size);
    }
    if size == 0 {
        free(mem);
        return null_mut();
    }
    if size > MAX_REQUEST {
        return null_mut();
    }
    let Header { total, offset } = header(mem).read();
    if offset == HEADER {
        return placed(peer::resize(mem.sub(HEADER), layout(total), size + HEADER), size + HEADER, HEADER);
    }
    let moved = malloc(size);
    if !moved.is_null() {
        copy_nonoverlapping(mem, moved, usable(mem).min(size));
        free(mem);
    }
    moved
}

#[no_mangle]
pub unsafe extern "C" fn memalign(alignment: usize, size: usize) -> *mut u8 {
    if alignment <= ALIGN {
        return malloc(size);
    }
    if !alignment.is_power_of_two() || size > MAX_REQUEST || alignment > MAX_REQUEST - size {
        return null_mut();
    }
    let total = size + alignment; // from base, which has ALIGN, the first aligned place behind a header is at most that far
    let base = peer::allocate(layout(total));
    let mem = (base as usize + HEADER + alignment - 1) & !(alignment - 1);
    placed(base, total, mem.wrapping_sub(base as usize))
}

#[no_mangle]
pub unsafe extern "C" fn posix_memalign(out: *mut *mut u8, alignment: usize, size: usize) -> i32 {
    const EINVAL: i32 = 28; // WASI's numbers
    const ENOMEM: i32 = 48;
    if !alignment.is_power_of_two() || alignment < size_of::<usize>() {
        return EINVAL;
    }
    let mem = memalign(alignment, size);
    if mem.is_null() {
        return ENOMEM;
    }
    out.write(mem);
    0
}

#[no_mangle]
pub unsafe extern "C" fn malloc_usable_size(mem: *mut u8) -> usize {
    if mem.is_null() {
        0
    } else {
        usable(mem)
    }
}

/// The same function under other names.
macro_rules! also {
    ($($name:ident = $function:ident($($argument:ident: $kind:ty),*) $(-> $result:ty)?;)*) => {
        $(#[no_mangle]
        pub unsafe extern "C" fn $name($($argument: $kind),*) $(-> $result)? {
            $function($($argument),*)
        })*
    };
}

also! {
    aligned_alloc = memalign(alignment: usize, size: usize) -> *mut u8;
    __libc_malloc = malloc(size: usize) -> *mut u8;
    __libc_free = free(mem: *mut u8);
    __libc_calloc = calloc(count: usize, size: usize) -> *mut u8;
    __libc_realloc = realloc(mem: *mut u8, size: usize) -> *mut u8;
    __libc_memalign = memalign(alignment: usize, size: usize) -> *mut u8;
    emscripten_builtin_malloc = malloc(size: usize) -> *mut u8;
    emscripten_builtin_free = free(mem: *mut u8);
    emscripten_builtin_calloc = calloc(count: usize, size: usize) -> *mut u8;
    emscripten_builtin_realloc = realloc(mem: *mut u8, size: usize) -> *mut u8;
    emscripten_builtin_memalign = memalign(alignment: usize, size: usize) -> *mut u8;
}

/// Rust wants one wherever its alloc library is linked; nothing here calls it.
struct Own;
unsafe impl GlobalAlloc for Own {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        peer::allocate(layout)
    }
    unsafe fn dealloc(&self, base: *mut u8, layout: Layout) {
        peer::release(base, layout)
    }
}
#[global_allocator]
static OWN: Own = Own;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
