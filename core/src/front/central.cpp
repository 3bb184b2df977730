// See central.hpp.
#include "front/central.hpp"

#include "front/held.hpp"

namespace heapglass {

namespace {

struct HeldCentral {
  [[no_unique_address]] SpinLock lock;
  void *first;  // of the first piece
};
HeldCentral g_central_lists[kLists];

void *peek(const HeldCentral &central) { return __atomic_load_n(&central.first, __ATOMIC_RELAXED); }
void set_first(HeldCentral &central, void *mem) { __atomic_store_n(&central.first, mem, __ATOMIC_RELAXED); }

void *next_piece(void *first) { return reinterpret_cast<void *>(held_words(first)[2]); }
void set_next_piece(void *first, void *next) { held_words(first)[2] = address_of(next); }

Word bytes_of_piece(void *first) { return trace::kTraced ? bytes_of_chain(first) : held_words(first)[1]; }

// Cuts the chain behind the first chunks, which are a piece from now on; what is left.
void *cut_piece(void *first) {
  void *last = first;
  Word bytes = held_size(first);
  for (void *next; bytes < kPieceBytes && (next = link_of_held(last)) != nullptr; last = next) bytes += held_size(next);
  if constexpr (!trace::kTraced) held_words(first)[1] = bytes;
  void *const rest = link_of_held(last);
  set_link_of_held(last, nullptr);
  return rest;
}

}  // namespace

Word store_central(unsigned list, void *chain) {
  Word bytes = 0;
  void *last = chain;
  for (void *piece = chain; piece != nullptr;) {
    void *const rest = cut_piece(piece);
    bytes += bytes_of_piece(piece);
    set_next_piece(piece, rest);
    last = piece;
    piece = rest;
  }
  HeldCentral &central = g_central_lists[list];
  const Hold hold(central.lock);
  set_next_piece(last, central.first);
  set_first(central, chain);
  return bytes;
}

Piece fetch_central(unsigned list) {
  HeldCentral &central = g_central_lists[list];
  if (peek(central) == nullptr) return {};
  const Hold hold(central.lock);
  void *const first = central.first;
  if (first == nullptr) return {};
  set_first(central, next_piece(first));
  return {first, bytes_of_piece(first)};
}

Word central_bytes() {
  Word bytes = 0;
  for (HeldCentral &central : g_central_lists) {
    const Hold hold(central.lock);
    for (void *piece = central.first; piece != nullptr; piece = next_piece(piece)) bytes += bytes_of_piece(piece);
  }
  return bytes;
}

}  // namespace heapglass
