// A class that JavaScript makes and deletes (embind), with containers inside. main() is its own caller. Two drawings are never deleted.

#include <cstdio>
#include <emscripten/bind.h>
#include <emscripten/val.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

using emscripten::val;

class Drawing {
 public:
  void add(const std::string& name, int x, int y) { lines_[name].push_back(std::make_unique<Point>(Point{x, y})); }
  std::string text() const {
    std::string text;
    for (const auto& [name, points] : lines_) {
      text += name;
      for (const auto& point : points) text += ' ' + std::to_string(point->x) + ',' + std::to_string(point->y);
      text += ';';
    }
    return text;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& line : lines_) names.push_back(line.first + " is the name of a line");
    return names;
  }

 private:
  struct Point {
    int x, y;
  };
  std::map<std::string, std::vector<std::unique_ptr<Point>>> lines_;
};

EMSCRIPTEN_BINDINGS(drawing) {
  emscripten::register_vector<std::string>("Names");
  emscripten::class_<Drawing>("Drawing")
      .constructor<>()
      .function("add", &Drawing::add)
      .function("text", &Drawing::text)
      .function("names", &Drawing::names);
}

int main() {
  size_t letters = 0;
  for (int nth = 0; nth < 40; ++nth) {
    val drawing = val::module_property("Drawing").new_();
    for (int at = 0; at < 100; ++at) drawing.call<void>("add", std::string("line ") + char('a' + at % 7), at, nth);
    letters += drawing.call<std::string>("text").size();
    val names = drawing.call<val>("names");
    letters += names.call<size_t>("size");
    names.call<void>("delete");
    if (nth % 20 != 0) drawing.call<void>("delete");
  }
  std::printf("drawn %zu\n", letters);
}
