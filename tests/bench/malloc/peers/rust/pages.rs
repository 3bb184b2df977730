//! Memory from libc's sbrk, in whole pages, as the other allocators get theirs.
extern "C" {
    fn sbrk(increment: isize) -> *mut u8;
}

const PAGE: usize = 65536;

/// Start and size of at least `bytes` more; they follow the last ones unless others moved the break. Of 0: where it is.
pub fn acquire(bytes: usize) -> Option<(*mut u8, usize)> {
    let size = bytes.checked_add(PAGE - 1)? & !(PAGE - 1);
    let start = unsafe { sbrk(isize::try_from(size).ok()?) };
    (start as isize != -1).then_some((start, size))
}
