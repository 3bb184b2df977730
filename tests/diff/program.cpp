// A program that answers requests, with a regression planted by -DREGRESSION=n (0: none) and its lines moved by -DSHIFT=n:
//
//   program seed [requests]     they are drawn from the seed, so two runs differ as two days of a server do
//
// Marks stand behind a third and two thirds of the requests. With -DREAL it knows nothing of sites (real_sites.hpp).
#ifdef REAL
#include "real_sites.hpp"
#else
#include <heapglass/heapglass.h>

#include "sites.hpp"
#endif

#ifndef REGRESSION
#define REGRESSION 0
#endif
#ifndef SHIFT
#define SHIFT 0
#endif

namespace {

constexpr bool planted(int n) { return REGRESSION == n; }

std::uint32_t g_state;
std::uint32_t below(std::uint32_t limit) {
  g_state = g_state * 1664525u + 1013904223u;
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(g_state) * limit >> 32);
}

constexpr std::uint32_t kCache = 200, kHistory = 64;
void *g_cache[kCache], *g_history[2 * kHistory], *g_sessions[100];
std::uint32_t g_requests = 0;

struct List {
  void *blocks[512];
  std::uint32_t count = 0;
  int add(void *block) { return blocks[count++] = block, 0; }
  void free_all() {
    while (count > 0) std::free(blocks[--count]);
  }
};

int parse_token(List &tokens) {
  void *token = CALL(sites::allocate(planted(1) ? 48 : 16 + below(32)));
  if (planted(2) && below(40) == 0) return 0;  // leaks
  return tokens.add(token);
}

int parse_attributes(List &tree, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    tree.add(CALL(sites::allocate(24)));
    if (planted(3)) tree.add(CALL(sites::allocate(24)));  // a copy of each: a new call site
    if (planted(4) && below(60) == 0) tree.count -= 1;
  }
  return 0;
}

int parse_node(List &tree) {
  tree.add(CALL(sites::allocate(planted(5) ? 56 : 40)));
  return CALL(parse_attributes(tree, below(planted(6) ? 9 : 6)));
}

int parse(List &tokens, List &tree) {
  const std::uint32_t count = 4 + below(20);
  for (std::uint32_t i = 0; i < count; ++i) CALL(parse_token(tokens));
  for (std::uint32_t i = 0; i < count / 3; ++i) CALL(parse_node(tree));
  if (planted(7)) CALL(parse_token(tokens)), CALL(parse_token(tokens));
  return 0;
}

int log_line(std::uint32_t bytes) {
  std::free(CALL(sites::allocate(bytes)));
  if (planted(8)) std::free(CALL(sites::allocate(bytes)));  // formatted twice
  return 0;
}

int remember(std::uint32_t bytes) {
  const std::uint32_t slots = planted(9) ? 2 * kHistory : kHistory;
  void *&slot = g_history[g_requests % slots];
  std::free(slot);
  slot = CALL(sites::allocate(bytes));
  return 0;
}

int cache_insert(std::uint32_t key) {
  void *&slot = g_cache[key % kCache];
  if (!planted(10) || below(10) != 0) std::free(slot);  // an entry that is replaced is forgotten
  slot = CALL(sites::allocate(planted(11) ? 720 : 600));
  return 0;
}

int lookup(std::uint32_t key) {
  if (g_cache[key % kCache] == nullptr || below(planted(12) ? 2 : 4) == 0) return CALL(cache_insert(key));
  return 0;
}

int sort_rows(List &rows) {
  if (rows.count > 12 || planted(13)) std::free(CALL(sites::allocate(rows.count * 8 + 8)));  // scratch
  return 0;
}

int render_row(List &rows) { return rows.add(CALL(sites::allocate((planted(14) ? 96 : 64) + below(64)))); }

int render(List &rows) {
  void *buffer = CALL(sites::allocate(planted(15) ? 8192 : 4096));
  const std::uint32_t count = 2 + below(20);
  for (std::uint32_t i = 0; i < count; ++i) CALL(render_row(rows));
  CALL(sort_rows(rows));
  if (planted(16) && below(50) == 0) return 0;  // the buffer leaks
  std::free(buffer);
  return 0;
}

int open_session(std::uint32_t user) {
  void *&slot = g_sessions[user];
  if (slot != nullptr && !planted(17)) return 0;
  std::free(slot);
  slot = CALL(sites::allocate(planted(18) ? 400 : 320));
  return 0;
}

int report_error() {
  void *message = CALL(sites::allocate(120));
  if (planted(19) && below(4) == 0) return 0;
  std::free(message);
  return 0;
}

int retry(std::uint32_t key) {
  CALL(cache_insert(key));
  return CALL(log_line(200));
}

int answer() {
  List tokens, tree, rows;
  CALL(open_session(below(100)));
  CALL(parse(tokens, tree));
  CALL(lookup(below(1000)));
  CALL(render(rows));
  CALL(remember(64 + below(100)));
  if (below(12) == 0) CALL(report_error());
  if (below(planted(20) ? 8 : 16) == 0) CALL(retry(below(1000)));
  for (std::uint32_t i = 0; i < 3; ++i) CALL(log_line(40 + below(80)));
  tokens.free_all();
  tree.free_all();
  rows.free_all();
  return 0;
}

}  // namespace

int main(int argc, char **argv) {
  g_state = argc > 1 ? static_cast<std::uint32_t>(std::atoi(argv[1])) * 2654435761u + 1 : 1;
  std::free(std::malloc(1));  // recording begins with the first call
  const std::uint32_t requests = argc > 2 ? static_cast<std::uint32_t>(std::atoi(argv[2])) : 1500;
  for (; g_requests < requests; ++g_requests) {
    if (g_requests == requests / 3) hg_mark("morning");
    if (g_requests == requests / 3 * 2) hg_mark("noon");
    CALL(answer());
  }
}

#ifdef REAL
// Binaryen 105 loses the inlined frames of a unit whose code is one piece. This one's is two.
extern "C" __attribute__((used)) int stays(int n) { return n * 5; }
#endif
