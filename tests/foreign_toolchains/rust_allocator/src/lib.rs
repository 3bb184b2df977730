//! What a Rust program asks of its allocator: collections that grow, aligned types, zeroed and resized blocks, memory that runs out.

mod heapglass;

use std::alloc::{alloc, dealloc, realloc, Layout};
use std::collections::{BTreeMap, HashMap};

#[global_allocator]
static HEAP: heapglass::Heapglass = heapglass::Heapglass;

#[repr(C)]
struct Stats {
    footprint: usize,
    peak_footprint: usize,
    in_use: usize,
    cached: usize,
    free_bytes: usize,
    flushes: usize,
}

extern "C" {
    fn hg_malloc_get_stats(stats: *mut Stats);
}

#[repr(align(256))]
#[derive(Clone)]
struct Wide([u8; 300]);

/// Of the heap, headers included.
#[no_mangle]
pub extern "C" fn bytes_in_use() -> usize {
    let mut stats = std::mem::MaybeUninit::<Stats>::uninit();
    unsafe {
        hg_malloc_get_stats(stats.as_mut_ptr());
        stats.assume_init().in_use
    }
}

/// A number that depends on what the collections hold at the end.
#[no_mangle]
pub extern "C" fn collections(rounds: u32) -> u32 {
    let mut words: HashMap<String, Vec<u32>> = HashMap::new();
    let mut state: u32 = 1;
    for i in 0..rounds {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        words.entry(format!("word {}", (state >> 8) % 5000)).or_default().push(i);
        if i % 7 == 0 {
            words.remove(&format!("word {}", (state >> 16) % 5000));
        }
    }
    let sorted: BTreeMap<_, _> = words.into_iter().collect();
    let mut hash: u32 = 0;
    for (word, places) in &sorted {
        for byte in word.bytes() {
            hash = hash.wrapping_mul(31).wrapping_add(byte as u32);
        }
        for place in places {
            hash = hash.wrapping_mul(31).wrapping_add(*place);
        }
    }
    hash
}

/// How many aligned blocks are not what they should be.
#[no_mangle]
pub extern "C" fn aligned(count: u32) -> u32 {
    let mut wrong = 0;
    let kept: Vec<Box<Wide>> = (0..count).map(|i| Box::new(Wide([i as u8; 300]))).collect();
    for (i, wide) in kept.iter().enumerate() {
        wrong += u32::from(&**wide as *const Wide as usize % 256 != 0 || wide.0[299] != i as u8);
    }
    unsafe {
        let small = Layout::from_size_align(100, 64).unwrap();
        let mem = alloc(small);
        mem.write_bytes(7, 100);
        let grown = realloc(mem, small, 100_000);
        wrong += u32::from(grown as usize % 64 != 0 || *grown.add(99) != 7);
        dealloc(grown, Layout::from_size_align(100_000, 64).unwrap());
    }
    wrong
}

/// 1: of two vectors of 2 GiB memory holds one; the other is refused, and the program goes on.
#[no_mangle]
pub extern "C" fn refused() -> u32 {
    let (mut first, mut second): (Vec<u8>, Vec<u8>) = (Vec::new(), Vec::new());
    let held = first.try_reserve_exact(0x7fff_ffff).is_ok();
    u32::from(held && second.try_reserve_exact(0x7fff_ffff).is_err() && vec![1u8; 100].len() == 100)
}
