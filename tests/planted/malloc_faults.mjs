// Faults of malloc: what its cache keeps, when chunks go back to the heap, and what realloc does with a block.

const malloc = (name) => `core/src/malloc/${name}`;

export const kMallocFaults = [
  {
    what: 'a list that is wanted gives all of its old chunks back',
    file: malloc('solo_cache.cpp'),
    from: 'wanted_[k] ? from_wanted : kAll',
    to: 'kAll',
  },
  {
    what: 'the cache ages each time that a chunk is carved',
    file: malloc('solo_cache.cpp'),
    from: 'until_aging_ = share > kLeastShare ? share : kLeastShare;',
    to: 'until_aging_ = 0 * share;',
  },
  {
    what: 'an empty list takes all of its old one, not a few chunks',
    file: malloc('solo_cache.cpp'),
    from: 'n < kRefill && ',
    to: '',
  },
  {
    what: 'each growth of memory empties the cache',
    file: malloc('solo_cache.cpp'),
    from: 'return carved_since_flush_ >= heap.footprint() / kShare && flush(heap) != 0;',
    to: 'return flush(heap) != 0;',
  },
  {
    what: 'a block with a list never gives its tail back',
    file: malloc('resize.cpp'),
    from: 'rest <= have >> kStepLog',
    to: 'rest <= have',
  },
  {
    what: 'a block that shrinks through the cache is copied whole',
    file: malloc('resize.cpp'),
    from: 'have - kWord < request ? have - kWord : request',
    to: 'have - kWord',
  },
  {
    what: 'a large block that grows is moved where any block would be',
    file: malloc('resize.cpp'),
    from: 'if (kLeastCode || size < kListedBytes) return Malloc::allocate(request);',
    to: 'if (kLeastCode || size != 0) return Malloc::allocate(request);',
  },
  {
    what: 'an aligned request takes a cached chunk that is not aligned',
    file: malloc('malloc.cpp'),
    from: ' && (address_of(first) & (alignment - 1)) == 0',
    to: '',
  },
  {
    what: 'the large chunk that waits serves every smaller request whole',
    file: malloc('waiting_chunk.hpp'),
    from: 'size_of_block(mem) - size >= kMinChunk',
    to: 'size_of_block(mem) < size',
  },
  {
    what: 'a large chunk waits although the chunk before it is free',
    file: malloc('waiting_chunk.hpp'),
    from: 'return !kHardened && (read_head(chunk_of(mem)) & kPrevInUse) != 0;',
    to: 'return !kHardened && mem != nullptr;',
  },
].map((fault) => ({ ...fault, program: 'core_malloc_trace_tests', filter: 'Malloc*' }));
