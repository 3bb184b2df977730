// The grammar: what a program is made of. README.md shows it as rules with their odds; grammar.cpp and size_law.cpp
// draw from it; describe.cpp puts a program into words.
//
//   program := phase+            1 to 6
//   phase   := sizes order keep calls realloc touch side*     see the enumerations below
//   side    := vectors | strings | tables | pairs | lists | trees | queues
//
//   G1  A program is 1 to 6 phases, run once to 3 times in a row; a phase is run once to 4 times in a row.
//   G2  A phase takes blocks and frees them by its order, and has 0 to 3 structures beside them.
//   G3  The names below are the productions. They stand in a description as "order: oldest first", and the test wants
//       each of them in some description.
#pragma once

#include <cstdint>

#include "size_law.hpp"

/// What is freed when the live blocks of a phase reach its target.
enum class Order : std::uint8_t {
  newest_first,      // down to `percent` of the target
  oldest_first,      // one for each that comes
  random,            // one for each that comes
  nearly_oldest,     // the oldest, or one of the `reach` after it; one for each that comes
  by_size,           // half of them, the smallest or the largest first
  generations,       // of every `reach` young ones all but `percent` %; the old ones at random, or half of them
  all_as_taken,      // all
  all_reversed,      // all
  all_shuffled,      // all
  all_nearly,        // all, as taken but for a shuffle within `reach`
  bursts,            // `reach` are taken and freed again above a base of `percent` % of the target
  batches,           // `percent` % of them, at random or the oldest
  count,
};
inline constexpr const char *kOrderNames[] = {"newest first", "oldest first", "random",       "nearly oldest first",
                                              "by size",      "generations",  "all as taken", "all reversed",
                                              "all shuffled", "all nearly as taken", "bursts", "batches"};
static_assert(sizeof kOrderNames / sizeof *kOrderNames == static_cast<unsigned>(Order::count));

enum class Keep : std::uint8_t { none, one_in_500, one_in_50, one_in_10, one_in_3, count };
inline constexpr std::uint32_t kKeepOneIn[] = {0, 500, 50, 10, 3};
inline constexpr const char *kKeepNames[] = {"none", "1 in 500", "1 in 50", "1 in 10", "1 in 3"};
static_assert(sizeof kKeepNames / sizeof *kKeepNames == static_cast<unsigned>(Keep::count));

enum class Resize : std::uint8_t { up, down, plus, half_more, twice, trim, count };
inline constexpr const char *kResizeNames[] = {"up to 4 times", "down", "plus 1-64", "x1.5", "x2", "less 1-16"};
static_assert(sizeof kResizeNames / sizeof *kResizeNames == static_cast<unsigned>(Resize::count));

enum class Touch : std::uint8_t { ends, first_64, all, count };
inline constexpr const char *kTouchNames[] = {"ends", "first 64 bytes", "all"};
static_assert(sizeof kTouchNames / sizeof *kTouchNames == static_cast<unsigned>(Touch::count));

/// Structures beside the blocks of a phase.
enum class Kind : std::uint8_t { vectors, strings, tables, pairs, lists, trees, queues, count };
inline constexpr const char *kKindNames[] = {"vectors", "strings", "tables", "pairs", "lists", "trees", "queues"};
static_assert(sizeof kKindNames / sizeof *kKindNames == static_cast<unsigned>(Kind::count));

enum class Growth : std::uint8_t { twice, half_more, plus_64, count };
inline constexpr const char *kGrowthNames[] = {"x2", "x1.5", "+64"};
static_assert(sizeof kGrowthNames / sizeof *kGrowthNames == static_cast<unsigned>(Growth::count));

struct Side {
  Kind kind;
  Growth growth;               // of vectors
  bool copies;                 // vectors and strings: malloc, copy, free instead of realloc
  bool doubles;                // strings: the capacity doubles; else it is the length
  bool keeps;                  // vectors and strings: one in four stays beyond the phase
  bool payload;                // nodes: each with a block of the phase's sizes beside it
  bool from_back;              // lists: freed as taken; trees: children before parents
  std::uint32_t at_once;       // how many of these there are; of pairs: how many temporaries at a time
  std::uint32_t most;          // bytes of a vector or string, nodes of a structure
  std::uint32_t node_size;     // of tables, lists and trees
  std::uint32_t time_percent;  // of the phase's time, by the cost model
  std::uint32_t share;         // of the operations, in 65536ths
};

struct Phase {
  static constexpr std::uint32_t kMostSides = 3;

  SizeLaw sizes;
  std::uint32_t repeats, operations;          // operations of each repeat
  std::uint32_t target_bytes, target_blocks;  // live at most: whichever comes first
  Order order;
  std::uint32_t reach, percent;  // see Order
  bool other_way;                // by_size: largest first; generations: half at once; bursts: reversed; batches: oldest
  Keep keep;
  std::uint32_t release_percent;  // of what earlier phases kept, freed at random when this one begins
  std::uint32_t calloc_percent, aligned_percent, most_aligned;  // alignments: 16 to `most_aligned`
  std::uint32_t realloc_percent;
  Resize resize;
  Touch touch;
  std::uint32_t side_count;
  Side sides[kMostSides];
};

struct Program {
  static constexpr std::uint32_t kMostPhases = 6;

  std::uint32_t seed, rounds, phase_count;
  std::uint32_t most_kept_bytes;  // half of the largest target
  bool kept_as_taken;             // at the end, what was kept is freed as taken; else at random
  Phase phases[kMostPhases];
};

/// Whose program: 0 on one thread, else the thread's number. `percent` of the length and of the live bytes.
struct Part {
  std::uint32_t stream, time_percent, bytes_percent;
};
void draw_program(Program &program, std::uint32_t seed, const Part &part);
