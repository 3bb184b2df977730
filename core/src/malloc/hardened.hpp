// The profile `hardened`: malloc for programs that take input from strangers.
//
// What is assumed: a stranger makes the program free what it must not free, or write before, behind or into blocks, freed ones
// included; he knows the program, this code and the addresses. He does not read the heap, whose words would tell him the key,
// and does not write to static data or to the heap's state, where the heads of the lists are. With threads the lists of a thread are
// in its own block (its thread-local objects), which is a block of the heap: a write before or into that one is not withstood.
//
//   free(mem)    header at mem decodes to a listed size, in use     else: the slow path, which proves everything or reports
//                header behind it decodes, and its P is 1           else: the same
//                C goes, B comes: cached                            a second free finds it
//   malloc       header of the first of the list decodes: cached, of the list's class      else: reported
//
// This is about chunks. Blocks up to kMaxSlabRequest lie in slabs, which have rules of their own (slab/slab.hpp, slab/slab_owners.hpp): malloc asks there first, and
// whether an address lies in a slab is asked before its header is read. An overflow inside a slab is not found.
//
//  malloc.P1  A header is never believed that was not written by the heap: it is encoded with a key and its address
//             (base/encoded.hpp). Interior, misaligned and foreign pointers have no header, so no list of addresses is kept.
//  malloc.P2  A freed block is marked in its header, not in its bytes, which the program may still write. A list gives out
//             only what is marked, so no block is given out twice, whatever the links say.
//  malloc.P3  The header behind a block is read when the block is freed: an overflow is found when either block is freed.
//  malloc.P4  A chunk leaves a bin only if its header, its foot, the header behind it and the chunks that its links name agree.
//             Two chunks are joined only if the size of the first ends where the second begins (heap/hardened_heap.cpp).
//  malloc.P5  A header exists only where a chunk is. What becomes the inside of another chunk, in use or free, loses its header, and what leaves
//             a bin its links (encoded.E6). A heap that ends frees its blocks one by one, for the same reason.
//  malloc.P6  Each class has two lists; the second one is used when the first is empty. A freed block goes to the one that a
//             random bit names, drawn for each free. So which block is the next one differs from free to free, and from run to run.
//  malloc.P7  A list gives out chunks of its own class only: a link that was bent to another cached chunk would else give a small
//             block for a large request. The link is cleared as the block is given out, and as it goes back to the heap: it would show the key to
//             whoever reads what he has not written, and lie inside a larger chunk (encoded.E6).
//  malloc.P8  With threads a block is marked by one atomic addition, and the heap proves it once more under its lock. So of two threads
//             that free one block at a time, one is reported, or the list finds a mark that is none. A list takes the mark away and reads it in
//             one step: of two lists that lead to one chunk, one finds no mark. Of blocks of slabs see slab_owners.O8.
//  malloc.P9  Segments and the pages that were given back lie where a stale pointer writes. Their words are encoded, and each is proved when a
//             link leads to it (pages.G7). A walk over them, over a bin or over central lists ends, whatever the links say.
//  malloc.P10  A chunk becomes the first of a bin only if its size belongs there. Who takes the first one of a bin of one size reads no size: a link
//             that was bent to a smaller chunk, and back, would give that one for the size of the bin.
//  malloc.P11  A chunk that malloc keeps for itself, a slab or the map of slabs, is marked in its header as no block of the program is (B beside C). So a
//             free of its address is reported, also when a write into the map has hidden the slab.
//  malloc.P12  Who asks what nobody reads, for a copy of the program, gets nothing that is not proved: free chunks, and slabs by their codes. Nor does who asks
//              for figures: what two chosen words decode to gives the factor of headers, also as a part of a sum, a size, or a message. So figures
//              come from chunks whose header and the one behind it agree, and a walk over chunks reports the first other one.
//  malloc.P13  The headers of another heap are as good as those of malloc's. While there is one, each chunk that is freed is looked for in the heap, O(segments).
//              Else malloc would give a block out again whose pages the other heap takes with it as it ends. A heap in a region that is a block of malloc
//              is not kept apart: its blocks lie in malloc's heap.
//
// A forged size that is large is proved by what lies where it ends. In a heap whose blocks lie at distances that one power of two divides, who adds
// this power to a header hits such a place by chance: as often as the heap's share of 4 GiB says (16 MiB: 1 of 256). The foot of a free chunk proves nothing
// here: who has a large block writes all that may be asked for into it. So what lies behind a free chunk has to decode to a header, too, not only P to 0.
//
// The secret is in the memory: programs that go on with a copy of one memory (a snapshot, a reset) share it. The order of reuse (malloc.P6) is 32 random bits,
// which who sees the addresses of many blocks can compute.
//
// Words of the heap that the program moves away and back say what was once true of that place, and are believed: a header, a link, the words of a slab. To copy them
// is to read them. Copied to another place they are worth nothing.
//
// What is not found: a second free after the block was given out again (it is a block in use), writes that stay inside blocks,
// reads. What is found ends the program by fail() of base/failure.hpp, or by the trap of an access outside memory.
//
// The order of ideas follows "Safe-Linking" (Eyal Itkin, 2020), "FreeGuard" (Sam Silvestro, Hongyu Liu, Corey Crosser, Zhiqiang
// Lin and Tongping Liu, 2017: random choice among free objects) and "Run-time Detection of Heap-based Overflows" (William
// Robertson, Christopher Kruegel, Darren Mutz and Fredrik Valeur, 2003: keyed headers).
#pragma once

