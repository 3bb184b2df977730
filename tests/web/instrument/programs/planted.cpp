// A leak, a temporary and a peak, planted at lines that the test knows by their comments. The rest allocates too, and gives all back.
#include <cstdlib>
#include <string>
#include <vector>

namespace {

struct Entry {
  std::string name;
  char *notes;
};

std::vector<Entry> g_entries;
size_t g_checked = 0;

void add_entry(int number) {
  Entry entry{"entry number " + std::to_string(number) + " of many", nullptr};
  entry.notes = static_cast<char *>(std::malloc(200)); // leak
  g_entries.push_back(entry);
}

size_t check_entry(const Entry &entry) {
  std::vector<char> letters(entry.name.begin(), entry.name.end()); // temporary
  asm volatile("" : : "r"(letters.data()) : "memory"); // else the optimizer leaves the vector out
  return letters.size();
}

void sort_all() {
  std::vector<int> numbers(100000); // peak
  for (size_t at = 0; at < numbers.size(); ++at) numbers[at] = static_cast<int>(at * 7919 % 100003);
  g_checked += static_cast<size_t>(numbers[numbers.size() / 2]);
}

}  // namespace

extern "C" __attribute__((used, visibility("default"))) int run(unsigned entries) {
  for (unsigned number = 0; number < entries; ++number) add_entry(static_cast<int>(number));
  for (const Entry &entry : g_entries) g_checked += check_entry(entry);
  sort_all();
  g_entries.clear();
  g_entries.shrink_to_fit();
  return static_cast<int>(g_checked);
}

int main() { return run(300) < 0; }
