// The source of pages. Heaps acquire runs of whole pages and release them; the source knows nothing about chunks.
//
// A module has one growing source (linear memory in wasm, one reservation natively). All heaps share it, so a run that one heap
// released serves the next heap. A heap on a fixed region has no source.
//
//      base          frontier            known_end
//      | handed out   | not handed out    | not ours (someone else grew memory)
//      +---+---+-r-+---+------------------+
//                ^ a released run: {next, bytes} inside it, list in address order, neighbours joined
//
//   retired --> {next, first} --> {next, first} --> nullptr      each lies in one of its runs, where the ended heap had its state
//                       |                 +--> run -> run -> nullptr    {next, bytes} at the start of each
//                       +--> run -> ...
//
//  pages.G1  Sizes of runs are multiples of kGrain, and so are their distances from `base`. kGrain is a page. In the malloc of a
//      program, where every byte below the end of linear memory counts, it is 4 KiB, and base is the end of the program's
//      data. In a placed module it is 4 KiB, too, and the host sets base.
//  pages.G2  After one acquire has handed out a run, no other does until the run is released.
//  pages.G3  Memory that others grew is never handed out. When memory does not end where this source left it, the frontier moves
//      behind the new end.
//  pages.G4  Threads: begin, acquire, extend, release and retire each hold lock_ from begin to end.
//  pages.G5  Retiring a chain of runs takes constant time and touches only the words that the caller names. So the end of a heap
//      reads none of its pages, however many it has. The next acquire takes the chains apart, or the next extend that may
//      need them, so addresses are the same as if the runs had been released at once. Waiting until the released runs are
//      used up was tried: twenty heaps created and ended in turn then walk through all of memory instead of staying in place.
//      Hardened builds retire none: the words that chain them are not encoded, and their heaps free their blocks one by one anyway.
//  pages.G6  Each retired chain is in address order. Taking k chains of n runs apart merges them in pairs, then with the r released
//      runs: O(n log k + r) steps. Inserting each run from the start of the list was tried: O(n * (n + r)).
//  pages.G7  Runs lie in memory that a program may still write. A hardened build encodes their words (base/encoded.hpp), and proves each run that
//      a link leads to: it ends below the frontier, and the next one lies behind it. So no walk over runs is endless.
#pragma once

#include "base/bits.hpp"
#include "base/build.hpp"
#include "base/encoded.hpp"
#include "platform/spin_lock.hpp"

namespace heapglass {

inline constexpr Word kGrain = kIsMalloc || kPlaced ? 4096 : kPageBytes;
inline constexpr Word kBreakAlign = kIsMalloc || kPlaced ? 16 : kPageBytes;

// may_alias: these objects replace the segment headers and the state of a heap.
struct __attribute__((may_alias)) ReleasedRun {
  Link<ReleasedRun> next;
#if HG_HARDENED
  Word other;  // where a segment has its size: a link that is bent to one finds no run there
#endif
  Head bytes;
};
// The same, as it is found.
struct FoundRun {
  ReleasedRun *run;  // nullptr: there is none
  Word bytes;
};

struct PageSource;

struct __attribute__((may_alias)) RetiredRuns {
  RetiredRuns *next;
  ReleasedRun *first;
};

#if defined(__wasm__)
inline void note_run_visited() {}
#else
// Tests: runs that merging has visited so far.
inline Word g_runs_visited = 0;
inline void note_run_visited() { ++g_runs_visited; }
#endif

// What differs by platform: wasm_pages.cpp, placed_pages.cpp, native_pages.cpp.
std::uintptr_t raw_begin();          // first address the source may use; called once
std::uintptr_t raw_end();            // where memory ends now
std::uintptr_t raw_first_end();      // only in the freestanding archive: where it ended before anyone grew it
std::uintptr_t raw_limit();          // up to here raw_grow costs no page: raw_end, or the end of pages that are there already
bool raw_grow(Word bytes);           // at least `bytes` more at the end; false: refused, nothing changed
bool memory_is_shared();             // someone else hands out the same memory (sbrk of another malloc)
void place_pages(std::uintptr_t begin, std::uintptr_t end);  // only in modules that the host places

// How released runs serve (page_source.cpp).
struct RunReuse {
  void *(*take_fitting)(PageSource &source, Word bytes);
  bool (*take_following)(PageSource &source, std::uintptr_t start, Word bytes);
};

struct PageSource {
  std::uintptr_t base;      // 0: not yet used
  std::uintptr_t frontier;  // end of what was ever handed out
  std::uintptr_t known_end;
  Link<ReleasedRun> released;
  const struct RunReuse *reuse;  // nullptr: nothing was ever released. A program that releases nothing is not linked with it
  RetiredRuns *retired;
  void (*take_apart)(PageSource &source);  // nullptr: none is retired. A program that ends no heap is not linked with it