#include "base/failure.hpp"
#include "heap/hardened_heap.hpp"
#include "malloc/cached_chunk.hpp"
#include "malloc/size_classes.hpp"

namespace heapglass {

inline constexpr unsigned kWays = kHardened ? 2 : 1;  // lists of a class; malloc.P6

struct Hardened {
  // malloc.P1, malloc.P3: quick proof that c is a block in use with a list and, with one thread, that nothing before it is free (malloc.L6).
  // False: unknown.
  // The header behind is read wherever c's own size leads to, which is near.
  // pre: head is c's header, decoded
  [[gnu::always_inline]] static bool is_plain_block(const Chunk *c, Word head) {
    constexpr Word kLarge = ~(kListedBytes - 1);
    constexpr Word kFlagsSeen = kThreads ? kFlags & ~kPrevInUse : kFlags;
    const Word behind = quick_head(chunk_at(c, head & ~(kLarge | kFlags)));
    const Word wrong = ((head ^ (kInUse | kPrevInUse)) & (kLarge | kFlagsSeen)) | ((behind ^ kPrevInUse) & (kLarge | kPrevInUse)) | HardenedHeap::others();
    return __builtin_expect(wrong == 0, 1);
  }

  // malloc.P2, malloc.P7: mem, to which a list of the class led, was a cached chunk of it until now.  pre: head is what its header said
  [[gnu::always_inline]] static void check_taken(const void *mem, Word head, unsigned size_class) {
    constexpr Word kNot = ~(kListedBytes - 1) | kInUse | kBlockMark;
    const Word wrong = (head ^ kBlockMark) & kNot;
    if (__builtin_expect(wrong != 0, 0) || __builtin_expect(class_of_head(head) != size_class, 0)) report_cached(mem);
  }
  // malloc.P2: mem, to which a list led, is a cached chunk.
  [[gnu::always_inline]] static void check_cached(const void *mem) {
    constexpr Word kNot = ~(kListedBytes - 1) | kInUse | kBlockMark;
    const Word head = quick_head(chunk_of(mem));
    if (__builtin_expect(((head ^ kBlockMark) & kNot) != 0, 0)) report_cached(mem);
  }

 private:
  [[noreturn, gnu::noinline, gnu::cold]] static void report_cached(const void *mem) {
    fail(kFailure_damaged_link, mem, "cached");
  }
};

}  // namespace heapglass
