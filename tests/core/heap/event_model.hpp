// A strict reader of the heap's events: applies each fact to a picture of the heap and refuses what cannot be. It is
// written from event.h and docs/trace_format.md alone; in the end its picture must equal what walking finds.
#pragma once

#include <heapglass/event.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/event_words.hpp"

namespace heapglass_test {

class EventModel {
 public:
  explicit EventModel(std::uint32_t word_size) : word_(word_size) {}

  // "" or what is wrong with the event.
  std::string apply(const hg_event &e) {
    wrong_ = word_out_of_place(e);
    const std::uint32_t kind = e.head & 0xff;
    const std::uint32_t detail = e.head >> 16;
    switch (kind) {
      case HG_EVENT_segment_added:
        segments_[e.a] = {e.b, e.c};
        add_free(e.c, e.a + e.b - word_ - e.c);
        break;
      case HG_EVENT_segment_extended:
        expect(segments_[e.a].size == e.b, "old size of the segment");
        segments_[e.a].size = e.c;
        add_free(e.a + e.b - word_, e.c - e.b);
        break;
      case HG_EVENT_segment_trimmed:
        expect(segments_[e.a].size == e.b, "old size of the segment");
        segments_[e.a].size = e.c;
        drop(e.a + e.c - word_, e.b - e.c);
        break;
      case HG_EVENT_segment_removed:
        expect(segments_[e.a].size == e.b && segments_[e.a].first == e.c, "the segment");
        segments_.erase(e.a);
        drop(e.c, e.a + e.b - word_ - e.c);
        break;
      case HG_EVENT_chunk_split: split(e); break;
      case HG_EVENT_chunks_merged: merge(e, detail); break;
      case HG_EVENT_chunk_taken:
        if (detached(e.a, e.b)) chunks_[e.a].in_use = true;
        break;
      case HG_EVENT_chunk_released:
        expect(chunks_.count(e.a) != 0 && chunks_[e.a].in_use && chunks_[e.a].size == e.b, "a chunk in use");
        chunks_[e.a].in_use = false;
        break;
      case HG_EVENT_burst_carved:
        if (!detached(e.a, e.b * e.c)) break;
        for (std::uint32_t i = 0; i < e.c; ++i) chunks_[e.a + i * e.b] = {e.b, true};
        break;
      case HG_EVENT_bin_inserted: {
        if (!detached(e.a, e.b)) break;
        std::vector<std::uint32_t> &bin = bins_[detail];
        const auto after = e.c == 0 ? bin.begin() : std::find(bin.begin(), bin.end(), e.c) + 1;
        bin.insert(after, e.a);
        break;
      }
      case HG_EVENT_bin_removed: {
        std::vector<std::uint32_t> &bin = bins_[detail];
        const auto at = std::find(bin.begin(), bin.end(), e.a);
        expect(at != bin.end(), "a chunk in that bin");
        if (at == bin.end()) break;
        expect((at == bin.begin() ? 0 : at[-1]) == e.c, "the predecessor in the bin");
        bin.erase(at);
        break;
      }
      case HG_EVENT_top_changed: keep(top_, e); break;
      case HG_EVENT_victim_changed: keep(victim_, e); break;
      default: break;
    }
    return wrong_;
  }

  // What the walk of this heap must give: segments, chunks, bins (W1, W2).
  std::vector<hg_walk_record> walk(std::uint32_t heap_id) const {
    std::vector<hg_walk_record> records;
    const auto put = [&](std::uint32_t kind, std::uint32_t detail, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
      records.push_back({kind | heap_id << 8 | detail << 16, a, b, c});
    };
    for (const auto &[base, segment] : segments_) {
      put(HG_WALK_segment, 0, base, segment.size, segment.first);
      std::uint32_t previous = 2;
      for (auto it = chunks_.find(segment.first); it != chunks_.end() && it->first < base + segment.size; ++it) {
        const auto &[at, chunk] = *it;
        const std::uint32_t word = chunk.size | previous | (chunk.in_use ? 1u : 0u);
        previous = chunk.in_use ? 2 : 0;
        if (chunk.in_use) put(HG_WALK_chunk_in_use, 0, at, chunk.size, word);
        else if (at == top_) put(HG_WALK_chunk_top, 0, at, chunk.size, word);
        else if (at == victim_) put(HG_WALK_chunk_victim, 0, at, chunk.size, word);
        else put(HG_WALK_chunk_free, bin_of(at), at, chunk.size, word);
      }
    }
    for (const auto &[bin, list] : bins_) {
      for (std::uint32_t i = 0; i < list.size(); ++i) put(HG_WALK_bin_entry, bin, list[i], chunks_.at(list[i]).size, i);
    }
    return records;
  }

  std::size_t chunks() const { return chunks_.size(); }

 private:
  struct Chunk { std::uint32_t size; bool in_use; };
  struct Segment { std::uint32_t size, first; };

  void expect(bool holds, const char *what) {
    if (!holds && wrong_.empty()) wrong_ = std::string("not ") + what;
  }
  std::uint32_t bin_of(std::uint32_t at) const {
    for (const auto &[bin, list] : bins_) {
      if (std::find(list.begin(), list.end(), at) != list.end()) return bin;
    }
    return HG_NO_BIN;
  }
  bool kept(std::uint32_t at) const { return at == top_ || at == victim_ || bin_of(at) != HG_NO_BIN; }
  bool detached(std::uint32_t at, std::uint32_t size) {
    const auto it = chunks_.find(at);
    const bool good = it != chunks_.end() && !it->second.in_use && it->second.size == size && !kept(at);
    expect(good, "a detached free chunk of that size");
    return good;
  }
  void add_free(std::uint32_t at, std::uint32_t size) {
    expect(chunks_.count(at) == 0, "new memory");
    chunks_[at] = {size, false};
  }
  void drop(std::uint32_t at, std::uint32_t size) {
    if (detached(at, size)) chunks_.erase(at);
  }
  void split(const hg_event &e) {
    const auto it = chunks_.find(e.a);
    expect(it != chunks_.end() && it->second.size == e.b + e.c, "a chunk of both sizes");
    if (!wrong_.empty()) return;
    expect(it->second.in_use || !kept(e.a), "detached");
    it->second.size = e.b;
    chunks_[e.a + e.b] = {e.c, false};
  }
  void merge(const hg_event &e, std::uint32_t in_use) {
    const auto left = chunks_.find(e.a);
    const auto right = chunks_.find(e.a + e.b);
    expect(left != chunks_.end() && right != chunks_.end(), "two neighbours");
    if (!wrong_.empty()) return;
    expect(left->second.size == e.b && right->second.size == e.c, "of those sizes");
    expect(left->second.in_use == (in_use == 1) && right->second.in_use == (in_use == 2), "in use as told");
    expect(!kept(e.a) && !kept(e.a + e.b), "detached");
    left->second = {e.b + e.c, in_use != 0};
    chunks_.erase(right);
  }
  void keep(std::uint32_t &place, const hg_event &e) {
    expect(place == e.b, "what was there before");
    place = 0;
    if (e.a != 0) {
      const auto it = chunks_.find(e.a);
      expect(it != chunks_.end() && !it->second.in_use && !kept(e.a), "a detached free chunk");
    }
    place = e.a;
  }

  std::uint32_t word_;
  std::map<std::uint32_t, Segment> segments_;
  std::map<std::uint32_t, Chunk> chunks_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> bins_;
  std::uint32_t top_ = 0;
  std::uint32_t victim_ = 0;
  std::string wrong_;
};

}  // namespace heapglass_test
