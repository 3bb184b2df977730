// Bursts: many chunks in use from one search, linked through their payload.
//
//  burst.B1  A run is one free chunk cut into neighbours; each element is an ordinary chunk, freed like any other.
//  burst.B2  A run of n elements costs one search and n header words: O(n), and no bin changes in between.
//  burst.B3  All or nothing: after a failure, the elements allocated so far are freed.
//  burst.B4  When there is no memory for a run, halves are tried, unless all elements must lie side by side.
#include "heap/free_chunks.hpp"

namespace heapglass {

namespace {

constexpr Word kDefaultRunBytes = 4096;

// Sizes of the elements of a burst, as requests: all equal, or a list.
struct EqualSizes {
  Word request;
  Word run_bytes;  // the most bytes of chunks in one run
  bool halves;
  static constexpr bool kEqual = true;
  Word request_at(Word) const { return request; }
};
struct ListedSizes {
  const Word *lengths;
  Word object_size;
  Word run_bytes;
  bool halves;
  static constexpr bool kEqual = false;
  Word request_at(Word at) const {
    Word bytes = 0;
    return checked_multiply(lengths[at], object_size, &bytes) ? bytes : ~Word{0};
  }
};

Word run_bytes_of(Word contiguous, Word element) {
  if (contiguous == HG_CONTIGUOUS_ALL) return kMaxRequest;
  if (contiguous == HG_CONTIGUOUS_DEFAULT) return kDefaultRunBytes;
  Word bytes = 0;
  return checked_multiply(contiguous, element, &bytes) && bytes < kMaxRequest ? bytes : kMaxRequest;
}

}  // namespace

// Cuts elements from..from+count-1, together `bytes` of chunks, from one free chunk. The rest is attached; a rest too small for
// a chunk goes to the last element.
template <class Sizes>
bool Heap::carve_run(Sizes sizes, Word from, Word count, Word bytes, hg_chain *chain) {
  Chunk *c = find(bytes);
  if (c == nullptr) return false;
  Word have = size_of(c);
  Guard::check_untouched(c, have == bytes ? bytes - kWord : bytes);
  const Word rest = have - bytes;
  Word carved = 0;  // elements cut by the one event burst_carved
  if constexpr (Sizes::kEqual) {
    const Word size = chunk_size_for(sizes.request);
    carved = rest != 0 && rest < kMinChunk ? count - 1 : count;
    const Word carved_bytes = carved * size;
    if (carved != 0) {
      if (have != carved_bytes) {
        HG_PROBE(chunk_split, id_, 0, c, carved_bytes, have - carved_bytes);
      }
      HG_PROBE(burst_carved, id_, 0, c, size, carved);
      for (Word i = 0; i < carved; ++i) {
        c->head = size | kPrevInUse | kInUse;
        Guard::fill_new(c);
        hg_chain_push_back(chain, mem_of(c));
        c = chunk_at(c, size);
      }
      have -= carved_bytes;
    }
  }
  for (Word i = carved; i < count; ++i) {
    const Word request = sizes.request_at(from + i);
    Word size = chunk_size_for(request);
    if (i + 1 == count && rest < kMinChunk) size += rest;
    if (have != size) {
      HG_PROBE(chunk_split, id_, 0, c, size, have - size);
    }
    HG_PROBE(chunk_taken, id_, 0, c, size, request);
    c->head = size | kPrevInUse | kInUse;
    Guard::fill_new(c);
    hg_chain_push_back(chain, mem_of(c));
    c = chunk_at(c, size);
    have -= size;
  }
  if (have != 0) {
    attach(c, have, false);
  } else {
    c->head |= kPrevInUse;
  }
  return true;
}

// Sets status. The chain gets all elements or none.
template <class Sizes>
Word Heap::burst(Sizes sizes, Word count, hg_chain *chain) {
  hg_chain made;
  hg_chain_init(&made);
  status_ = HG_STATUS_ok;
  Word run_bytes = sizes.run_bytes;
  for (Word done = 0; done < count && status_ == HG_STATUS_ok;) {
    Word bytes = 0;
    Word run = 0;
    for (; done + run < count; ++run) {
      const Word request = sizes.request_at(done + run);
      if (request > kMaxRequest || chunk_size_for(request) > kMaxRequest - bytes) {
        if (run == 0 || !sizes.halves) status_ = HG_STATUS_too_large;
        break;
      }
      const Word size = chunk_size_for(request);
      if (run != 0 && size > run_bytes - bytes) break;
      bytes += size;
      if (bytes >= run_bytes) {
        ++run;
        break;
      }
    }
    if (status_ != HG_STATUS_ok) break;
    if (carve_run(sizes, done, run, bytes, &made)) {
      done += run;
    } else if (run > 1 && sizes.halves) {
      run_bytes = bytes / 2;
    } else {
      status_ = HG_STATUS_out_of_memory;
    }
  }
  if (status_ != HG_STATUS_ok) {
    free_chain(&made);
    return 0;
  }
  hg_chain_splice_back(chain, &made);
  return count;
}

Word Heap::burst_nodes(Word count, Word request, Word contiguous, hg_chain *chain) {
  HG_PROBE(op_begun, id_, HG_OP_burst_nodes, nullptr, request, count);
  const Word size = request > kMaxRequest ? kMaxRequest : chunk_size_for(request);
  const Word run_bytes = run_bytes_of(contiguous, size);
  const Word made = burst(EqualSizes{request, run_bytes, contiguous != HG_CONTIGUOUS_ALL}, count, chain);
  HG_PROBE(op_ended, id_, HG_OP_burst_nodes, made != 0 ? chain->last : nullptr, made, status_);
  return made;
}

Word Heap::burst_arrays(Word count, const Word *lengths, Word object_size, Word contiguous, hg_chain *chain) {
  HG_PROBE(op_begun, id_, HG_OP_burst_arrays, nullptr, object_size, count);
  Word made = 0;
  status_ = HG_STATUS_object_size_zero;
  if (object_size != 0) {
    const Word run_bytes = run_bytes_of(contiguous, object_size);
    made = burst(ListedSizes{lengths, object_size, run_bytes, contiguous != HG_CONTIGUOUS_ALL}, count, chain);
  }
  HG_PROBE(op_ended, id_, HG_OP_burst_arrays, made != 0 ? chain->last : nullptr, made, status_);
  return made;
}

// Neighbours that follow each other in the chain, in either direction, are joined before they are attached. So freeing an intact
// run costs one insertion.
void Heap::free_chain(hg_chain *chain) {
  while (chain->first != nullptr) {
    Chunk *c = release_next(chain);
    Word size = size_of(c);
    while (chain->first != nullptr) {
      Chunk *const other = chunk_of(chain->first);
      const bool behind = other == chunk_at(c, size);
      if (!behind && next_chunk(other) != c) break;
      const Word other_size = size_of(release_next(chain));
      HG_PROBE(chunks_merged, id_, 0, behind ? c : other, behind ? size : other_size, behind ? other_size : size);
      Guard::end_chunk(behind ? other : c);
      if (!behind) c = other;
      size += other_size;
    }
    Guard::fill_freed(c, size);
    merge_and_attach(c, size);
  }
}

// Removes the first element of the chain; returns it free and detached.
Chunk *Heap::release_next(hg_chain *chain) {
  Guard::check_in_use(*this, chain->first);
  Chunk *const c = chunk_of(hg_chain_pop_front(chain));
  HG_PROBE(chunk_released, id_, 0, c, size_of(c), 0);
  return c;
}

void Heap::burst_deallocate(hg_chain *chain) {
  HG_PROBE(op_begun, id_, HG_OP_burst_deallocate, chain->first, 0, chain->count);
  status_ = HG_STATUS_ok;
  free_chain(chain);
  HG_PROBE(op_ended, id_, HG_OP_burst_deallocate, nullptr, 0, HG_STATUS_ok);
}

// Allocates the elements side by side and, unless the caller passed an array, an array for their addresses.
template <class Sizes>
void **Heap::independent(Sizes sizes, Word count, void **blocks) {
  hg_chain chain;
  hg_chain_init(&chain);
  void **array = blocks;
  Word bytes = 0;
  status_ = HG_STATUS_ok;
  if (!checked_multiply(count, sizeof(void *), &bytes)) status_ = HG_STATUS_too_large;
  if (status_ == HG_STATUS_ok && array == nullptr) array = static_cast<void **>(allocate(bytes));
  if (status_ != HG_STATUS_ok || burst(sizes, count, &chain) != count) {
    const std::uint32_t status = status_;
    if (array != nullptr && blocks == nullptr) deallocate(array);
    status_ = status;
    return nullptr;
  }
  for (Word i = 0; i < count; ++i) array[i] = hg_chain_pop_front(&chain);
  return array;
}

void **Heap::independent_calloc(Word count, Word request, void **blocks) {
  HG_PROBE(op_begun, id_, HG_OP_burst_nodes, nullptr, request, count);
  void **const array = independent(EqualSizes{request, kMaxRequest, false}, count, blocks);
  if (array != nullptr) {
    for (Word i = 0; i < count; ++i) __builtin_memset(array[i], 0, usable_size(array[i]));
  }
  HG_PROBE(op_ended, id_, HG_OP_burst_nodes, array, count, status_);
  return array;
}

void **Heap::independent_comalloc(Word count, const Word *requests, void **blocks) {
  HG_PROBE(op_begun, id_, HG_OP_burst_arrays, nullptr, 1, count);
  void **const array = independent(ListedSizes{requests, 1, kMaxRequest, false}, count, blocks);
  HG_PROBE(op_ended, id_, HG_OP_burst_arrays, array, count, status_);
  return array;
}

}  // namespace heapglass
