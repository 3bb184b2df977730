//! heapglass as a Rust allocator: five calls. A program copies this file and names the allocator global:
//!
//!     #[global_allocator]
//!     static HEAP: heapglass::Heapglass = heapglass::Heapglass;
//!
//! Blocks of up to 8 bytes' alignment, nearly all, go by hg_malloc and hg_realloc; others by hg_memalign, and are moved by hand.

use std::alloc::{GlobalAlloc, Layout};

extern "C" {
    fn hg_malloc(size: usize) -> *mut u8;
    fn hg_free(mem: *mut u8);
    fn hg_calloc(count: usize, size: usize) -> *mut u8;
    fn hg_realloc(mem: *mut u8, size: usize) -> *mut u8;
    fn hg_memalign(alignment: usize, size: usize) -> *mut u8;
}

/// Of what hg_malloc returns.
const ALIGNMENT: usize = 8;

pub struct Heapglass;

unsafe impl GlobalAlloc for Heapglass {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGNMENT {
            hg_malloc(layout.size())
        } else {
            hg_memalign(layout.align(), layout.size())
        }
    }

    unsafe fn dealloc(&self, mem: *mut u8, _: Layout) {
        hg_free(mem);
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGNMENT {
            return hg_calloc(1, layout.size());
        }
        let mem = self.alloc(layout);
        if !mem.is_null() {
            mem.write_bytes(0, layout.size());
        }
        mem
    }

    unsafe fn realloc(&self, mem: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if layout.align() <= ALIGNMENT {
            return hg_realloc(mem, size);
        }
        let moved = hg_memalign(layout.align(), size);
        if !moved.is_null() {
            moved.copy_from_nonoverlapping(mem, layout.size().min(size));
            hg_free(mem);
        }
        moved
    }
}
