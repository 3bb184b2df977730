/* One mistake with malloc for each row; the row's name is the first argument. The program says nothing itself: what is found is
 * told by the allocator. Without a mistake ("none") it ends well; "hook" makes one with a hook set. */
#include <heapglass/malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By volatile pointers: a compiler that knows malloc leaves out what it thinks nobody sees. */
static void *(*volatile any_malloc)(size_t) = malloc;
static void (*volatile any_free)(void *) = free;
static void *(*volatile any_realloc)(void *, size_t) = realloc;

static char a_global[64];
static const size_t kWord = sizeof(size_t);

static char *take(size_t size) { return any_malloc(size); }

/* Two blocks side by side, and one behind them: the mistake is beside what is still in use. */
static char *take_three(size_t size, char **next) {
  char *const mem = take(size);
  *next = take(size);
  take(size);
  return mem;
}

static void free_twice(size_t size) {
  char *next;
  char *const mem = take_three(size, &next);
  any_free(mem);
  any_free(mem);
}

static void free_twice_later(size_t size) {
  char *next;
  char *const mem = take_three(size, &next);
  any_free(mem);
  any_free(next);
  any_free(mem);
}

static void free_at(size_t size, size_t distance) { any_free(take(size) + distance); }

static void overflow(size_t size, size_t bytes, int free_the_next) {
  char *next;
  char *const mem = take_three(size, &next);
  memset(mem + hg_malloc_usable_size(mem), 0x41, bytes);
  any_free(free_the_next ? next : mem);
}

static void underflow(size_t size) {
  char *const mem = take(size);
  take(size);
  memset(mem - kWord, 0x41, kWord);
  any_free(mem);
}

static void write_after_free(size_t size, size_t at, int flush) {
  char *next;
  char *const mem = take_three(size, &next);
  any_free(mem);
  if (flush) hg_malloc_flush();
  mem[at] ^= 0x41;
  for (int i = 0; i < 100; ++i) take(size);
}

/* A thread's cache that is full hands over all that it has: its lists are followed. */
static void link_to_itself(void) {
  static char *others[400];
  char *const mem = take(100);
  for (int i = 0; i < 400; ++i) others[i] = take(2000);
  any_free(mem);
  memcpy(mem, &mem, sizeof mem);
  for (int i = 0; i < 400; ++i) any_free(others[i]);
  for (int i = 0; i < 100; ++i) take(100);
}

static void take_the_text(uint32_t kind, const void *address, const char *text) {
  fprintf(stderr, "the hook got %u: %s\n", (unsigned)kind, address != NULL ? text : "");
}

int main(int count, char **words) {
  char on_stack[64];
  const char *const row = count > 1 ? words[1] : "none";
#define ROW(name, mistake) if (strcmp(row, name) == 0) { mistake; }
  ROW("double free, small", free_twice(24))
  ROW("double free, medium", free_twice(3000))
  ROW("double free, large", free_twice(300000))
  ROW("double free after another, small", free_twice_later(24))
  ROW("double free after another, large", free_twice_later(300000))
  ROW("interior, small", free_at(200, 16))
  ROW("interior, large", free_at(300000, 4096))
  ROW("misaligned by 1", free_at(200, 1))
  ROW("misaligned by 4", free_at(200, 4))
  ROW("a global", any_free(a_global))
  ROW("the stack", any_free(on_stack))
  ROW("a small number", any_free((void *)16))
  ROW("beyond memory", any_free((void *)~(size_t)15))
  ROW("realloc of a freed block", char *const mem = take(100); any_free(mem); any_realloc(mem, 200))
  ROW("realloc of a global", any_realloc(a_global, 200))
  ROW("overflow by 1, small", overflow(100, 1, 0))
  ROW("overflow by 100, small", overflow(100, 100, 0))
  ROW("overflow by 1, large", overflow(300000, 1, 0))
  ROW("overflow by 100, its neighbour is freed", overflow(100, 100, 1))
  ROW("underflow, small", underflow(100))
  ROW("underflow, large", underflow(300000))
  ROW("link of a cached block", write_after_free(100, 0, 0))
  ROW("middle of a cached block", write_after_free(100, 50, 0))
  ROW("last byte of a cached block", write_after_free(100, 99, 0))
  ROW("link of a cached block, to itself, then a full cache", link_to_itself())
  ROW("link of a free chunk", write_after_free(100, 1, 1))
  ROW("middle of a free chunk", write_after_free(100, 50, 1))
  ROW("last byte of a free chunk", write_after_free(2000, 1999, 1))
  ROW("middle of a large free chunk", write_after_free(300000, 150000, 0))
  ROW("hook", hg_set_failure_hook(take_the_text); free_twice(24))
  return 0;
}
