// The report: which of the four causes it is, and the figures that show it.
//
//   free + cached >= needed, and a share of the heap              fragmentation  (a few small pieces are always left)
//   one size class has half of what is live and only grew         leak           (the request is small beside it)
//   memory ends where it ended when the heap was made             limit          (it may not grow, or not by so much: nobody tried less)
//   otherwise                                                     shortage
//
// The cheapest hole of a fragmented heap: of all runs of neighbouring chunks that are long enough together, the one with the fewest
// bytes in use. Two cursors find it in one pass, as the shortest such run at each end is also the cheapest: O(chunks).
#include "diagnose/out_of_memory.hpp"

#include "base/failure.hpp"
#include "diagnose/census.hpp"
#include "diagnose/report_text.hpp"
#include "malloc/malloc.hpp"
#include "platform/page_source.hpp"

namespace heapglass {

Word g_failed_request = 0;

namespace {

// A run of neighbouring chunks.
struct Hole {
  ChunkCursor first;
  Word address;
  Word bytes;
  Word live;  // bytes
  Word blocks;
};

// The cheapest hole of `needed` bytes; bytes is 0 when there is none.
Hole cheapest_hole(const Heap &heap, Word needed) {
  Hole best = {ChunkCursor(heap), 0, 0, 0, 0};
  Hole run = best;
  for (ChunkCursor last(heap); last.next();) {
    if (last.begins_segment()) {
      run = {last, 0, 0, 0, 0};
      run.first.next();
      run.address = run.first.address();
      continue;
    }
    run.bytes += last.size();
    run.live += last.is_live() ? last.size() : 0;
    run.blocks += last.is_live();
    while (run.bytes - run.first.size() >= needed) {
      run.bytes -= run.first.size();
      run.live -= run.first.is_live() ? run.first.size() : 0;
      run.blocks -= run.first.is_live();
      run.first.next();
      run.address = run.first.address();
    }
    if (run.bytes >= needed && (best.bytes == 0 || run.live < best.live)) best = run;
  }
  return best;
}

constexpr Word kNamed = 4;  // blocks that a report lists

void report_fragmentation(Report &report, const Heap &heap, Word needed, const hg_heap_stats &stats) {
  report.text("cause: fragmentation. ").number(stats.free_bytes).text(" bytes are free, but the largest free chunk has ");
  report.number(stats.largest_free).text(".\n");
  Hole hole = cheapest_hole(heap, needed);
  if (hole.bytes == 0 || hole.blocks == 0) return;
  report.number(hole.blocks).text(hole.blocks == 1 ? " block in use (" : " blocks in use (").number(hole.live);
  report.text(hole.blocks == 1 ? " bytes) keeps " : " bytes) keep ").number(hole.bytes).text(" bytes from ").address(hole.address).text(" on from being one hole:");
  const Word end = hole.address + hole.bytes;
  Word named = 0;
  ChunkCursor chunk = hole.first;
  do {
    if (chunk.begins_segment() || chunk.address() >= end) break;
    if (!chunk.is_live()) continue;
    report.text(named == 0 ? " " : ", ").address(chunk.address() + kWord).text(" (").number(chunk.size() - kWord).text(")");
    ++named;
  } while (named < kNamed && chunk.next());
  if (named < hole.blocks) report.text(", ...");
  report.text("\n");
}

// The size class with half of what is live, which only grew; kSizeLogs: none.
unsigned leaking_class(const Census &now) {
  unsigned most = 0;
  for (unsigned k = 0; k < kSizeLogs; ++k) {
    if (now.bytes[k] > now.bytes[most]) most = k;
  }
  constexpr unsigned kLeastLooks = 3;
  if (now.bytes[most] < now.live / 2 || g_history.count < kLeastLooks) return kSizeLogs;
  Word before = 0;
  for (unsigned i = 0; i < g_history.count; ++i) {
    if (g_history.looks[i].bytes[most] < before) return kSizeLogs;
    before = g_history.looks[i].bytes[most];
  }
  return now.bytes[most] > before ? most : kSizeLogs;
}

void report_leak(Report &report, const Census &now, unsigned k) {
  report.text("cause: a leak, as it looks. Blocks of ").number((Word{1} << k) - kWord).text(" to ");
  report.number((Word{2} << k) - 1 - kWord).text(" bytes hold ").number(now.bytes[k]).text(" of ").number(now.live);
  report.text(" live bytes, and only grew:");
  for (unsigned i = 0; i < g_history.count; ++i) {
    report.text(i == 0 ? " " : ", ").number(g_history.looks[i].bytes[k]).text(" when the heap had ");
    report.number(g_history.looks[i].footprint);
  }
  report.text(".\n");
}

void report_cause(Report &report, const Heap &heap, Word request, const hg_heap_stats &stats, const hg_malloc_stats &malloc) {
  if (request > kMaxRequest) {
    report.text("cause: shortage. No address space holds so many bytes.\n");
    return;
  }
  const Word needed = chunk_size_for(request);
  const Word idle = stats.free_bytes + malloc.cached;
  if (idle >= needed && idle >= heap.footprint() / kShare) {
    report_fragmentation(report, heap, needed, stats);
    return;
  }
  const Census now = take_census(heap);
  const unsigned leak = request <= now.live / 8 ? leaking_class(now) : kSizeLogs;
  if (leak != kSizeLogs) {
    report_leak(report, now, leak);
  } else if (g_history.first_memory == raw_limit()) {
    report.text("cause: a limit. Memory has ").number(raw_limit()).text(" bytes as at the beginning: it may not grow");
    report.text(" (-sALLOW_MEMORY_GROWTH, -sINITIAL_MEMORY), or not by so much (-sMAXIMUM_MEMORY).\n");
  } else {
    report.text("cause: shortage. ").number(malloc.in_use).text(" live bytes and ").number(request);
    report.text(" more do not fit; memory has ").number(raw_limit()).text(" bytes and was refused to grow (");
    report.text(g_history.first_memory != 0 ? "" : "-sALLOW_MEMORY_GROWTH, ").text("-sMAXIMUM_MEMORY).\n");
  }
}

}  // namespace

Word explain_failure(char *buffer, Word capacity) {
  Report report(buffer, capacity);
  const Heap *const heap = Heap::default_heap_if_made();
  const Word request = g_failed_request;
  if (request == 0) {
    report.text("no allocation has failed\n");
  } else {
    report.text("out of memory: ").number(request).text(" bytes were asked for\n");
  }
  if (heap == nullptr) return report.end();
  hg_heap_stats stats;
  heap->get_stats(&stats);
  hg_malloc_stats malloc;
  Malloc::get_stats(&malloc);
  if (request != 0) report_cause(report, *heap, request, stats, malloc);
  report.text("live ").number(malloc.in_use).text(" bytes, cached ").number(malloc.cached).text(", free ").number(stats.free_bytes);
  report.text(" in ").number(stats.chunks_free).text(" chunks (largest ").number(stats.largest_free).text("), heap ");
  report.number(stats.footprint).text(", memory ").number(raw_limit()).text("\n");
  return report.end();
}

void report_failure() {
  static bool reported = false;
  if (reported) return;
  reported = true;
  constexpr char kName[] = "heapglass: ";
  static char text[2000] = "heapglass: ";
  const Word name = sizeof kName - 1;
  const Word length = explain_failure(text + name, sizeof text - name);
  if constexpr (kReportsFailures) {
    Reporting reporting;
    write_standard_error(text, name + length);
  }
}

}  // namespace heapglass