  // The last acquire or extend: for the probe memory_grown and for tests.
  std::uintptr_t old_end;
  std::uintptr_t new_end;  // == old_end when memory was not grown
  bool refused;

  void begin();  // finds where memory is; done by the first acquire
  // `bytes` anywhere; nullptr when memory is out.
  void *acquire(Word bytes);
  // `bytes` beginning exactly at `at` (the end of a run in use); false when they cannot be had.
  bool extend(void *at, Word bytes);
  // Whether `bytes` more at the frontier would make linear memory grow.
  bool would_grow(Word bytes) const {
    const std::uintptr_t limit = raw_limit();
    return frontier > limit || round_up(bytes, kGrain) > limit - frontier;
  }
  // Gives a chain of runs, or of ends of runs, in address order, back. O(runs of the chain + released runs).
  void release(ReleasedRun *first);
  // Gives a chain of runs, in address order, back in O(1) (pages.G5); `in` lies in one of them, behind its first two words.
  void retire(ReleasedRun *first, void *in);
  // Takes the retired chains apart, as acquire does.
  void reclaim();
  // Bytes that are there and that no heap holds: released runs, and what was never handed out. O(released runs).
  Word spare();

  // For a host that moves memory (page_moves.cpp).
  // The first released run behind `at` (0: the first). O(released runs).
  FoundRun released_after(std::uintptr_t at);
  // The end of what must be there: a released run at the end is not needed. Nothing changes. O(released runs).
  std::uintptr_t needed_end();
  // Memory now ends behind `end`, which needed_end() gave: what was released from there on is forgotten.
  void moved(std::uintptr_t end);

 private:
  void settle();                       // keeps pages.G3 when others grew memory
  [[gnu::noinline]] bool claim(std::uintptr_t end);  // moves the frontier there, growing memory when needed; pre: not below the frontier
#if HG_HARDENED
  static ReleasedRun *proved(ReleasedRun *run);  // pages.G7
#else
  static ReleasedRun *proved(ReleasedRun *run) { return run; }
#endif
  // nullptr: there is none. Before the first one was released, a hardened build has not encoded that.
  ReleasedRun *first_released() const { return kHardened && reuse == nullptr ? nullptr : proved(released); }
  static void take(Link<ReleasedRun> *link, Word bytes);
  static void *take_fitting(PageSource &source, Word bytes);
  static bool take_following(PageSource &source, std::uintptr_t start, Word bytes);
  static ReleasedRun *merge(ReleasedRun *a, ReleasedRun *b);
  static void take_retired_apart(PageSource &source);
  static const RunReuse kReuse;
  void find_memory();
  void begin_note();
  [[gnu::noinline]] void put_back(ReleasedRun *first);
  [[no_unique_address]] SpinLock lock_;
};

// The source of the module.
PageSource *growing_pages();

#if !defined(__wasm__)
// Tests: the k-th growth of memory from now fails (1: the next), and the growths after it until `count` have failed;
// k 0: none fails.
void fail_growth(Word k, Word count = ~Word{0});
// Tests: growths of memory asked for so far, refused ones included.
Word growths_asked();
// Tests: someone else takes `bytes` at the end of memory, as another user of memory.grow would.
void grow_by_others(Word bytes);
#endif

}  // namespace heapglass
