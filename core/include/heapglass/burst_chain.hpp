// The result of a burst in C++: a counted list threaded through the raw memory of the blocks it holds.
//
//   burst_chain          block            block            block
//   +-------+            +------+----     +------+----     +------+----
//   | first |----------> | next |-------> | next |-------> | null |
//   | last  |------+     +------+         +------+         +------+
//   | count |      +----------------------------------------^
//   +-------+
//
//  BC1  count is the number of blocks; first is null and last leads to `first` itself when it is 0.
//  BC2  a block's first word is the link; it is lost as soon as a user writes there, so iterate before constructing.
//  BC3  the last block's link is null.
//
// The operations are those that Boost.Container asks of an allocator's `multiallocation_chain`, by the same names; no
// header of Boost is needed for that. Blocks are at least one word long and belong to nobody while they are in a chain:
// a chain that goes out of scope frees nothing. hg_chain is the same list in C: take_from and give_to convert in O(1).
#pragma once

#include <cstddef>
#include <iterator>
#include <utility>

#include <heapglass/heapglass.h>

namespace heapglass {

template <class T>
class burst_chain {
  // may_alias: the word was, and will be, part of any object.
  struct __attribute__((may_alias)) link {
    link *next;
  };
  static link *link_of(T *block) { return static_cast<link *>(static_cast<void *>(block)); }
  static T *block_of(link *at) { return static_cast<T *>(static_cast<void *>(at)); }

 public:
  using value_type = T;
  using pointer = T *;
  using void_pointer = void *;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer_pair = std::pair<pointer, pointer>;

  class iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = T *;
    using reference = T &;

    iterator() = default;
    // Containers write &*it to name a block, once even of the end; nothing is read there.
#if defined(__clang__) || defined(__GNUC__)
    __attribute__((no_sanitize("undefined")))
#endif
    reference operator*() const { return *block_of(at_); }
    pointer operator->() const { return block_of(at_); }
    iterator &operator++() {
      at_ = at_->next;
      return *this;
    }
    iterator operator++(int) {
      const iterator before = *this;
      at_ = at_->next;
      return before;
    }
    friend bool operator==(iterator, iterator) = default;

   private:
    friend class burst_chain;
    explicit iterator(link *at) : at_(at) {}
    link *at_ = nullptr;
  };

  burst_chain() = default;
  // The list of `count` blocks from first to last, linked already but for the last one's link.
  burst_chain(void *first, void *last, size_type count) {
    incorporate_after(before_begin(), static_cast<T *>(first), static_cast<T *>(last), count);
  }
  burst_chain(burst_chain &&other) noexcept { swap(other); }
  burst_chain &operator=(burst_chain &&other) noexcept {
    if (this != &other) {
      clear();
      swap(other);
    }
    return *this;
  }
  burst_chain(const burst_chain &) = delete;
  burst_chain &operator=(const burst_chain &) = delete;

  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] size_type size() const { return count_; }
  // Forgets the blocks. pre: they are free already, or known elsewhere.
  void clear() {
    root_.next = nullptr;
    last_ = &root_;
    count_ = 0;
  }

  iterator before_begin() { return iterator(&root_); }
  iterator begin() { return iterator(root_.next); }
  iterator end() { return iterator(); }
  iterator last() { return iterator(last_); }  // before_begin() when empty
  static iterator iterator_to(pointer block) { return iterator(link_of(block)); }

  void push_front(pointer block) { insert_after(before_begin(), block); }
  void push_back(pointer block) { insert_after(last(), block); }
  // pre: not empty
  pointer pop_front() {
    link *const first = root_.next;
    root_.next = first->next;
    if (--count_ == 0) last_ = &root_;
    return block_of(first);
  }
  iterator insert_after(iterator position, pointer block) {
    join_after(position.at_, link_of(block), link_of(block), 1);
    return iterator_to(block);
  }

  // All of other. O(1).
  void splice_after(iterator position, burst_chain &other) {
    if (!other.empty()) join_after(position.at_, other.root_.next, other.last_, other.count_);
    other.clear();
  }
  // The `count` blocks of other behind before_first, up to and with `last`. O(1).
  void splice_after(iterator position, burst_chain &other, iterator before_first, iterator last, size_type count) {
    if (count == 0) return;
    link *const first = before_first.at_->next;
    before_first.at_->next = last.at_->next;
    if (other.last_ == last.at_) other.last_ = before_first.at_;
    other.count_ -= count;
    join_after(position.at_, first, last.at_, count);
  }
  // The `count` blocks from first to last, linked already and in no chain. count may be 0, and then they may be anything.
  void incorporate_after(iterator position, pointer first, pointer last, size_type count) {
    if (count != 0) join_after(position.at_, link_of(first), link_of(last), count);
  }
  // Cuts `count` blocks of block_bytes out of the memory at `memory`; the address behind them.
  void *incorporate_after(iterator position, void *memory, size_type block_bytes, size_type count) {
    char *at = static_cast<char *>(memory);
    for (; count != 0; --count, at += block_bytes) position = insert_after(position, static_cast<T *>(static_cast<void *>(at)));
    return at;
  }
  // Forgets the `count` blocks between before_first and `behind`.
  void erase_after(iterator before_first, iterator behind, size_type count) {
    before_first.at_->next = behind.at_;
    if (behind.at_ == nullptr) last_ = before_first.at_;
    count_ -= count;
  }

  void swap(burst_chain &other) noexcept {
    std::swap(root_, other.root_);
    std::swap(last_, other.last_);
    std::swap(count_, other.count_);
    if (count_ == 0) last_ = &root_;
    if (other.count_ == 0) other.last_ = &other.root_;
  }
  // First and last block, null and null when there is none; the chain is empty after.
  pointer_pair extract_data() {
    const pointer_pair ends = empty() ? pointer_pair() : pointer_pair(block_of(root_.next), block_of(last_));
    clear();
    return ends;
  }

  // ---- the same list in C ----
  // Appends all of `from`, which is empty after.
  void take_from(hg_chain &from) {
    incorporate_after(last(), static_cast<T *>(from.first), static_cast<T *>(from.last), from.count);
    hg_chain_init(&from);
  }
  // All blocks; the chain is empty after.
  hg_chain give_to_c() {
    const size_type count = count_;
    const pointer_pair ends = extract_data();
    return hg_chain{ends.first, ends.second, count};
  }

 private:
  void join_after(link *position, link *first, link *last, size_type count) {
    last->next = position->next;
    position->next = first;
    if (last_ == position) last_ = last;
    count_ += count;
  }

  link root_ = {nullptr};
  link *last_ = &root_;
  size_type count_ = 0;
};

template <class T>
void swap(burst_chain<T> &left, burst_chain<T> &right) noexcept {
  left.swap(right);
}

}  // namespace heapglass
