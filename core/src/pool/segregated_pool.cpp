// The slow paths of segregated_pool.hpp.
#include "pool/segregated_pool.hpp"

#include "pool/free_marks.hpp"

namespace heapglass {
namespace {

// Links the nodes of a new block in address order, in front of the list.
void thread_nodes(Pool *pool, BlockHead *block) {
  FreeNode *next = pool->listed.free;
  for (uint32_t i = pool->layout.nodes_per_block; i-- != 0;) {
    FreeNode *node = static_cast<FreeNode *>(node_of(pool, block, i));
    node->next = next;
    next = node;
  }
  pool->listed.free = next;
  pool->nodes_free += pool->layout.nodes_per_block;
}

size_t count_free_nodes(const Pool *pool, const BlockHead *block) {
  size_t count = 0;
  for (const FreeNode *node = pool->listed.free; node != nullptr; node = node->next) {
    count += address_of(node) - address_of(block) < pool->layout.block_bytes;
  }
  return count;
}

void remove_nodes_of(Pool *pool, const BlockHead *block) {
  for (FreeNode **place = &pool->listed.free; *place != nullptr;) {
    if (address_of(*place) - address_of(block) < pool->layout.block_bytes) {
      *place = (*place)->next;
      --pool->nodes_free;
    } else {
      place = &(*place)->next;
    }
  }
}

}  // namespace

const void *next_segregated_free(const void *owner, hg_free_cursor *cursor) {
  const FreeNode *const last = static_cast<const FreeNode *>(cursor->node);
  if (cursor->place == 0) {  // place 1: begun
    cursor->place = 1;
    cursor->node = *static_cast<FreeNode *const *>(owner);
  } else if (last != nullptr) {
    cursor->node = last->next;
  }
  return cursor->node;
}

bool add_segregated_block(Pool *pool) {
  BlockHead *block = static_cast<BlockHead *>(acquire_block(pool));
  if (block == nullptr) return false;
  block->link = pool->listed.blocks;
  pool->listed.blocks = block;
  thread_nodes(pool, block);
  return true;
}

// Links new blocks only when all of them exist, so that a failure changes neither list nor blocks.
size_t segregated_burst(Pool *pool, size_t count, hg_chain *chain) {
  BlockHead *made = nullptr;
  for (size_t available = pool->nodes_free; available < count; available += pool->layout.nodes_per_block) {
    BlockHead *block = static_cast<BlockHead *>(acquire_block(pool));
    if (block == nullptr) {
      while (made != nullptr) {
        BlockHead *next = static_cast<BlockHead *>(made->link);
        release_block(pool, made);
        made = next;
      }
      return 0;
    }
    block->link = made;
    made = block;
  }
  while (made != nullptr) {
    BlockHead *next = static_cast<BlockHead *>(made->link);
    made->link = pool->listed.blocks;
    pool->listed.blocks = made;
    thread_nodes(pool, made);
    made = next;
  }
  for (size_t taken = 0; taken < count; ++taken) hg_chain_push_back(chain, segregated_allocate(pool));
  return count;
}

void segregated_burst_deallocate(Pool *pool, hg_chain *chain) {
  for (FreeNode *node = static_cast<FreeNode *>(chain->first); node != nullptr;) {
    FreeNode *next = node->next;
    segregated_deallocate(pool, node);
    node = next;
  }
  hg_chain_init(chain);
}

size_t segregated_trim(Pool *pool) {
  size_t given = 0;
  for (void **place = &pool->listed.blocks; *place != nullptr;) {
    BlockHead *block = static_cast<BlockHead *>(*place);
    if (count_free_nodes(pool, block) != pool->layout.nodes_per_block) {
      place = &block->link;
      continue;
    }
    *place = block->link;
    remove_nodes_of(pool, block);
    release_block(pool, block);
    ++given;
  }
  return given;
}

// Nodes in use end with their blocks. The trace records them as returned first, so every block that it sees released is free.
void segregated_destroy(Pool *pool) {
  if constexpr (kTraced) {
    for (const void *block = pool->listed.blocks; block != nullptr; block = next_listed_block(block)) {
      report_nodes_returned(pool, block, 0);
    }
  }
  while (pool->listed.blocks != nullptr) {
    void *block = pool->listed.blocks;
    pool->listed.blocks = static_cast<BlockHead *>(block)->link;
    release_block(pool, block);
  }
  pool->listed.free = nullptr;
  pool->nodes_free = 0;
}

}  // namespace heapglass
