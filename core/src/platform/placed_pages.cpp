// Pages in linear memory of the host, for a module whose own data the host also places.
//
//   memory  | the host's | the module's data, its stack | heaps ...          | the host's |
//           0            where the host likes           g_begin              g_end        end of memory
//
//  placed.B1  Nothing outside [g_begin, g_end) is handed out. The host sets both before the first heap is created.
//  placed.B2  The host grows memory (import heapglass.grow): it knows which views to renew and how far memory may grow. Memory
//             that a growth adds behind g_end belongs to the host.
//  placed.B3  Others may grow memory as well: pages.G3.
#include "base/build.hpp"

#if defined(__wasm__) && HG_PLACED

#include "platform/memory_view.hpp"
#include "platform/page_source.hpp"

extern "C" {
__attribute__((import_module("heapglass"), import_name("grow"))) std::uint32_t hg_host_grow(std::uint32_t pages);
}

namespace heapglass {

namespace {
// The last page of 4 GiB is left alone: its end would be address 0.
constexpr Word kMostPages = 65535;

std::uintptr_t g_begin = 0;
std::uintptr_t g_end = 0;
}  // namespace

void place_pages(std::uintptr_t begin, std::uintptr_t end) {
  g_begin = begin;
  g_end = end;
}

std::uintptr_t raw_end() {
  const Word pages = memory_pages();
  const std::uintptr_t end = (pages < kMostPages ? pages : kMostPages) * kPageBytes;
  return end < g_end ? end : g_end;
}

std::uintptr_t raw_begin() { return round_up(g_begin, kBreakAlign); }

bool memory_is_shared() { return false; }

std::uintptr_t raw_limit() { return raw_end(); }

bool raw_grow(Word bytes) {
  const std::uintptr_t end = raw_end();
  if (bytes > g_end - end) return false;
  const Word pages = memory_pages();
  const Word wanted = round_up(end + bytes, kPageBytes) / kPageBytes;
  if (wanted > pages) {
    if (hg_host_grow(wanted - pages) == 0) return false;
    note_memory_grown();
  }
  return true;
}

}  // namespace heapglass

#endif
