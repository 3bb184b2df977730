// std::pmr::memory_resource on a heap, on a pool, and one whose memory goes all at once. Only where the C++ library has
// <memory_resource>; the header is empty elsewhere (libc++ before 16, thus Emscripten 3.1.6).
//
//   heap_resource        every block is a chunk of the heap
//   pool_resource        blocks of at most one size are nodes of a pool, larger ones go upstream
//   release_resource     blocks are cut from big ones, never freed singly; release() gives the big ones back, O(big blocks)
//
//  MR1  deallocate gets the size that allocate got, so a pool_resource needs to ask nobody whose a block is.
//  MR2  out of memory and sizes beyond the address space are std::bad_alloc.
#pragma once

#if defined(__has_include)
#if __has_include(<memory_resource>)
#include <memory_resource>
#endif
#endif

#if defined(__cpp_lib_memory_resource)

#include <cstddef>
#include <cstdint>
#include <limits>

#include <heapglass/heapglass.h>
#include <heapglass/raise.hpp>

namespace heapglass {

class heap_resource : public std::pmr::memory_resource {
 public:
  explicit heap_resource(hg_heap *heap = nullptr) : heap_(heap) {}
  hg_heap *heap() const { return heap_; }

 private:
  void *do_allocate(std::size_t bytes, std::size_t alignment) override {
    void *const mem = alignment <= HG_ALIGNMENT ? hg_heap_allocate(heap_, bytes)
                                                : hg_heap_allocate_aligned(heap_, alignment, bytes);
    if (mem == nullptr) raise_bad_alloc();
    return mem;
  }
  void do_deallocate(void *mem, std::size_t, std::size_t) override { hg_heap_deallocate(heap_, mem); }
  bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override {
#if defined(__cpp_rtti)
    const auto *const same = dynamic_cast<const heap_resource *>(&other);
    return same != nullptr && same->heap_ == heap_;
#else
    return this == &other;
#endif
  }

  hg_heap *heap_;
};

class pool_resource : public std::pmr::memory_resource {
 public:
  // A pool of its own on `heap`; larger blocks go to `upstream`, which must live longer. pre: node_size is 1 .. 64 KiB.
  explicit pool_resource(const hg_pool_options &options, std::pmr::memory_resource *upstream, hg_heap *heap = nullptr)
      : pool_(hg_pool_create(heap, &options)), upstream_(upstream) {
    if (pool_ == nullptr) raise_bad_alloc();
    hg_pool_stats stats;
    hg_pool_get_stats(pool_, &stats);
    node_size_ = stats.node_size;
    node_alignment_ = node_size_ % HG_ALIGNMENT == 0 ? HG_ALIGNMENT : sizeof(void *);
  }
  pool_resource(const pool_resource &) = delete;
  pool_resource &operator=(const pool_resource &) = delete;
  ~pool_resource() override { hg_pool_destroy(pool_); }

  hg_pool *pool() const { return pool_; }
  std::pmr::memory_resource *upstream_resource() const { return upstream_; }

 private:
  bool fits(std::size_t bytes, std::size_t alignment) const {
    return bytes <= node_size_ && alignment <= node_alignment_;
  }
  void *do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (!fits(bytes, alignment)) return upstream_->allocate(bytes, alignment);
    void *const node = hg_pool_allocate(pool_);
    if (node == nullptr) raise_bad_alloc();
    return node;
  }
  void do_deallocate(void *mem, std::size_t bytes, std::size_t alignment) override {
    if (fits(bytes, alignment)) return hg_pool_deallocate(pool_, mem);
    upstream_->deallocate(mem, bytes, alignment);
  }
  bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override { return this == &other; }

  hg_pool *pool_;
  std::pmr::memory_resource *upstream_;
  std::size_t node_size_;
  std::size_t node_alignment_;
};

//   block:  | link | cut ... | cut ... |      free      |        at_ -> first free byte, end_ -> behind the last one
class release_resource : public std::pmr::memory_resource {
 public:
  explicit release_resource(hg_heap *heap = nullptr, std::size_t first_block_bytes = 1024)
      : heap_(heap), first_bytes_(first_block_bytes), next_bytes_(first_block_bytes) {}
  release_resource(const release_resource &) = delete;
  release_resource &operator=(const release_resource &) = delete;
  ~release_resource() override { release(); }

  // Everything that was ever allocated here is gone. O(blocks).
  void release() {
    hg_heap_burst_deallocate(heap_, &blocks_);
    next_bytes_ = first_bytes_;
    at_ = nullptr;
    end_ = nullptr;
  }
  std::size_t blocks() const { return blocks_.count; }
  hg_heap *heap() const { return heap_; }

 private:
  void *do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (void *const cut_here = cut(bytes, alignment)) return cut_here;
    add_block(bytes, alignment);
    return cut(bytes, alignment);
  }
  void do_deallocate(void *, std::size_t, std::size_t) override {}
  bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override { return this == &other; }

  void *cut(std::size_t bytes, std::size_t alignment) {
    const std::size_t space = static_cast<std::size_t>(end_ - at_);
    const std::size_t gap = (0 - reinterpret_cast<std::uintptr_t>(at_)) & (alignment - 1);
    if (at_ == nullptr || gap > space || bytes > space - gap) return nullptr;
    void *const mem = at_ + gap;
    at_ += gap + bytes;
    return mem;
  }
  // Each block is half as big again as the one before, when there is so much. What is left of that one is lost until
  // release().
  void add_block(std::size_t bytes, std::size_t alignment) {
    const std::size_t most = std::numeric_limits<std::size_t>::max() / 4;
    if (bytes > most || alignment > most) raise_bad_alloc();
    const std::size_t needed = sizeof(void *) + alignment + bytes;
    char *block = nullptr;
    if (next_bytes_ > needed) block = static_cast<char *>(hg_heap_allocate(heap_, next_bytes_));
    if (block == nullptr) block = static_cast<char *>(hg_heap_allocate(heap_, needed));
    if (block == nullptr) raise_bad_alloc();
    hg_chain_push_front(&blocks_, block);
    at_ = block + sizeof(void *);
    end_ = block + hg_usable_size(block);
    if (next_bytes_ < most) next_bytes_ += next_bytes_ / 2;
  }

  hg_heap *heap_;
  std::size_t first_bytes_;
  std::size_t next_bytes_;  // of the next block, when it can be had
  hg_chain blocks_ = {};
  char *at_ = nullptr;
  char *end_ = nullptr;
};

}  // namespace heapglass

#endif
