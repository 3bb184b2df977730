// The word index against a std::map filled by a second, simpler reading of the rule in word_index.h.
#include "word_index/word_index.h"

#include <gtest/gtest.h>
#include <heapglass/heapglass.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "platform/page_source.hpp"

namespace {

using Positions = std::vector<uint32_t>;
using Naive = std::map<std::string, Positions>;

std::string lowered(std::string word) {
  for (char &c : word) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return word;
}

// Splits at every byte that is in no word, then takes apostrophes off the ends and splits at doubled ones.
Naive naive_index(const std::string &text) {
  Naive index;
  const auto is_word_byte = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (byte < 0x80 && std::isalnum(byte));
  };
  std::string kept = text;  // apostrophes that are not between two word bytes become blanks
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\'') continue;
    const bool inside = i > 0 && i + 1 < text.size() && is_word_byte(text[i - 1]) && is_word_byte(text[i + 1]);
    if (!inside) kept[i] = ' ';
  }
  for (size_t i = 0; i < kept.size();) {
    if (!is_word_byte(kept[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < kept.size() && (is_word_byte(kept[end]) || kept[end] == '\'')) ++end;
    index[lowered(text.substr(i, end - i))].push_back(static_cast<uint32_t>(i));
    i = end;
  }
  return index;
}

uint32_t feed(const std::string &piece) {
  void *buffer = word_index_buffer(static_cast<uint32_t>(piece.size()));
  if (buffer == nullptr) return WORD_INDEX_OUT_OF_MEMORY;
  piece.copy(static_cast<char *>(buffer), piece.size());
  return word_index_feed(static_cast<uint32_t>(piece.size()));
}

void feed_in_pieces(const std::string &text, std::mt19937 &random, size_t most) {
  for (size_t i = 0; i < text.size();) {
    const std::string piece = text.substr(i, 1 + random() % most);
    ASSERT_EQ(feed(piece), WORD_INDEX_OK);
    i += piece.size();
  }
  ASSERT_EQ(word_index_finish(), WORD_INDEX_OK);
}

Positions find(const std::string &word) {
  const word_index_places *places = word_index_find(word.data(), static_cast<uint32_t>(word.size()));
  EXPECT_NE(places, nullptr);
  return Positions(places->positions, places->positions + places->count);
}

void expect_equal(const std::string &text, const Naive &naive) {
  ASSERT_EQ(word_index_count(), naive.size());
  size_t total = 0;
  std::vector<std::pair<std::string, size_t>> order;
  for (const auto &[word, positions] : naive) {
    total += positions.size();
    order.emplace_back(word, positions.size());
    ASSERT_EQ(find(word), positions) << word;
  }
  ASSERT_EQ(word_index_total(), total);
  std::stable_sort(order.begin(), order.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
  for (size_t n : {size_t{0}, size_t{1}, size_t{7}, order.size(), order.size() + 5}) {
    const word_index_rows *rows = word_index_top(static_cast<uint32_t>(n));
    ASSERT_NE(rows, nullptr);
    ASSERT_EQ(rows->count, std::min(n, order.size()));
    for (uint32_t i = 0; i < rows->count; ++i) {
      const word_index_row &row = rows->rows[i];
      ASSERT_EQ(lowered(text.substr(row.position, row.size)), order[i].first) << "row " << i << " of " << n;
      ASSERT_EQ(row.count, order[i].second);
      ASSERT_EQ(row.position, naive.at(order[i].first)[0]);
    }
  }
}

size_t chunks_in_use() {
  hg_heap_stats stats;
  hg_heap_get_stats(hg_default_heap(), &stats);
  return stats.chunks_in_use;
}

class WordIndex : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(word_index_begin(), WORD_INDEX_OK); }
  void TearDown() override {
    heapglass::fail_growth(0);
    word_index_end();
    EXPECT_EQ(chunks_in_use(), 0u);
    EXPECT_STREQ(hg_heap_check(hg_default_heap()), nullptr);
  }
};

