// What an expansion command must do, computed from the neighbourhood alone (document's "effects of this function").
//
//   word      B bytes free before     S bytes of the subject      A bytes free after
//   +--------------------------+------+---------------------------+------------------+
//                              ^ chunk  ^ reuse, usable U = S - word
//
//  O1  a chunk for n objects of o bytes has C(n) = max(kLeastChunk, round_up(n * o + word, alignment)) bytes.
//  O2  forward reaches C(n) <= S + A.
//  O3  backward moves the start by d, a multiple of lcm(o, alignment), where d == B or B - d >= kLeastChunk (else the
//      rest would be no chunk); reaches U + d >= n * o.
//  O4  both reaches U + A + d >= n * o.
//  O5  new reaches C(n) <= the largest free chunk.
//  O6  order: forward with any size >= limit, when named; then preferred by the other ways; then limit by the same.
//  O7  on failure received is the most any named way reaches now.
#pragma once

#include "neighbourhood.hpp"

namespace command_tests {

struct Reach {
  size_t object_size;
  size_t usable;   // U
  size_t before;   // B
  size_t after;    // A
  size_t largest;  // of all free chunks

  explicit Reach(size_t object_bytes, const Neighbourhood &at)
      : object_size(object_bytes),
        usable(hg_usable_size(at.subject())),
        before(at.before()),
        after(at.after()),
        largest(at.largest_free()) {}

  size_t unit() const;               // lcm(o, alignment)
  size_t now() const;                // objects that fit in U
  bool distance_fits(size_t d) const;  // O3
  size_t longest_distance() const;
  size_t forward() const;   // the most objects, by way
  size_t backward() const;
  size_t both() const;
  size_t fresh() const;     // 0 when nothing is free
  size_t best(uint32_t flags) const;
};

enum class Way { kNone, kForward, kOther };

struct Expected {
  bool success;
  Way way;
  size_t least;     // objects received at least: preferred, limit, or exactly what forward gives
  size_t on_failure;
};

Expected expected_of(const Reach &reach, uint32_t flags, size_t limit, size_t preferred);

}  // namespace command_tests
