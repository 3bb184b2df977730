// The exports of word_index.h over the one index of the program. No static constructors: a wasm module without an entry
// point may be called at once.
#include "word_index.h"

#include "growing_array.hpp"
#include "top_words.hpp"
#include "word_bytes.hpp"
#include "word_table.hpp"

namespace {

using namespace word_index;

struct Index {
  bool begun = false;
  uint32_t promised = 0;  // bytes behind the text that buffer() promised
  GrowingArray<uint8_t> text;
  GrowingArray<uint32_t> answer;
  WordScanner scanner;
  WordTable table;

  uint32_t text_size() const { return static_cast<uint32_t>(text.size); }
  // Adds every word that is decided. False when out of memory: the scanner stays before the word that found none.
  bool add_words() {
    while (scanner.find_word(text.items, text_size())) {
      if (!add_word()) return false;
    }
    return true;
  }
  bool add_word() {
    if (!table.add(text.items, scanner.word_start, scanner.word_end - scanner.word_start)) return false;
    scanner.accept();
    return true;
  }
};

constinit Index index_of_program;

constexpr uint32_t kRowWords = sizeof(word_index_row) / sizeof(uint32_t);

}  // namespace

uint32_t word_index_begin(void) {
  Index& index = index_of_program;
  if (index.begun) return WORD_INDEX_BAD_ARGUMENT;
  if (!index.table.begin()) return WORD_INDEX_OUT_OF_MEMORY;
  index.begun = true;
  return WORD_INDEX_OK;
}

void *word_index_buffer(uint32_t size) {
  Index& index = index_of_program;
  if (!index.begun || size > UINT32_MAX - index.text_size()) return nullptr;
  if (!index.text.reserve_more(size == 0 ? 1 : size)) return nullptr;
  index.promised = size;
  return index.text.items + index.text.size;
}

uint32_t word_index_feed(uint32_t size) {
  Index& index = index_of_program;
  if (!index.begun) return WORD_INDEX_NOT_BEGUN;
  if (size > index.promised) return WORD_INDEX_BAD_ARGUMENT;
  index.text.size += size;
  index.promised = 0;
  return index.add_words() ? WORD_INDEX_OK : WORD_INDEX_OUT_OF_MEMORY;
}

uint32_t word_index_finish(void) {
  Index& index = index_of_program;
  if (!index.begun) return WORD_INDEX_NOT_BEGUN;
  index.promised = 0;
  if (!index.add_words()) return WORD_INDEX_OUT_OF_MEMORY;
  if (index.scanner.find_last_word() && !index.add_word()) return WORD_INDEX_OUT_OF_MEMORY;
  index.text.shrink();
  index.table.release_spare();
  return WORD_INDEX_OK;
}

const word_index_places *word_index_find(const void *word, uint32_t size) {
  Index& index = index_of_program;
  if (!index.begun) return nullptr;
  const Entry *entry = index.table.find(index.text.items, static_cast<const uint8_t*>(word), size);
  const uint32_t count = entry == nullptr ? 0 : entry->count;
  if (!index.answer.reserve(size_t{count} + 2, size_t{count} + 2)) return nullptr;
  uint32_t *out = index.answer.items;
  *out++ = count;
  if (entry != nullptr) WordTable::each_position(*entry, [&](uint32_t position) { *out++ = position; });
  return reinterpret_cast<const word_index_places*>(index.answer.items);
}

const word_index_rows *word_index_top(uint32_t n) {
  Index& index = index_of_program;
  if (!index.begun) return nullptr;
  if (n > index.table.count()) n = index.table.count();
  const size_t words = 1 + size_t{kRowWords} * (n == 0 ? 1 : n);
  if (!index.answer.reserve(words, words)) return nullptr;
  auto *answer = reinterpret_cast<word_index_rows*>(index.answer.items);
  TopWords top(index.text.items, answer->rows, n);
  index.table.each([&](const Entry& entry) { top.add({entry.first, entry.size, entry.count}); });
  answer->count = top.finish();
  return answer;
}

uint32_t word_index_count(void) { return index_of_program.table.count(); }

uint32_t word_index_total(void) { return index_of_program.table.total(); }

const void *word_index_text(void) { return index_of_program.text.items; }

uint32_t word_index_text_size(void) { return index_of_program.text_size(); }

uint32_t word_index_pending(void) {
  const Index& index = index_of_program;
  const WordScanner& scanner = index.scanner;
  return index.text_size() - (scanner.in_word ? scanner.word_start : scanner.at);
}

void word_index_end(void) {
  Index& index = index_of_program;
  if (!index.begun) return;
  index.table.end();
  index.text.release();
  index.answer.release();
  index = Index{};
}