TEST_F(WordIndex, WordsAreWhatTheHeaderSays) {
  const std::string text = "Don't 'tis rock'n'roll a''b 'quoted' x' 1984 \xc3\x84rger e-mail DON'T";
  ASSERT_EQ(feed(text), WORD_INDEX_OK);
  ASSERT_EQ(word_index_finish(), WORD_INDEX_OK);
  EXPECT_EQ(find("don't"), (Positions{0, 59}));
  EXPECT_EQ(find("Tis"), Positions{7});
  EXPECT_EQ(find("rock'n'roll"), Positions{11});
  EXPECT_EQ(find("b"), Positions{26});
  EXPECT_EQ(find("quoted"), Positions{29});
  EXPECT_EQ(find("x"), Positions{37});
  EXPECT_EQ(find("1984"), Positions{40});
  EXPECT_EQ(find("\xc3\x84rger"), Positions{45});
  EXPECT_EQ(find("\xc3\xa4rger"), Positions{});
  EXPECT_EQ(find("mail"), Positions{54});
  EXPECT_EQ(find(""), Positions{});
  EXPECT_EQ(find("a''b"), Positions{});
  ASSERT_NO_FATAL_FAILURE(expect_equal(text, naive_index(text)));
}

// The regular expression of the header, matched by hand from left to right: W+ ( ' W+ )*
TEST_F(WordIndex, TheRegularExpressionOfTheHeaderFindsTheSameWords) {
  std::mt19937 random(3);
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "aB9' -'x\n"[random() % 9];
  const auto skip_word_bytes = [&](size_t i) {
    while (i < text.size() && std::isalnum(static_cast<unsigned char>(text[i]))) ++i;
    return i;
  };
  Naive naive;
  for (size_t i = 0; i < text.size();) {
    size_t end = skip_word_bytes(i);
    if (end == i) {
      ++i;
      continue;
    }
    while (end < text.size() && text[end] == '\'' && skip_word_bytes(end + 1) > end + 1) end = skip_word_bytes(end + 1);
    naive[lowered(text.substr(i, end - i))].push_back(static_cast<uint32_t>(i));
    i = end;
  }
  ASSERT_NO_FATAL_FAILURE(feed_in_pieces(text, random, 5));
  ASSERT_NO_FATAL_FAILURE(expect_equal(text, naive));
}

TEST_F(WordIndex, PiecesOfAnySizeGiveTheIndexOfTheWholeText) {
  for (uint32_t seed = 1; seed <= 20; ++seed) {
    std::mt19937 random(seed);
    std::string text;
    for (int i = 0; i < 1500; ++i) text += "aAbB'' .\xc3\xa9" "0"[random() % 11];
    ASSERT_NO_FATAL_FAILURE(feed_in_pieces(text, random, 1 + seed * 7));
    ASSERT_NO_FATAL_FAILURE(expect_equal(text, naive_index(text))) << "seed " << seed;
    EXPECT_EQ(word_index_text_size(), text.size());
    EXPECT_EQ(word_index_pending(), 0u);
    ASSERT_STREQ(hg_heap_check(hg_default_heap()), nullptr);
    word_index_end();
    ASSERT_EQ(chunks_in_use(), 0u);
    ASSERT_EQ(word_index_begin(), WORD_INDEX_OK);
  }
}

// A text of `count` words, few of them frequent and many rare.
std::string long_text(uint32_t seed, int count) {
  std::mt19937 random(seed);
  std::string text;
  for (int i = 0; i < count; ++i) {
    uint64_t rank = 1;
    while (random() % 4 != 0) rank = rank * 2 + random() % 2;
    for (; rank != 0; rank /= 26) text += static_cast<char>('a' + rank % 26);
    text += random() % 8 == 0 ? ".\n" : " ";
  }
  return text;
}

TEST_F(WordIndex, ALongTextIsIndexedA11) {
  std::mt19937 random(5);
  const std::string text = long_text(5, 60000);
  const Naive naive = naive_index(text);
  ASSERT_GT(naive.size(), 2000u);
  ASSERT_NO_FATAL_FAILURE(feed_in_pieces(text, random, 3000));
  ASSERT_NO_FATAL_FAILURE(expect_equal(text, naive));
  ASSERT_STREQ(hg_heap_check(hg_default_heap()), nullptr);
}

TEST_F(WordIndex, AWordIsPendingUntilItIsDecided) {
  ASSERT_EQ(feed("one tw"), WORD_INDEX_OK);
  EXPECT_EQ(word_index_count(), 1u);
  EXPECT_EQ(word_index_pending(), 2u);
  ASSERT_EQ(feed("o'"), WORD_INDEX_OK);
  EXPECT_EQ(word_index_count(), 1u);
  ASSERT_EQ(feed("s thre"), WORD_INDEX_OK);
  EXPECT_EQ(find("two's"), Positions{4});
  ASSERT_EQ(word_index_finish(), WORD_INDEX_OK);
  EXPECT_EQ(find("thre"), Positions{10});
  EXPECT_EQ(word_index_pending(), 0u);
  ASSERT_EQ(feed("e"), WORD_INDEX_OK) << "after finish a new word begins";
  ASSERT_EQ(word_index_finish(), WORD_INDEX_OK);
  EXPECT_EQ(find("e"), Positions{14});
}

