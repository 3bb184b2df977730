// An ordinary C++ program without exceptions: containers, streams, new in all its forms.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

extern "C" void *hg_malloc(size_t size) __attribute__((weak));

namespace {

struct alignas(256) Wide {
  char bytes[300];
};

unsigned count_words() {
  std::map<std::string, std::vector<int>> places;
  std::unordered_map<std::string, int> counts;
  std::list<std::string> order;
  for (int i = 0; i < 5000; ++i) {
    std::string word = "word number " + std::to_string(i * 7919 % 611);
    places[word].push_back(i);
    if (++counts[word] == 1) order.push_back(word);
  }
  unsigned hash = static_cast<unsigned>(order.size());
  for (const auto &[word, at] : places) hash = hash * 31 + static_cast<unsigned>(at.back() + counts[word]);
  return hash;
}

}  // namespace

int main() {
  std::printf("words %08x\n", count_words());
  unsigned wrong = 0;
  std::vector<std::unique_ptr<Wide>> wides;
  for (int i = 0; i < 50; ++i) wides.push_back(std::make_unique<Wide>());
  for (const auto &wide : wides) wrong += reinterpret_cast<std::uintptr_t>(wide.get()) % alignof(Wide) != 0;
  std::printf("aligned new, %u wrong\n", wrong);
  void *(*volatile any_new)(std::size_t) = ::operator new;  // by a volatile pointer: else a compiler leaves it out
  void (*volatile any_delete)(void *) = ::operator delete;
  any_delete(any_new(0));
  any_delete(any_new(1'000'000));
  std::ostringstream text;
  text << "a stream of " << 3 << " parts";
  std::printf("%s\n", text.str().c_str());
  std::printf("heapglass %d\n", hg_malloc != nullptr && reinterpret_cast<void *>(std::malloc) == reinterpret_cast<void *>(hg_malloc));
}
