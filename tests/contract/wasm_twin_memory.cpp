// Memory for the twin in the wasm module: a static region, so that the twin neither uses the heap it watches nor brings
// libc's malloc, whose sbrk would begin at the same place as heapglass's pages.
//
//   | class (log2 of the piece) , 16 bytes | what operator new returns ... |
//
// Power-of-two classes, each with a list of freed pieces; a fresh piece is cut from the region's end. Nothing is ever
// joined: maps and vectors of a run use the same few sizes over and over.
#include <cstddef>
#include <cstdint>
#include <new>

namespace {

constexpr size_t kRegionBytes = 48u << 20;
constexpr size_t kHeader = 16;
constexpr uint32_t kLeastLog2 = 5;

struct Piece {
  uint32_t log2;
  Piece *next;  // while freed
};

alignas(16) unsigned char region[kRegionBytes];
size_t cut = 0;
Piece *freed[32];

void *take(size_t bytes) {
  uint32_t log2 = kLeastLog2;
  while ((static_cast<size_t>(1) << log2) < bytes + kHeader) ++log2;
  Piece *piece = freed[log2];
  if (piece != nullptr) {
    freed[log2] = piece->next;
  } else {
    const size_t size = static_cast<size_t>(1) << log2;
    if (size > kRegionBytes - cut) __builtin_trap();
    piece = new (region + cut) Piece{log2, nullptr};
    cut += size;
  }
  return reinterpret_cast<unsigned char *>(piece) + kHeader;
}

void give(void *mem) {
  if (mem == nullptr) return;
  Piece *piece = reinterpret_cast<Piece *>(static_cast<unsigned char *>(mem) - kHeader);
  piece->next = freed[piece->log2];
  freed[piece->log2] = piece;
}

}  // namespace

void *operator new(size_t bytes) { return take(bytes); }
void *operator new[](size_t bytes) { return take(bytes); }
void operator delete(void *mem) noexcept { give(mem); }
void operator delete[](void *mem) noexcept { give(mem); }
void operator delete(void *mem, size_t) noexcept { give(mem); }
void operator delete[](void *mem, size_t) noexcept { give(mem); }
