#include "pool/memory_pool.hpp"

#include <new>

#include "platform/page_source.hpp"

namespace heapglass {
namespace {

enum FixedPlace : size_t { kBegin, kOnList, kUncut };

// hg_next_free of the fixed path: first the list, then the uncut nodes.
const void *next_fixed_free(const void *owner, hg_free_cursor *cursor) {
  const MemoryPool *const self = static_cast<const MemoryPool *>(owner);
  const char *uncut = self->uncut;
  if (cursor->place == kUncut) {
    uncut = static_cast<const char *>(cursor->node) + self->fixed_size;
  } else {
    const FreeNode *const last = static_cast<const FreeNode *>(cursor->node);
    cursor->node = cursor->place == kBegin ? self->free : last->next;
    cursor->place = kOnList;
    if (cursor->node != nullptr) return cursor->node;
    cursor->place = kUncut;
  }
  cursor->node = uncut;
  return uncut != self->uncut_end ? uncut : nullptr;
}

hg_owned_pool_options fixed_options(const MemoryPool *self) {
  const Word space = kFixedBlockBytes - kBlockOverhead - HG_OWNED_BLOCK_HEAD;
  return {HG_SHAPE_fixed_size,
          static_cast<uint32_t>(self->fixed_size),
          HG_OWNED_BLOCK_HEAD,
          static_cast<uint32_t>(space / self->fixed_size),
          static_cast<uint32_t>(kFixedBlockBytes - kBlockOverhead),
          static_cast<uint32_t>(kFixedBlockBytes),
          self,
          next_fixed_free};
}

bool is_in_pages(const void *mem) {
  const PageSource &source = *growing_pages();
  return address_of(mem) - source.base < source.frontier - source.base && address_of(mem) % kWord == 0;
}

static_assert(HG_OWNED_BLOCK_HEAD % kAlign == 0, "the first node is aligned as every node can be");

}  // namespace

// memory_pool.M1: the two chunks fit in the heap's first page, so only creating the heap and getting a pool id can fail.
MemoryPool *create_memory_pool(Word fixed_size) {
  if (fixed_size > kMaxFixedSize) return nullptr;
  Heap *const heap = Heap::create(growing_pages());
  if (heap == nullptr) return nullptr;
  MemoryPool *const self = new (heap->allocate(sizeof(MemoryPool))) MemoryPool{};
  self->heap = heap;
  self->fixed_size = round_up(fixed_size, kWord);
  if (fixed_size == 0) return self;
  const hg_owned_pool_options options = fixed_options(self);
  self->pool = create_owned_pool(heap, &options);
  if (self->pool != nullptr) return self;
  heap->destroy();
  return nullptr;
}

// Trusts nothing: reads each word only after the word before led into memory of the page source.
void guard_fixed_block(const void *mem) {
  const Word in_block = address_of(mem) & (kFixedBlockBytes - 1);
  const OwnedBlock *const block = before<const OwnedBlock>(mem, in_block);
  const bool sound = is_in_pages(block) && is_in_pages(block->pool) && is_in_pages(block->spare) &&
                     block->pool->layout.shape == HG_SHAPE_fixed_size && block->pool->listed.owner == block->spare &&
                     static_cast<const MemoryPool *>(block->spare)->pool == block->pool;
  if (!sound) fail(kFailure_foreign_node, mem, "no block of a fixed path");
}

bool add_fixed_block(MemoryPool *self) {
  OwnedBlock *const block = static_cast<OwnedBlock *>(acquire_owned_block(self->pool));
  if (block == nullptr) return false;
  const BlockLayout &layout = self->pool->layout;
  block->spare = self;
  self->uncut = at_offset<char>(block, layout.first_node);
  self->uncut_end = self->uncut + Word{layout.nodes_per_block} * layout.node_size;
  if constexpr (kChecked) {  // pool_guard.hpp: a node without this filling cannot be free
    __builtin_memset(self->uncut, kReturnedByte, Word{layout.nodes_per_block} * layout.node_size);
  }
  return true;
}

void *allocate_fixed(MemoryPool *self) {
  if (self->pool == nullptr) {
    self->heap->set_status(HG_STATUS_bad_argument);
    return nullptr;
  }
  HG_PROBE(op_begun, self->heap->id(), HG_OP_pool_allocate, nullptr, self->fixed_size, self->pool->id);
  void *const mem = take_fixed(self);
  const uint32_t status = mem != nullptr ? HG_STATUS_ok : HG_STATUS_out_of_memory;
  if constexpr (kTraced) {
    if (mem != nullptr) report_owned_node_taken(self->pool, mem);
  }
  self->heap->set_status(status);
  HG_PROBE(op_ended, self->heap->id(), HG_OP_pool_allocate, mem, mem != nullptr ? self->fixed_size : 0, status);
  return mem;
}

void deallocate_fixed(MemoryPool *self, void *mem) {
  HG_PROBE(op_begun, self->heap->id(), HG_OP_pool_deallocate, mem, self->fixed_size, self->pool->id);
  if constexpr (kChecked) {
    guard_returned_node(self->pool, mem);
    fill_returned_node(self->pool, mem);
  }
  FreeNode *const node = static_cast<FreeNode *>(mem);
  node->next = self->free;
  self->free = node;
  if constexpr (kTraced) report_owned_node_returned(self->pool, mem);
  self->heap->set_status(HG_STATUS_ok);
  HG_PROBE(op_ended, self->heap->id(), HG_OP_pool_deallocate, nullptr, 0, HG_STATUS_ok);
}

}  // namespace heapglass
