//! rlsf (two-level segregated fit) as a C allocator, with the sizes of its tables that it has as a global allocator.
#![no_std]

#[path = "../rust/c_abi.rs"]
mod c_abi;
#[path = "../rust/pages.rs"]
mod pages;

mod peer {
    use crate::pages;
    use core::alloc::Layout;
    use core::cell::UnsafeCell;
    use core::ptr::{null_mut, slice_from_raw_parts_mut, NonNull};
    use rlsf::{FlexSource, FlexTlsf};

    struct Pages;

    unsafe impl FlexSource for Pages {
        unsafe fn alloc(&mut self, min_size: usize) -> Option<NonNull<[u8]>> {
            let (start, size) = pages::acquire(min_size)?;
            NonNull::new(slice_from_raw_parts_mut(start, size))
        }

        unsafe fn realloc_inplace_grow(&mut self, pool: NonNull<[u8]>, min_new_len: usize) -> Option<usize> {
            let end = pool.as_ptr().cast::<u8>().wrapping_add(pool.len());
            if end != pages::acquire(0)?.0 {
                return None; // others moved the break
            }
            Some(pool.len() + pages::acquire(min_new_len - pool.len())?.1)
        }

        fn supports_realloc_inplace_grow(&self) -> bool {
            true
        }
    }

    const BITS: usize = usize::BITS as usize;
    type Tlsf = FlexTlsf<Pages, usize, usize, BITS, BITS>;
    struct OneThread(UnsafeCell<Tlsf>);
    unsafe impl Sync for OneThread {}
    static HEAP: OneThread = OneThread(UnsafeCell::new(Tlsf::new(Pages)));

    #[inline]
    pub unsafe fn allocate(layout: Layout) -> *mut u8 {
        (*HEAP.0.get()).allocate(layout).map_or(null_mut(), NonNull::as_ptr)
    }

    #[inline]
    pub unsafe fn release(base: *mut u8, layout: Layout) {
        (*HEAP.0.get()).deallocate(NonNull::new_unchecked(base), layout.align())
    }

    pub unsafe fn resize(base: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let wanted = Layout::from_size_align_unchecked(size, layout.align());
        let moved = (*HEAP.0.get()).reallocate(NonNull::new_unchecked(base), wanted);
        moved.map_or(null_mut(), NonNull::as_ptr)
    }
}
