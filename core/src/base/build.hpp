// The variants of the build. wasm-build.sh and CMakeLists.txt set seven switches; all other code uses the names below.
//
//   HG_THREADS       programs with threads: locks, a cache for each thread                              kThreads
//   HG_TRACE         writes every decision to the event ring                                            kTraced
//   HG_CHECKED       with HG_TRACE: proves every argument before it is used                             kChecked
//   HG_HARDENED      for programs that read untrusted input (malloc/hardened.hpp)                       kHardened
//   HG_MALLOC        1: the malloc of a program, 2: the same with least code, 0: a library beside another malloc
//   HG_FREESTANDING  with HG_MALLOC: needs only the linker's __heap_base from the toolchain             kFreestanding
//   HG_PLACED        the heap lies in memory of the host, between two addresses that the host sets      kPlaced
#pragma once

#ifndef HG_THREADS
#define HG_THREADS 0
#endif
#ifndef HG_TRACE
#define HG_TRACE 0
#endif
#ifndef HG_CHECKED
#define HG_CHECKED 0
#endif
#ifndef HG_HARDENED
#define HG_HARDENED 0
#endif
#ifndef HG_MALLOC
#define HG_MALLOC 0
#endif
#ifndef HG_FREESTANDING
#define HG_FREESTANDING 0
#endif
#ifndef HG_PLACED
#define HG_PLACED 0
#endif

namespace heapglass {

inline constexpr bool kThreads = HG_THREADS != 0;
inline constexpr bool kTraced = HG_TRACE != 0;
inline constexpr bool kChecked = HG_CHECKED != 0;
inline constexpr bool kHardened = HG_HARDENED != 0;
inline constexpr bool kIsMalloc = HG_MALLOC != 0;     // only sbrk also takes linear memory
inline constexpr bool kLeastCode = HG_MALLOC == 2;    // leaves out code that serves only speed
inline constexpr bool kQuick = !kLeastCode && !kHardened;    // inlines slow paths where that gains more time than it costs bytes
inline constexpr bool kFreestanding = HG_FREESTANDING != 0;  // grows memory by the instruction, without sbrk
inline constexpr bool kPlaced = HG_PLACED != 0;              // platform/placed_pages.cpp

// malloc's small blocks lie in slabs (slab/slab.hpp). Not in checked builds, where each block has marks of its own. A placed heap has no malloc.
#define HG_SLABS (!HG_CHECKED && !HG_PLACED && HG_MALLOC != 2)
inline constexpr bool kSlabs = HG_SLABS != 0;
// Small blocks wait in magazines (malloc/magazines.hpp). Hardened builds take each from a bit of its slab.
inline constexpr bool kMagazines = kSlabs && !kHardened;
// A slab's tag names its owner, and the slab's code proves it: a block is freed under its owner's lock (slab_owners.O6).
#define HG_PROVEN_OWNERS (HG_SLABS && HG_THREADS && HG_HARDENED)
inline constexpr bool kProvenOwners = HG_PROVEN_OWNERS != 0;

static_assert(!kHardened || !kTraced, "hardened: no probes");

}  // namespace heapglass
