// The C++ containers, each used as programs use it: words counted in maps, queues of messages, tables of strings, matrices.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <list>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "bench.h"

namespace {

std::string random_word(Random &random) {
  std::string word;
  for (std::uint32_t count = random_between(&random, 2, 24); count > 0; --count)
    word.push_back(static_cast<char>('a' + random_below(&random, 26)));
  return word;
}

std::uint32_t fold_text(std::uint32_t sum, const std::string &text) {
  for (const char letter : text) sum = fold(sum, static_cast<unsigned char>(letter));
  return sum;
}

// How often each word came, and the lines it came in.
std::uint32_t index_words(Random &random, std::uint32_t lines) {
  std::map<std::string, std::vector<std::uint32_t>> index;
  std::unordered_map<std::uint32_t, std::string> texts;
  for (std::uint32_t line = 0; line < lines; ++line) {
    std::string text;
    for (std::uint32_t count = random_between(&random, 1, 12); count > 0; --count) {
      std::string word = random_word(random);
      word.resize(std::min<std::size_t>(word.size(), 3));
      text += word;
      text += ' ';
      index[std::move(word)].push_back(line);
    }
    texts.emplace(line, std::move(text));
  }
  std::uint32_t sum = kFoldBegin;
  for (const auto &[word, found] : index) sum = fold(fold_text(sum, word), static_cast<std::uint32_t>(found.size()));
  for (std::uint32_t line = 0; line < lines; line += 2) texts.erase(line);
  for (std::uint32_t line = 1; line < lines; line += 2) sum = fold_text(sum, texts[line]);
  return sum;
}

// Messages that wait in lists and move from one to the next.
std::uint32_t pass_messages(Random &random, std::uint32_t steps) {
  std::list<std::string> queues[8];
  std::uint32_t sum = kFoldBegin;
  for (std::uint32_t step = 0; step < steps; ++step) {
    std::list<std::string> &from = queues[random_below(&random, 8)], &to = queues[random_below(&random, 8)];
    if (from.size() > 500 || random_below(&random, 5) == 0) {
      sum = from.empty() ? fold(sum, step) : fold_text(sum, from.front());
      if (!from.empty()) from.pop_front();
    } else if (!from.empty() && random_below(&random, 2) == 0) {
      to.splice(to.end(), from, from.begin());
    } else {
      to.push_back(random_word(random));
    }
  }
  return sum;
}

// Sparse rows that are appended to, sorted and merged.
std::uint32_t merge_rows(Random &random, std::uint32_t rounds) {
  std::vector<std::vector<std::uint32_t>> rows(200);
  std::uint32_t sum = kFoldBegin;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    auto &row = rows[random_below(&random, 200)], &other = rows[random_below(&random, 200)];
    for (std::uint32_t count = random_between(&random, 1, 60); count > 0; --count) row.push_back(random_below(&random, 4000));
    std::sort(row.begin(), row.end());
    if (&row == &other || row.size() < 200) continue;
    std::vector<std::uint32_t> merged;
    std::set_union(row.begin(), row.end(), other.begin(), other.end(), std::back_inserter(merged));
    sum = fold(sum, static_cast<std::uint32_t>(merged.size()));
    row = std::vector<std::uint32_t>(merged.begin(), merged.begin() + static_cast<std::ptrdiff_t>(merged.size() / 4));
    other.clear();
    other.shrink_to_fit();
  }
  return sum;
}

// A table whose entries come and go.
std::uint32_t churn_table(Random &random, std::uint32_t steps) {
  std::unordered_map<std::string, std::uint32_t> table;
  std::map<std::uint32_t, std::string> by_age;
  std::uint32_t sum = kFoldBegin, oldest = 0;
  for (std::uint32_t step = 0; step < steps; ++step) {
    std::string key = random_word(random);
    if (!table.emplace(key, step).second) continue;
    by_age.emplace(step, std::move(key));
    if (by_age.size() <= 20000) continue;
    const auto first = by_age.lower_bound(oldest);
    oldest = first->first + 1;
    sum = fold(sum, table[first->second]);
    table.erase(first->second);
    by_age.erase(first);
  }
  return fold(sum, static_cast<std::uint32_t>(table.size()));
}

}  // namespace

bool bench_program(std::uint32_t percent, std::uint32_t *checksum) {
  Random random = {0x165667b1u};
  *checksum = fold(kFoldBegin, index_words(random, part_of(14000, percent)));
  *checksum = fold(*checksum, pass_messages(random, part_of(200000, percent)));
  *checksum = fold(*checksum, merge_rows(random, part_of(20000, percent)));
  *checksum = fold(*checksum, churn_table(random, part_of(100000, percent)));
  return true;
}
