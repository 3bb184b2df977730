// Containers of the C++ library: each thread, for itself, fills a map of strings, a table of vectors and a vector of
// strings that grows, erases half of them, reads the rest and drops it all. What programs in C++ do with an allocator most.

#include <cstring>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "workload.hpp"

namespace {

constexpr unsigned kRounds = 25;
constexpr unsigned kEntries = 3000;

unsigned g_rounds;

std::string word(Random &random) {
  std::string letters;
  for (unsigned left = random.between(3, 40); left > 0; --left) letters += static_cast<char>('a' + random.below(26));
  return letters;
}

std::uint64_t sum_of(const std::string &letters) {
  std::uint64_t sum = letters.size();
  for (const char letter : letters) sum = sum * 31 + static_cast<unsigned char>(letter);
  return sum;
}

std::uint64_t one_round(Random &random) {
  std::map<std::uint32_t, std::string> by_number;
  std::unordered_map<std::string, std::vector<std::uint32_t>> places;
  std::vector<std::string> lines;
  for (unsigned entry = 0; entry < kEntries; ++entry) {
    const std::string name = word(random);
    by_number[random.below(kEntries * 2)] = name;
    std::vector<std::uint32_t> &numbers = places[name.substr(0, 2)];
    numbers.push_back(entry);
    lines.push_back(name + ' ' + name);
  }
  unsigned at = 0;
  for (auto entry = by_number.begin(); entry != by_number.end();) {
    entry = at++ % 2 == 0 ? by_number.erase(entry) : std::next(entry);
  }
  std::uint64_t sum = 0;
  for (const auto &[number, name] : by_number) sum += number + sum_of(name);
  for (const auto &[name, numbers] : places) sum += sum_of(name) * numbers.size() + numbers.back();
  for (const std::string &line : lines) sum += line.size();
  return sum;
}

std::uint64_t fill_and_drop(void *, unsigned number) {
  Random random(number + 1);
  std::uint64_t sum = 0;
  for (unsigned round = 0; round < g_rounds; ++round) sum += one_round(random);
  return sum;
}

Outcome containers(unsigned threads, double share) {
  g_rounds = static_cast<unsigned>(kRounds * share);
  if (g_rounds == 0) g_rounds = 1;
  return run_threads(threads, fill_and_drop, nullptr);
}

const Workload listed("containers", containers);

}  // namespace
