#include "trace_writer.hpp"

#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include <array>
#include <cstdint>
#include <cstdio>

#include "trace/ring.hpp"

namespace contract {

#if HG_TRACE

namespace {

constexpr uint32_t kMagic[2] = {0x74676889u, 0x0a1a0a0du};
constexpr uint32_t kFileVersion = 1;
constexpr uint32_t kSegmentMark = 0x31676573u;  // 'seg1'
constexpr uint32_t kEndMark = 0x31646e65u;      // 'end1'
static_assert(heapglass::trace::kRingRecords <= 65536, "a full ring is one segment of the file");

FILE *file = nullptr;
bool failed = false;
uint32_t events = 0;

// CRC-32 (IEEE 802.3), continued from `crc`; begin with 0.
uint32_t crc32(uint32_t crc, const void *data, size_t bytes) {
  static const std::array<uint32_t, 256> table = [] {
    std::array<uint32_t, 256> made{};
    for (uint32_t i = 0; i < 256; ++i) {
      uint32_t word = i;
      for (int bit = 0; bit < 8; ++bit) word = (word & 1) != 0 ? 0xedb88320u ^ word >> 1 : word >> 1;
      made[i] = word;
    }
    return made;
  }();
  crc = ~crc;
  for (const unsigned char *at = static_cast<const unsigned char *>(data); bytes > 0; --bytes, ++at) {
    crc = table[(crc ^ *at) & 0xff] ^ crc >> 8;
  }
  return ~crc;
}

void write(const void *data, size_t bytes) {
  if (fwrite(data, 1, bytes, file) != bytes) failed = true;
}

// All unread records become one segment. The ring's own address field is an offset in linear memory; natively the
// records are reached by their name.
void drain(hg_ring *ring) {
  const uint32_t count = ring->head_low - ring->tail_low;
  if (count == 0) return;
  const uint32_t at = ring->tail_low & (ring->capacity - 1);
  const uint32_t first = count < ring->capacity - at ? count : ring->capacity - at;
  const hg_event *records = heapglass::trace::g_records;
  uint32_t crc = crc32(0, records + at, first * sizeof(hg_event));
  crc = crc32(crc, records, (count - first) * sizeof(hg_event));
  const uint32_t head[4] = {kSegmentMark, count, events, crc};
  write(head, sizeof head);
  write(records + at, first * sizeof(hg_event));
  write(records, (count - first) * sizeof(hg_event));
  events += count;
  ring->tail_low = ring->head_low;
  ring->tail_high = ring->head_high;
}

}  // namespace

bool open_trace(const char *path) {
  file = fopen(path, "wb");
  if (file == nullptr) return false;
  failed = false;
  events = 0;
  const uint32_t no_notes = crc32(0, nullptr, 0);
  uint32_t header[8] = {kMagic[0], kMagic[1], HG_TRACE_VERSION, kFileVersion, sizeof(size_t), 0, no_notes, 0};
  header[7] = crc32(0, header, sizeof header - sizeof header[7]);
  write(header, sizeof header);
  hg_set_drain_hook(drain);
  hg_trace_start(1);
  return !failed;
}

bool close_trace() {
  if (file == nullptr) return true;
  hg_trace_stop();
  drain(hg_trace_ring());
  uint32_t end[4] = {kEndMark, events, 0, 0};
  end[3] = crc32(0, end, sizeof end - sizeof end[3]);
  write(end, sizeof end);
  if (fclose(file) != 0) failed = true;
  file = nullptr;
  return !failed;
}

#else

bool open_trace(const char *) { return false; }
bool close_trace() { return true; }

#endif

}  // namespace contract
