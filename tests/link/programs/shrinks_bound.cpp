// Classes, strings, callbacks and vectors of embind, and exceptions, in a program whose memory goes back.
#include <emscripten/bind.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

using namespace emscripten;

class Store {
 public:
  void put(int key, std::string text) { texts_[key] = text; }
  std::string get(int key) const {
    const auto found = texts_.find(key);
    if (found == texts_.end()) throw std::runtime_error("no such key");
    return found->second;
  }
  std::string get_or(int key, std::string other) const {
    try {
      return get(key);
    } catch (const std::runtime_error &) {
      return other;
    }
  }
  void erase(int key) { texts_.erase(key); }
  int size() const { return static_cast<int>(texts_.size()); }
  std::vector<int> keys() const {
    std::vector<int> all;
    for (const auto &each : texts_) all.push_back(each.first);
    return all;
  }
  int each(val callback) const {
    int sum = 0;
    for (const auto &one : texts_) sum += callback(one.first, one.second).as<int>();
    return sum;
  }
  virtual ~Store() = default;

 private:
  std::map<int, std::string> texts_;
};

EMSCRIPTEN_BINDINGS(store) {
  register_vector<int>("Numbers");
  class_<Store>("Store")
      .constructor<>()
      .function("put", &Store::put)
      .function("get_or", &Store::get_or)
      .function("erase", &Store::erase)
      .function("size", &Store::size)
      .function("keys", &Store::keys)
      .function("each", &Store::each);
}
