// What embind can hand to JavaScript: objects that it makes, that are shared, that are of a base that JavaScript derives, and pointers to
// what C++ keeps.

#include <emscripten/bind.h>

#include <memory>
#include <vector>

using namespace emscripten;

// 96 bytes: no size of anything else here
struct Counter {
  explicit Counter(int from) : value(from) {}
  int next() { return value++; }
  int value;
  char rest[92];
};

// 160 bytes; with the counts of make_shared more
struct Shape {
  explicit Shape(int corners_of) : corners(corners_of) {}
  int corners;
  char rest[156];
};
std::shared_ptr<Shape> make_shape(int corners) { return std::make_shared<Shape>(corners); }

// Keeps its nodes: none of their handles is to be deleted.
struct Tree {
  Tree() {
    for (int i = 0; i < 8; ++i) nodes.push_back(std::make_unique<Counter>(i));
  }
  Counter *node(int i) { return nodes[i].get(); }
  std::vector<std::unique_ptr<Counter>> nodes;
};

struct Listener {
  virtual ~Listener() = default;
  virtual int heard(int) { return 0; }
  char rest[200];
};
struct ListenerWrapper : wrapper<Listener> {
  EMSCRIPTEN_WRAPPER(ListenerWrapper);
  int heard(int what) override { return call<int>("heard", what); }
};

EMSCRIPTEN_BINDINGS(shapes) {
  class_<Counter>("Counter").constructor<int>().function("next", &Counter::next);
  class_<Shape>("Shape").smart_ptr<std::shared_ptr<Shape>>("Shape").property("corners", &Shape::corners);
  function("makeShape", &make_shape);
  class_<Tree>("Tree").constructor<>().function("node", &Tree::node, allow_raw_pointers());
  class_<Listener>("Listener")
      .allow_subclass<ListenerWrapper>("ListenerWrapper")
      .function("heard", optional_override([](Listener &self, int what) { return self.Listener::heard(what); }));
  constant("listenerBytes", static_cast<int>(sizeof(ListenerWrapper)));  // its base is libc++'s and embind's
}
