#include "platform/page_source.hpp"

#include "base/address.hpp"
#include "base/build.hpp"
#include "base/failure.hpp"

namespace heapglass {

namespace {

PageSource g_source;

std::uintptr_t end_of(const ReleasedRun *run) { return address_of(run) + run->bytes; }

}  // namespace

PageSource *growing_pages() { return &g_source; }

void PageSource::begin() {
  const Hold hold(lock_);
  find_memory();
}

void PageSource::find_memory() {
  if (base != 0) return;
  base = frontier = raw_begin();
  if constexpr (kFreestanding) {
    known_end = raw_first_end();
  } else {
    known_end = raw_end();
  }
}

// Handles an end of memory that others moved: what this source had not handed out becomes a released run, and the memory of
// the others is skipped.
void PageSource::settle() {
  const std::uintptr_t end = raw_end();
  if (end == known_end) return;
  if constexpr (kIsMalloc && !kFreestanding) {  // sbrk: this source owns only what it handed out
    known_end = end;
    frontier = round_up(end, kBreakAlign);
    return;
  }
  const Word rest = known_end > frontier ? round_down(known_end - frontier, kGrain) : 0;
  const std::uintptr_t run = frontier;
  known_end = end;
  frontier = base + round_up(end - base, kGrain);
  if (rest == 0 || run >= end) return;
  ReleasedRun *const left = reinterpret_cast<ReleasedRun *>(run);
  left->next = nullptr;
  left->bytes = rest;
  put_back(left);
}

// Clears what Heap::note_growth and tests read about the last call. The small profile has neither.
inline void PageSource::begin_note() {
  if constexpr (!kLeastCode) old_end = new_end = known_end;
  refused = false;
}

bool PageSource::claim(std::uintptr_t end) {
  begin_note();
  if (end > known_end) {
    if (!raw_grow(end - known_end)) {
      refused = true;
      return false;
    }
    known_end = raw_end();
    if constexpr (!kLeastCode) new_end = known_end;
  }
  frontier = end;
  return true;
}

#if HG_HARDENED
ReleasedRun *PageSource::proved(ReleasedRun *run) {
  if (run == nullptr) return nullptr;
  const Word bytes = run->bytes;
  const ReleasedRun *const next = run->next;
  const bool fits = bytes % kGrain == 0 && bytes - 1 < g_source.frontier - address_of(run);
  if (!fits || (next != nullptr && (next < run || address_of(next) - address_of(run) < bytes))) fail(kFailure_damaged_link, run, nullptr);
  return run;
}
#endif

// Removes the first `bytes` of the run at *link from the list.
void PageSource::take(Link<ReleasedRun> *link, Word bytes) {
  ReleasedRun *const run = *link;
  ReleasedRun *const next = run->next;
  if (run->bytes == bytes) {
    *link = next;
    return;
  }
  ReleasedRun *const rest = at_offset<ReleasedRun>(run, bytes);
  rest->next = next;
  rest->bytes = run->bytes - bytes;
  *link = rest;
}

// Takes the first released run of at least `bytes`, otherwise the last run if it can grow, otherwise nullptr.
void *PageSource::take_fitting(PageSource &source, Word bytes) {
  Link<ReleasedRun> *link = &source.released;
  for (; *link != nullptr; link = &(*link)->next) {
    ReleasedRun *const run = proved(*link);
    if (run->bytes >= bytes) {
      take(link, bytes);
      return run;
    }
    if (end_of(run) == source.frontier) {
      if (bytes > ~address_of(run) || !source.claim(address_of(run) + bytes)) return nullptr;
      *link = nullptr;
      return run;
    }
  }
  return nullptr;
}

void *PageSource::acquire(Word bytes) {
  const Hold hold(lock_);
  find_memory();
  settle();
  begin_note();
  if (take_apart != nullptr) take_apart(*this);
  if (reuse != nullptr) {
    if (void *const run = reuse->take_fitting(*this, bytes)) return run;
  }
  const std::uintptr_t start = frontier;
  if (refused || bytes > ~start || !claim(start + bytes)) {
    refused = true;
    return nullptr;
  }
  return reinterpret_cast<void *>(start);
}

// Takes `bytes` from `start` on if a released run begins there. The last run may also take memory behind the frontier.
bool PageSource::take_following(PageSource &source, std::uintptr_t start, Word bytes) {
  Link<ReleasedRun> *link = &source.released;
  while (*link != nullptr && address_of(*link) < start) link = &proved(*link)->next;
  ReleasedRun *const run = proved(*link);
  if (run == nullptr || address_of(run) != start) return false;
  if (run->bytes >= bytes) {
    take(link, bytes);
  } else {
    if (end_of(run) != source.frontier || !source.claim(start + bytes)) return false;
    *link = nullptr;
  }
  forget_words(run, sizeof *run);
  return true;
}

constexpr RunReuse PageSource::kReuse = {take_fitting, take_following};

bool PageSource::extend(void *at, Word bytes) {
  const Hold hold(lock_);
  settle();
  begin_note();
  const std::uintptr_t start = address_of(at);
  if (bytes > ~start) return false;
  if (start == frontier) return claim(start + bytes);
  if (take_apart != nullptr) take_apart(*this);
  return reuse != nullptr && reuse->take_following(*this, start, bytes);
}

void PageSource::release(ReleasedRun *first) {
  const Hold hold(lock_);
  put_back(first);
}

void PageSource::retire(ReleasedRun *first, void *in) {
  const Hold hold(lock_);
  RetiredRuns *const runs = static_cast<RetiredRuns *>(in);
  runs->next = retired;
  runs->first = first;
  retired = runs;
  take_apart = take_retired_apart;
}

void PageSource::reclaim() {
  const Hold hold(lock_);
  if (take_apart != nullptr) take_apart(*this);
}

Word PageSource::spare() {
  const Hold hold(lock_);
  find_memory();
  settle();
  if (take_apart != nullptr) take_apart(*this);
  Word bytes = known_end > frontier ? round_down(known_end - frontier, kGrain) : 0;
  for (const ReleasedRun *run = first_released(); run != nullptr; run = proved(run->next)) bytes += run->bytes;
  return bytes;
}

// Merges two lists of runs in address order into one, and joins neighbours. O(runs of both); reads and writes only the first
// two words of each run.
ReleasedRun *PageSource::merge(ReleasedRun *a, ReleasedRun *b) {
  Link<ReleasedRun> first;
  Link<ReleasedRun> *link = &first;
  ReleasedRun *last = nullptr;
  while (a != nullptr || b != nullptr) {
    note_run_visited();
    ReleasedRun *&lower = b == nullptr || (a != nullptr && a < b) ? a : b;
    ReleasedRun *const run = proved(lower);
    lower = run->next;
    if (last != nullptr && end_of(last) == address_of(run)) {
      last->bytes += run->bytes;
      forget_words(run, sizeof *run);
      continue;
    }
    last = run;
    *link = run;
    link = &run->next;
  }
  *link = nullptr;
  return first;
}

// pages.G6. Each round merges neighbouring chains, which halves their number.  pre: a chain is retired
void PageSource::take_retired_apart(PageSource &source) {
  while (source.retired->next != nullptr) {
    for (RetiredRuns *runs = source.retired; runs != nullptr && runs->next != nullptr; runs = runs->next) {
      runs->first = merge(runs->first, runs->next->first);
      runs->next = runs->next->next;
    }
  }
  source.put_back(source.retired->first);
  source.retired = nullptr;
  source.take_apart = nullptr;
}

void PageSource::put_back(ReleasedRun *first) {
  released = merge(first_released(), first);
  reuse = &kReuse;
}

}  // namespace heapglass
