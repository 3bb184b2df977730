//! heapglass as the global allocator of a program for `wasm32-unknown-unknown` or `wasm32-wasip1`:
//!
//! ```
//! #[global_allocator]
//! static HEAP: heapglass::Heapglass = heapglass::Heapglass;
//! # let numbers: Vec<u32> = (0..1000).collect();
//! # assert_eq!(numbers.iter().sum::<u32>(), 499_500);
//! ```
//!
//! On every other target it is the system's allocator, so that tests run there.
//!
//! | feature | effect |
//! |---|---|
//! | none | the profile `fast` |
//! | `small` | less code |
//! | `trace` | the program records its heap: `attach(instance)` of the npm package `heapglass/attach` shows it |
//! | `lossless` | `trace`, and nothing is lost: the program imports `heapglass.drain`, which `attach.imports()` gives |

#![no_std]

#[cfg(not(target_arch = "wasm32"))]
extern crate std;

use core::alloc::{GlobalAlloc, Layout};

#[cfg(all(target_arch = "wasm32", any(feature = "small", feature = "trace")))]
mod host;
#[cfg(all(target_arch = "wasm32", feature = "trace"))]
mod trace;

/// The allocator. It has no state of its own: all values are the same heap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Heapglass;

#[cfg(target_arch = "wasm32")]
extern "C" {
    fn hg_malloc(size: usize) -> *mut u8;
    fn hg_free(mem: *mut u8);
    fn hg_calloc(count: usize, size: usize) -> *mut u8;
    fn hg_realloc(mem: *mut u8, size: usize) -> *mut u8;
    fn hg_memalign(alignment: usize, size: usize) -> *mut u8;
}

/// Of what hg_malloc returns.
#[cfg(target_arch = "wasm32")]
const ALIGNMENT: usize = 8;

// Blocks of up to 8 bytes' alignment, nearly all, go by hg_malloc and hg_realloc; others by hg_memalign, and are moved by hand.
#[cfg(target_arch = "wasm32")]
unsafe impl GlobalAlloc for Heapglass {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGNMENT {
            hg_malloc(layout.size())
        } else {
            hg_memalign(layout.align(), layout.size())
        }
    }

    #[inline]
    unsafe fn dealloc(&self, mem: *mut u8, _: Layout) {
        hg_free(mem);
    }

    #[inline]
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

    #[inline]
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

#[cfg(not(target_arch = "wasm32"))]
unsafe impl GlobalAlloc for Heapglass {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        std::alloc::System.alloc(layout)
    }

    unsafe fn dealloc(&self, mem: *mut u8, layout: Layout) {
        std::alloc::System.dealloc(mem, layout);
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        std::alloc::System.alloc_zeroed(layout)
    }

    unsafe fn realloc(&self, mem: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        std::alloc::System.realloc(mem, layout, size)
    }
}
