// A loop of a game: entities that come and go, a grid over them that is made anew each frame, effects that live for some frames. Each
// frame is one call, and gives a hash of everything.
#include <emscripten.h>

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

uint32_t g_state = 99;
uint32_t below(uint32_t n) {
  g_state = g_state * 1664525u + 1013904223u;
  return (g_state >> 8) % n;
}

struct Entity {
  virtual ~Entity() = default;
  virtual void step() = 0;
  int x = 0, y = 0, life = 0;
  std::string name;
};
struct Walker final : Entity {
  void step() override {
    x += 1 + static_cast<int>(path.size() % 3);
    y += x % 5;
    if (path.size() < 60) path.push_back(x ^ y);
  }
  std::vector<int> path;
};
struct Effect final : Entity {
  Effect() : pixels(16 + below(4000), static_cast<unsigned char>(below(256))) {}
  void step() override { pixels[static_cast<std::size_t>(life) % pixels.size()] ^= 0x5a; }
  std::vector<unsigned char> pixels;
};

std::vector<std::unique_ptr<Entity>> g_entities;
std::string g_log;

std::size_t wanted(uint32_t frame) {
  const uint32_t phase = frame % 4000;  // a level: it fills, it empties
  return phase < 2500 ? 40 + phase / 5 : 40;
}

}  // namespace

extern "C" EMSCRIPTEN_KEEPALIVE uint32_t frame(uint32_t number) {
  while (g_entities.size() < wanted(number)) {
    if (below(3) == 0) g_entities.push_back(std::make_unique<Effect>());
    else g_entities.push_back(std::make_unique<Walker>());
    g_entities.back()->life = static_cast<int>(20 + below(900));
    g_entities.back()->name = "entity " + std::string(below(40), 'x') + std::to_string(number);
  }
  std::unordered_map<int, std::vector<const Entity *>> grid;
  for (const auto &one : g_entities) {
    one->step();
    if (number % 16 == 0) grid[one->x / 32].push_back(one.get());
  }
  uint32_t hash = static_cast<uint32_t>(grid.size());
  for (const auto &one : g_entities) hash = hash * 31 + static_cast<uint32_t>(one->x * 7 + one->y) + static_cast<uint32_t>(one->name.size());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < g_entities.size(); ++i) {
    if (--g_entities[i]->life <= 0 || (g_entities.size() > wanted(number) + 20 && below(4) == 0)) continue;
    std::swap(g_entities[kept++], g_entities[i]);
  }
  g_entities.resize(kept);
  g_log += static_cast<char>('a' + hash % 26);
  if (g_log.size() > 5000) g_log.erase(0, 2500);
  return hash * 31 + static_cast<uint32_t>(g_log.back());
}

int main() { return 0; }
