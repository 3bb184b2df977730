// The program of web/public/traces/words.hgtrace, which the page shows as a trace with call sites: it counts words, keeps some,
// and forgets to free its notes. Made again in an empty folder by
//
//   emcc words.cpp -O1 -g --profiling-funcs $(npx heapglass --ldflags --profile trace) -o words.js
//   cp words.wasm original.wasm && npx heapglass instrument original.wasm --stacks -o words.wasm
//   npx heapglass run --symbols original.wasm -o words.hgtrace words.js

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace {

std::map<std::string, std::vector<int>> g_index;
std::vector<char *> g_notes;

std::string make_word(unsigned seed) {
  std::string word;
  for (unsigned rest = seed * 2654435761u; word.size() < 6 + seed % 30; rest = rest * 1664525u + 1013904223u)
    word.push_back(static_cast<char>('a' + (rest >> 24) % 26));
  return word;
}

void index_word(const std::string &word, int position) { g_index[word].push_back(position); }

void remember_note(int number) {
  char *note = static_cast<char *>(std::malloc(120)); // never freed
  std::memset(note, number, 120);
  g_notes.push_back(note);
}

std::vector<char> render_page(size_t letters) { return std::vector<char>(letters, '.'); }

void read_text(int words) {
  for (int at = 0; at < words; ++at) {
    index_word(make_word(static_cast<unsigned>(at) % 397), at);
    if (at % 40 == 0) remember_note(at);
    if (at % 64 == 0) render_page(2000 + static_cast<size_t>(at));
  }
}

void forget_rare_words() {
  for (auto entry = g_index.begin(); entry != g_index.end();)
    entry = entry->second.size() < 6 ? g_index.erase(entry) : std::next(entry);
}

void sort_positions() {
  std::vector<int> all;
  for (auto &[word, positions] : g_index) all.insert(all.end(), positions.begin(), positions.end());
  std::sort(all.begin(), all.end());
}

}  // namespace

extern "C" void hg_mark(const char *);

int main() {
  hg_mark("read a text");
  read_text(2200);
  hg_mark("forget rare words");
  forget_rare_words();
  hg_mark("sort");
  sort_positions();
  hg_mark("read on");
  read_text(900);
  hg_mark("end");
  return static_cast<int>(g_notes.size() == 0);
}
