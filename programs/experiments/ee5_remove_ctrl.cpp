// EE5: a text without its control characters, built the wasteful way: for each character kept a new string is made of the
// result so far and that character. The document: 2693 ms with std::string, 1124 with strings that always take one block
// of 512 bytes.
#include <heapglass/fixed_string.hpp>
#include <heapglass/standard_allocator.hpp>

#include <string>
#include <type_traits>

#include "experiments/ee_figures.hpp"
#include "experiments/experiment.h"
#include "experiments/program.hpp"

namespace experiments {
namespace ee5 {
namespace {

constexpr uint32_t kCharacters = 480;  // what is kept of them fits into a block of 512 with every library
constexpr uint32_t kEvery = 16;        // of so many one is a control character
constexpr Row kRows[] = {
    {"std::string", 10000, kCharacters, 0},
    {"fixed string", 10000, kCharacters, 0},
    {"heap", 10000, kCharacters, 0},
};

using FixedString = heapglass::fixed_string<512>;
using HeapString = std::basic_string<char, std::char_traits<char>, heapglass::minimal_allocator<char>>;
using FixedBlocks = heapglass::string_blocks<512>;

template <class String>
String without_controls(const String &text) {
  String kept;
  for (const char character : text) {
    if (static_cast<unsigned char>(character) >= 0x20) kept = kept + character;
  }
  return kept;
}

char character_at(uint32_t place) { return static_cast<char>(place % kEvery == kEvery - 1 ? '\t' : 'a' + place % 23); }

template <class String>
double count_errors(const String &result, uint32_t size) {
  double errors = result.size() != size - size / kEvery;
  std::size_t place = 0;
  for (uint32_t i = 0; i < size; ++i) {
    if (character_at(i) < 0x20) continue;
    errors += place >= result.size() || result[place] != character_at(i);
    ++place;
  }
  return errors;
}

template <class String>
void work(uint32_t times, uint32_t size, const BytesLeft &bytes) {
  String text;
  for (uint32_t i = 0; i < size; ++i) text += character_at(i);
  {
    const TotalAndEach timed("call_ns", times);
    for (uint32_t i = 0; i < times; ++i) {
      const String result = without_controls(text);
      keep(result);
    }
  }
  const String result = without_controls(text);
  experiment_figure("errors", count_errors(result, size));
  experiment_figure("characters", static_cast<double>(result.size()));
  if constexpr (std::is_same_v<String, FixedString>) report_fixed_block(FixedBlocks::manager());
  if constexpr (std::is_same_v<String, HeapString>) bytes.report_held();
}

bool begin(uint32_t row, uint32_t iterations) {
  const BytesLeft bytes;
  switch (row) {
    case 0: work<std::string>(iterations, kRows[row].size, bytes); break;
    case 1: work<FixedString>(iterations, kRows[row].size, bytes); break;
    default: work<HeapString>(iterations, kRows[row].size, bytes);
  }
  FixedBlocks::manager().clear();
  return true;
}

}  // namespace
}  // namespace ee5

extern const Program kEe5 = {HG_EXPERIMENT('E', 5), "EE5", ee5::kRows, sizeof ee5::kRows / sizeof(Row),
                             ee5::begin,            nullptr, nullptr};

}  // namespace experiments
