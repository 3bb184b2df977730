//! Talc as a C allocator. Its source of memory is sbrk: what follows the last of its heaps extends that heap.
#![no_std]

#[path = "../rust/c_abi.rs"]
mod c_abi;
#[path = "../rust/pages.rs"]
mod pages;

mod peer {
    use crate::pages;
    use core::alloc::Layout;
    use core::cell::UnsafeCell;
    use core::ptr::{null_mut, NonNull};
    use talc::base::{binning::Binning, Talc, CHUNK_UNIT};
    use talc::{source::Source, wasm::WasmBinning};

    /// The end of the newest heap, as Talc names it, and of the memory it was given.
    #[derive(Debug)]
    struct Pages {
        heap_end: Option<NonNull<u8>>,
        end: *mut u8,
    }

    unsafe impl Source for Pages {
        fn acquire<B: Binning>(talc: &mut Talc<Self, B>, layout: Layout) -> Result<(), ()> {
            let needed = layout.size() + layout.align() + 2 * CHUNK_UNIT;
            let (start, size) = pages::acquire(needed).ok_or(())?;
            let end = start.wrapping_add(size);
            let heap_end = match talc.source.heap_end {
                Some(before) if talc.source.end == start => Some(unsafe { talc.extend(before, end) }),
                _ => unsafe { talc.claim(start, size) },
            };
            talc.source.heap_end = Some(heap_end.ok_or(())?);
            talc.source.end = end;
            Ok(())
        }
    }

    struct OneThread(UnsafeCell<Talc<Pages, WasmBinning>>);
    unsafe impl Sync for OneThread {}
    static HEAP: OneThread = OneThread(UnsafeCell::new(Talc::new(Pages { heap_end: None, end: null_mut() })));

    #[inline]
    pub unsafe fn allocate(layout: Layout) -> *mut u8 {
        (*HEAP.0.get()).allocate(layout).map_or(null_mut(), NonNull::as_ptr)
    }

    #[inline]
    pub unsafe fn release(base: *mut u8, layout: Layout) {
        (*HEAP.0.get()).deallocate(base, layout)
    }

    pub unsafe fn resize(base: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if (*HEAP.0.get()).try_realloc_in_place(base, layout, size) {
            return base;
        }
        let moved = allocate(Layout::from_size_align_unchecked(size, layout.align()));
        if !moved.is_null() {
            moved.copy_from_nonoverlapping(base, layout.size().min(size));
            release(base, layout);
        }
        moved
    }
}
