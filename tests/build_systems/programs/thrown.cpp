// Exceptions that cross frames with containers, and containers that grow, move and are sorted. Three maps are never deleted.

#include <algorithm>
#include <cstdio>
#include <deque>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

int depth(std::vector<std::string>& trail, int left) {
  const std::string here = "a frame with a long name, number " + std::to_string(left);
  trail.push_back(here);
  if (left == 0) throw Refused("refused behind " + trail.back());
  return depth(trail, left - 1) + static_cast<int>(here.size());
}

size_t refusals() {
  size_t said = 0;
  for (int nth = 0; nth < 200; ++nth) {
    std::vector<std::string> trail;
    try {
      depth(trail, nth % 13);
    } catch (const Refused& refused) {
      said += std::string(refused.what()).size() + trail.size();
    }
  }
  return said;
}

size_t words() {
  std::unordered_map<std::string, std::deque<int>> places;
  for (int at = 0; at < 5000; ++at) places["word " + std::to_string(at * 7919 % 613)].push_back(at);
  std::vector<std::string> sorted;
  for (auto it = places.begin(); it != places.end(); it = it->second.size() % 2 == 0 ? places.erase(it) : std::next(it))
    sorted.push_back(it->first);
  std::sort(sorted.begin(), sorted.end());
  std::ostringstream text;
  for (const auto& word : sorted) text << word << ' ';
  return text.str().size() + places.size();
}

void keeps() {
  for (int nth = 0; nth < 3; ++nth) {
    auto* const kept = new std::map<int, std::string>;
    for (int at = 0; at < 50; ++at) (*kept)[at] = std::string(40, 'k');
  }
}

}  // namespace

int main() {
  const size_t said = refusals();
  keeps();
  std::printf("thrown %zu, words %zu\n", said, words());
}
