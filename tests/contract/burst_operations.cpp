#include "burst_operations.hpp"

#include "pattern.hpp"
#include "prng.hpp"
#include "report.hpp"

namespace contract {

namespace {

size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

// The chain's blocks in order. They are read before anything is written: the links live in the user's bytes.
std::vector<void *> elements_of(const hg_chain &chain) {
  std::vector<void *> elements;
  for (void *mem = chain.first; mem != nullptr; mem = hg_chain_next(mem)) elements.push_back(mem);
  expect(elements.size() == chain.count, "the chain's count is not its length", elements.size(), chain.count);
  if (!elements.empty()) expect(elements.back() == chain.last, "the chain's last is not its last element");
  return elements;
}

// Side by side: each element's chunk begins where the one before ends.
void expect_contiguous(const std::vector<void *> &elements, size_t run) {
  for (size_t i = 1; i < elements.size(); ++i) {
    if (i % run == 0) continue;
    const uintptr_t end = reinterpret_cast<uintptr_t>(elements[i - 1]) + hg_usable_size(elements[i - 1]);
    expect(reinterpret_cast<uintptr_t>(elements[i]) == end + hg_chunk_overhead(),
        "elements of a run are not neighbours",
           reinterpret_cast<uintptr_t>(elements[i]), end);
  }
}

// Some of the time the burst is appended to a chain that holds a block already: all or nothing keeps that block.
struct StartedChain {
  hg_chain chain;
  void *first = nullptr;

  StartedChain(State &state, HeapSlot &in, bool with_one) {
    hg_chain_init(&chain);
    if (!with_one) return;
    first = hg_heap_allocate(in.heap, 24);
    if (first == nullptr) state.refused(in);
    else hg_chain_push_back(&chain, first);
  }

  // What the burst appended; the block it was started with goes into the twin.
  std::vector<void *> appended(State &state, HeapSlot &in) {
    std::vector<void *> elements = elements_of(chain);
    if (first == nullptr) return elements;
    expect(!elements.empty() && elements.front() == first, "the burst lost what the chain held");
    elements.erase(elements.begin());
    state.adopt(in, first, 24);
    return elements;
  }
};

// The addresses an independent_* call returned, read before the blocks are filled.
std::vector<void *> addresses_in(void **blocks, size_t count) { return std::vector<void *>(blocks, blocks + count); }

}  // namespace

void BurstNodes::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  StartedChain started(state, in, count % 4 == 1);
  const size_t got = hg_heap_burst_nodes(in.heap, count, size, contiguous, &started.chain);
  state.note(got);
  expect(got == count || got == 0, "a burst returned a part", got, count);
  const uint32_t status = hg_heap_status(in.heap);
  const std::vector<void *> elements = started.appended(state, in);
  expect(elements.size() == got, "the chain did not grow by the burst", elements.size(), got);
  if (got == 0) {
    expect(count == 0 || status != HG_STATUS_ok, "a refused burst has status ok");
    ++state.refusals;
    return;
  }
  if (contiguous == HG_CONTIGUOUS_ALL) expect_contiguous(elements, count);
  for (void *mem : elements) state.adopt(in, mem, size);
}

void BurstArrays::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  Prng prng(lengths_seed);
  std::vector<size_t> lengths(count);
  for (size_t &length : lengths) length = prng.between(0, longest);
  StartedChain started(state, in, count % 4 == 1);
  const size_t got = hg_heap_burst_arrays(in.heap, count, lengths.data(), object_size, contiguous, &started.chain);
  state.note(got);
  expect(got == count || got == 0, "a burst returned a part", got, count);
  const uint32_t status = hg_heap_status(in.heap);
  const std::vector<void *> elements = started.appended(state, in);
  expect(elements.size() == got, "the chain did not grow by the burst", elements.size(), got);
  if (got == 0) {
    expect(count == 0 || status != HG_STATUS_ok, "a refused burst has status ok");
    ++state.refusals;
    return;
  }
  if (contiguous == HG_CONTIGUOUS_ALL) expect_contiguous(elements, count);
  for (size_t i = 0; i < count; ++i) state.adopt(in, elements[i], lengths[i] * object_size);
}

void BurstDeallocate::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  hg_chain chain;
  hg_chain_init(&chain);
  Prng prng(pick);
  for (size_t left = smaller(count, in.twin.count()); left > 0; --left) {
    void *mem = state.pick(in, prng.next());
    in.twin.remove(mem);
    if (left % 2 == 0) hg_chain_push_front(&chain, mem);
    else hg_chain_push_back(&chain, mem);
  }
  hg_heap_burst_deallocate(in.heap, &chain);
  expect(chain.first == nullptr && chain.count == 0, "burst_deallocate left something in the chain");
}

void IndependentCalloc::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  std::vector<void *> array(count);
  void **blocks = hg_heap_independent_calloc(in.heap, count, size, own_array ? array.data() : nullptr);
  if (blocks == nullptr) return state.refused(in);
  const std::vector<void *> elements = addresses_in(blocks, count);
  for (void *mem : elements) {
    expect(is_zero(mem, size), "independent_calloc returned dirty memory", reinterpret_cast<uintptr_t>(mem));
  }
  expect_contiguous(elements, count);
  if (own_array) expect(blocks == array.data(), "independent_calloc did not use the given array");
  else state.adopt(in, blocks, count * sizeof(void *));
  for (void *mem : elements) state.adopt(in, mem, size);
}

void IndependentComalloc::perform(State &state) const {
  HeapSlot &in = state.slot(slot);
  Prng prng(sizes_seed);
  std::vector<size_t> sizes(count);
  for (size_t &size : sizes) size = prng.between(0, largest);
  std::vector<void *> array(count);
  void **blocks = hg_heap_independent_comalloc(in.heap, count, sizes.data(), own_array ? array.data() : nullptr);
  if (blocks == nullptr) return state.refused(in);
  const std::vector<void *> elements = addresses_in(blocks, count);
  expect_contiguous(elements, count);
  if (own_array) expect(blocks == array.data(), "independent_comalloc did not use the given array");
  else state.adopt(in, blocks, count * sizeof(void *));
  for (size_t i = 0; i < count; ++i) state.adopt(in, elements[i], sizes[i]);
}

}  // namespace contract
