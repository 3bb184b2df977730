// Which words of an event have nothing to say, and are 0: those that the table HG_EVENTS calls _, and what an operation has no use
// for. Stateless; the strict readers ask it of each event.
//
//   op_begun   allocate    _        request    _            op_ended   allocate     address  size  status    size 0 without an address
//              deallocate  address  _          _                       deallocate   _        _     ok
//              trim        _        pad        _                       trim         _        size  ok
#pragma once

#include <heapglass/event.h>
#include <heapglass/heapglass.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace heapglass_test {

struct WordNames {
  std::string_view event, detail, a, b, c;
};

inline WordNames words_of_kind(std::uint32_t kind) {
  switch (kind) {
#define HG_NAMES(number, name, detail, a, b, c) \
  case number:                                  \
    return {#name, #detail, #a, #b, #c};
    HG_EVENTS(HG_NAMES)
#undef HG_NAMES
  }
  return {};
}

// Of op_begun and op_ended: _ is 0.
struct OperationWords {
  std::string_view address, request, argument, given, size;
};

inline OperationWords words_of_operation(std::uint32_t operation) {
  switch (operation) {
    case HG_OP_allocate: return {"_", "request", "_", "block", "size"};
    case HG_OP_deallocate: return {"block", "_", "_", "_", "_"};
    case HG_OP_allocate_zeroed: return {"_", "request", "object size", "block", "size"};
    case HG_OP_reallocate: return {"block", "request", "in place", "block", "size"};
    case HG_OP_allocate_aligned: return {"_", "request", "alignment", "block", "size"};
    case HG_OP_command: return {"block", "request", "flags", "block", "size"};
    case HG_OP_burst_nodes:
    case HG_OP_burst_arrays: return {"_", "request", "count", "blocks", "count"};
    case HG_OP_burst_deallocate: return {"blocks", "_", "count", "_", "_"};
    case HG_OP_trim: return {"_", "pad", "_", "_", "size"};
    case HG_OP_pool_allocate: return {"_", "node size", "pool", "node", "size"};
    case HG_OP_pool_deallocate: return {"node", "node size", "pool", "_", "_"};
    case HG_OP_pool_burst: return {"_", "count", "pool", "nodes", "count"};
    case HG_OP_pool_burst_deallocate: return {"nodes", "count", "pool", "_", "_"};
    case HG_OP_pool_trim: return {"pool", "_", "pool", "_", "size"};
    case HG_OP_pool_create: return {"_", "node size", "shape", "pool", "size"};
    case HG_OP_pool_destroy: return {"pool", "_", "pool", "_", "_"};
    case HG_OP_heap_create: return {"region", "size", "_", "heap", "size"};
    case HG_OP_heap_destroy: return {"heap", "_", "_", "_", "_"};
    case HG_OP_small_allocate: return {"_", "request", "pool", "node", "size"};
    case HG_OP_small_deallocate: return {"node", "node size", "pool", "_", "_"};
    case HG_OP_small_squeeze: return {"_", "_", "_", "_", "size"};
    case HG_OP_small_flush: return {"_", "_", "thread", "_", "_"};
    case HG_OP_malloc_flush: return {"_", "_", "_", "_", "size"};
    default: return {};
  }
}

// "" or the word that should be 0.
inline std::string word_out_of_place(const hg_event &e) {
  const std::uint32_t kind = e.head & 0xff, detail = e.head >> 16;
  const WordNames names = words_of_kind(kind);
  const std::string event(names.event);
  if (event.empty()) return "an event of no kind";
  const auto is_wrong = [](std::string_view name, std::uint32_t word) { return name == "_" && word != 0; };
  if (is_wrong(names.detail, detail) || is_wrong(names.a, e.a) || is_wrong(names.b, e.b) || is_wrong(names.c, e.c))
    return "a word in " + event + " that has no meaning";
  if (kind != HG_EVENT_op_begun && kind != HG_EVENT_op_ended) return "";
  const OperationWords words = words_of_operation(detail);
  if (words.address.empty()) return event + " of no operation";
  const std::string where = " of operation " + std::to_string(detail) + " in " + event;
  if (kind == HG_EVENT_op_begun) {
    const bool wrong = is_wrong(words.address, e.a) || is_wrong(words.request, e.b) || is_wrong(words.argument, e.c);
    return wrong ? "a word without meaning" + where : "";
  }
  if (is_wrong(words.given, e.a) || is_wrong(words.size, e.b)) return "a word without meaning" + where;
  if (words.given == "_") return e.c != HG_STATUS_ok ? "a status" + where : "";
  if (e.a == 0 && e.b != 0 && words.size == "size") return "a size without an address" + where;
  return e.a != 0 && e.c != HG_STATUS_ok ? "an address and a failure" + where : "";
}

}  // namespace heapglass_test