TEST_F(WordIndex, ArgumentsOutOfRangeAreRefused) {
  EXPECT_EQ(word_index_begin(), WORD_INDEX_BAD_ARGUMENT);
  EXPECT_EQ(word_index_feed(1), WORD_INDEX_BAD_ARGUMENT);
  ASSERT_NE(word_index_buffer(4), nullptr);
  EXPECT_EQ(word_index_feed(5), WORD_INDEX_BAD_ARGUMENT);
  word_index_end();
  EXPECT_EQ(word_index_feed(0), WORD_INDEX_NOT_BEGUN);
  EXPECT_EQ(word_index_finish(), WORD_INDEX_NOT_BEGUN);
  EXPECT_EQ(word_index_buffer(1), nullptr);
  EXPECT_EQ(word_index_find("a", 1), nullptr);
  EXPECT_EQ(word_index_top(1), nullptr);
  EXPECT_EQ(word_index_count(), 0u);
  word_index_end();
  ASSERT_EQ(word_index_begin(), WORD_INDEX_OK);
}

// Memory is refused again and again while a text is fed; each time some of it becomes free later and the index goes on.
TEST_F(WordIndex, OutOfMemoryIsToldAndTheIndexGoesOn) {
  const std::string text = long_text(9, 30000);
  // All memory there is goes into ballast, so that the index gets only what is freed of it.
  std::vector<void *> ballast;
  for (int i = 0; i < 4000; ++i) ballast.push_back(hg_heap_allocate(nullptr, 1000));
  heapglass::fail_growth(1);
  for (size_t size : {size_t{1000}, size_t{24}}) {
    while (void *mem = hg_heap_allocate(nullptr, size)) ballast.push_back(mem);
  }
  size_t refusals = 0;
  const auto relieve = [&] {
    ++refusals;
    ASSERT_STREQ(hg_heap_check(hg_default_heap()), nullptr);
    const Naive so_far = naive_index(text.substr(0, word_index_text_size() - word_index_pending()));
    ASSERT_EQ(word_index_count(), so_far.size());
    for (size_t i = 0; i < 40 && !ballast.empty(); ++i) {
      hg_heap_deallocate(nullptr, ballast.back());
      ballast.pop_back();
    }
    if (ballast.empty()) heapglass::fail_growth(0);
  };
  for (size_t i = 0; i < text.size(); i += 2000) {
    const std::string piece = text.substr(i, 2000);
    void *buffer;
    while ((buffer = word_index_buffer(static_cast<uint32_t>(piece.size()))) == nullptr) {
      ASSERT_NO_FATAL_FAILURE(relieve());
    }
    piece.copy(static_cast<char *>(buffer), piece.size());
    uint32_t code = word_index_feed(static_cast<uint32_t>(piece.size()));
    while (code == WORD_INDEX_OUT_OF_MEMORY) {
      ASSERT_NO_FATAL_FAILURE(relieve());
      code = word_index_feed(0);
    }
    ASSERT_EQ(code, WORD_INDEX_OK);
  }
  while (word_index_finish() == WORD_INDEX_OUT_OF_MEMORY) ASSERT_NO_FATAL_FAILURE(relieve());
  EXPECT_GT(refusals, 10u);
  heapglass::fail_growth(0);
  ASSERT_NO_FATAL_FAILURE(expect_equal(text, naive_index(text)));
  for (void *mem : ballast) hg_heap_deallocate(nullptr, mem);
}

TEST(WordIndexBegin, OutOfMemoryLeavesNothingBehind) {
  word_index_end();
  heapglass::fail_growth(1);
  std::vector<void *> ballast;
  for (size_t size : {size_t{65536}, size_t{512}, size_t{24}}) {
    while (void *mem = hg_heap_allocate(nullptr, size)) ballast.push_back(mem);
  }
  EXPECT_EQ(word_index_begin(), WORD_INDEX_OUT_OF_MEMORY);
  EXPECT_EQ(chunks_in_use(), ballast.size());
  EXPECT_EQ(word_index_feed(0), WORD_INDEX_NOT_BEGUN);
  for (void *mem : ballast) hg_heap_deallocate(nullptr, mem);
  heapglass::fail_growth(0);
  ASSERT_EQ(word_index_begin(), WORD_INDEX_OK);
  word_index_end();
  EXPECT_EQ(chunks_in_use(), 0u);
}

}  // namespace
