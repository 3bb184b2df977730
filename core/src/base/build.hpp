// What a build is. Seven switches, given by wasm-build.sh and CMakeLists.txt; everything else follows from these names.
//
//   HG_THREADS       programs with threads: locks, a cache for each thread
//   HG_TRACE         every decision is written to the event ring                         kTraced
//   HG_CHECKED       what a caller gives is proved before it is used; with HG_TRACE      kChecked
//   HG_HARDENED      for programs that take input from strangers (malloc/hardened.hpp)   kHardened
//   HG_MALLOC        the malloc of a program: 1 fast, 2 least code; 0 a library beside another malloc
//   HG_FREESTANDING  with HG_MALLOC: needs nothing of a toolchain but the linker's __heap_base          kFreestanding
//   HG_PLACED        in memory that the host gives, between two addresses that the host names            kPlaced
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
inline constexpr bool kIsMalloc = HG_MALLOC != 0;     // linear memory is shared with nobody but sbrk
inline constexpr bool kLeastCode = HG_MALLOC == 2;    // the same heap, without what is there for speed alone
inline constexpr bool kQuick = !kLeastCode && !kHardened;  // where a call on a slow path costs more than the bytes that it saves
inline constexpr bool kFreestanding = HG_FREESTANDING != 0;  // grows memory by the instruction, asks no sbrk
inline constexpr bool kPlaced = HG_PLACED != 0;         // platform/placed_pages.cpp

static_assert(!kHardened || (!kThreads && !kTraced), "hardened: one thread, no probes");

}  // namespace heapglass
