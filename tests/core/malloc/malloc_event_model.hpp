// A strict reader of the events of malloc (54 to 57, P4 of event.h) over the strict reader of the heap's: what is cached, by
// whom, and that nothing happens to a cached chunk before it is taken out.
#pragma once

#include <heapglass/heapglass.h>

#include <map>

#include "malloc/size_classes.hpp"
#include "heap/event_model.hpp"
#include "heap/event_recording.hpp"

namespace heapglass_test {

#if HG_TRACE

class MallocEventModel {
 public:
  struct Cached { std::uint32_t size, holder, list; };

  explicit MallocEventModel(std::uint32_t heap) : heap_id_(heap), heap_(hg_trace_ring()->word_size) {}

  // "" or what is wrong with the event. Events of other heaps are passed over.
  std::string apply(const hg_event &e) {
    const std::uint32_t kind = e.head & 0xff;
    if (kind == HG_EVENT_thread_changed) {
      if (e.b != acting_) return "not the thread that acted";
      acting_ = e.a;
      return "";
    }
    if ((e.head >> 8 & 0xff) != heap_id_) return "";
    if (released_ != 0 && !(kind == HG_EVENT_chunk_released && e.a == released_)) return "cached_ended without chunk_released";
    released_ = 0;
    ++counts_[kind];
    switch (kind) {
      case HG_EVENT_chunk_cached: return cache(e);
      case HG_EVENT_chunk_reused: return reuse(e);
      case HG_EVENT_cached_moved: return move(e);
      case HG_EVENT_cached_ended: return end(e);
      case HG_EVENT_chunk_split:
      case HG_EVENT_chunks_merged:
      case HG_EVENT_chunk_released:
        if (cached_.count(e.a) != 0) return "a cached chunk is changed";
        if (kind == HG_EVENT_chunks_merged && cached_.count(e.a + e.b) != 0) return "a cached chunk is joined";
        break;
      default: break;
    }
    return heap_.apply(e);
  }
  std::string apply_all(const std::vector<hg_event> &events) {
    for (std::size_t i = 0; i < events.size(); ++i) {
      const hg_event &e = events[i];
      const std::string wrong = apply(e);
      if (wrong.empty()) continue;
      return wrong + ": event " + std::to_string(i) + " kind " + std::to_string(e.head & 0xff) + " detail " +
             std::to_string(e.head >> 16) + " a " + std::to_string(e.a) + " b " + std::to_string(e.b) + " c " + std::to_string(e.c);
    }
    return "";
  }

  std::vector<hg_walk_record> walk() const {
    std::vector<hg_walk_record> records = heap_.walk(heap_id_);
    for (hg_walk_record &record : records) {
      const auto found = cached_.find(record.address);
      if ((record.kind & 0xff) != HG_WALK_chunk_in_use || found == cached_.end()) continue;
      record.extra ^= heapglass::kCachedFlip;  // its header has B in place of C
      record.kind = HG_WALK_chunk_cached | heap_id_ << 8 | found->second.holder << 16;
    }
    return records;
  }
  const std::map<std::uint32_t, Cached> &cached() const { return cached_; }
  std::size_t count(std::uint32_t kind) const {
    const auto found = counts_.find(kind);
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  std::string cache(const hg_event &e) {
    if (cached_.count(e.a) != 0) return "cached twice";
    if (e.c != acting_) return "cached by another thread than the acting one";
    if (e.head >> 16 != class_of(e.b)) return "not the list of that size";
    cached_[e.a] = {e.b, e.c, e.head >> 16};
    return "";
  }
  std::string reuse(const hg_event &e) {
    const std::string wrong = known(e.a, e.head >> 16, acting_);
    if (!wrong.empty()) return wrong;
    if (cached_[e.a].size != e.b) return "not the size it was cached with";
    if (e.c + hg_trace_ring()->word_size > e.b) return "too small for the request";
    cached_.erase(e.a);
    return "";
  }
  std::string move(const hg_event &e) {
    const std::string wrong = known(e.a, e.head >> 16, e.b);
    if (wrong.empty()) cached_[e.a].holder = e.c;
    return wrong;
  }
  std::string end(const hg_event &e) {
    const std::string wrong = known(e.a, e.head >> 16, e.c);
    if (!wrong.empty()) return wrong;
    if (cached_[e.a].size != e.b) return "not the size it was cached with";
    cached_.erase(e.a);
    released_ = e.a;
    return "";
  }
  std::string known(std::uint32_t at, std::uint32_t list, std::uint32_t holder) const {
    const auto found = cached_.find(at);
    if (found == cached_.end()) return "not a cached chunk";
    if (found->second.list != list) return "not the list it is on";
    return found->second.holder != holder ? "not its holder" : "";
  }
  static std::uint32_t class_of(std::uint32_t size) { return heapglass::list_in_events(size); }

  std::uint32_t heap_id_;
  EventModel heap_;
  std::uint32_t acting_ = hg_thread_number();  // who begins the story
  std::uint32_t released_ = 0;  // cached_ended named it; 0: none
  std::map<std::uint32_t, Cached> cached_;
  std::map<std::uint32_t, std::size_t> counts_;
};

inline std::vector<hg_walk_record> walk_of_heap(const hg_heap *heap) {
  std::vector<hg_walk_record> records;
  hg_walk_record part[61];
  hg_walk walk;
  hg_walk_begin(&walk, heap);
  while (const std::size_t n = hg_walk_next(&walk, part, 61)) records.insert(records.end(), part, part + n);
  return records;
}

// "" or the first record in which the walk and the story differ.
inline std::string difference(const std::vector<hg_walk_record> &walked, const std::vector<hg_walk_record> &told) {
  const auto text = [](const hg_walk_record &r) {
    return "kind " + std::to_string(r.kind & 0xff) + " detail " + std::to_string(r.kind >> 16) + " at " +
           std::to_string(r.address) + " size " + std::to_string(r.size) + " extra " + std::to_string(r.extra);
  };
  for (std::size_t i = 0; i < walked.size() && i < told.size(); ++i) {
    const hg_walk_record &a = walked[i], &b = told[i];
    if (a.kind != b.kind || a.address != b.address || a.size != b.size || a.extra != b.extra) {
      return "record " + std::to_string(i) + ": walked " + text(a) + ", told " + text(b);
    }
  }
  return walked.size() == told.size() ? "" : std::to_string(walked.size()) + " records walked, told " + std::to_string(told.size());
}

#endif

}  // namespace heapglass_test
