/* What an allocator meets where memory is not its own or runs out; the case is the first argument. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* By volatile pointers: a compiler that knows malloc leaves out what it thinks nobody sees, errno included. */
static void *(*volatile any_malloc)(size_t) = malloc;
static void *(*volatile any_calloc)(size_t, size_t) = calloc;

static unsigned count_wrong(const unsigned char *bytes, size_t size, unsigned char value) {
  unsigned wrong = 0;
  for (size_t i = 0; i < size; ++i) wrong += bytes[i] != value;
  return wrong;
}

/* The program takes memory by sbrk between mallocs: neither may get the other's. */
static void share_the_break(void) {
  enum { kBlocks = 200 };
  unsigned char *blocks[kBlocks], *runs[kBlocks];
  unsigned wrong = 0, state = 1;
  size_t block_bytes[kBlocks], run_bytes[kBlocks];
  for (int i = 0; i < kBlocks; ++i) {
    state = state * 1664525u + 1013904223u;
    block_bytes[i] = (state >> 8) % 40000 + 1;
    run_bytes[i] = (state >> 16) % 7 == 0 ? 70000 : (state >> 16) % 100;
    blocks[i] = any_malloc(block_bytes[i]);
    memset(blocks[i], i, block_bytes[i]);
    runs[i] = sbrk((intptr_t)run_bytes[i]);
    memset(runs[i], ~i, run_bytes[i]);
    if (i % 3 == 2) {
      wrong += count_wrong(blocks[i - 1], block_bytes[i - 1], (unsigned char)(i - 1));
      free(blocks[i - 1]);
      blocks[i - 1] = NULL;
    }
  }
  for (int i = 0; i < kBlocks; ++i) {
    if (blocks[i] != NULL) wrong += count_wrong(blocks[i], block_bytes[i], (unsigned char)i);
    wrong += count_wrong(runs[i], run_bytes[i], (unsigned char)~i);
    free(blocks[i]);
  }
  printf("shared, %u wrong\n", wrong);
}

/* All there is, in blocks of `size`, chained through their first word. */
static void *take_all(size_t size, unsigned *count) {
  void *first = NULL;
  *count = 0;
  for (void **mem; (mem = any_malloc(size)) != NULL; ++*count) {
    *mem = first;
    first = mem;
  }
  return first;
}

static void give_all(void *first) {
  while (first != NULL) {
    void *const next = *(void **)first;
    free(first);
    first = next;
  }
}

/* Out of memory is told and survived, and what was freed serves again in other sizes. */
static void run_out(void) {
  unsigned wrong = 0, small, large, again;
  errno = 0;
  void *chain = take_all(1000, &small);
  wrong += errno != ENOMEM;
  wrong += small < 500;
  errno = 0;
  wrong += any_calloc(small, 1000) != NULL || errno != ENOMEM;
  give_all(chain);
  chain = take_all(50000, &large);
  wrong += large * 50000.0 < small * 1000 * 0.8;
  give_all(chain);
  chain = take_all(1000, &again);
  wrong += again < small * 0.95;
  give_all(chain);
  char *const text = strdup("the program goes on");
  printf("%s, %u wrong\n", text, wrong);
  free(text);
}

/* Beyond 2 GiB addresses and sizes have their highest bit set. Only the ends of blocks are touched. */
static void pass_the_middle(void) {
  enum { kBlocks = 35 };
  const size_t size = 100u << 20;
  uint32_t *blocks[kBlocks];
  unsigned wrong = 0, high = 0;
  for (uint32_t i = 0; i < kBlocks; ++i) {
    blocks[i] = any_malloc(size);
    if (blocks[i] == NULL) {
      printf("only %u blocks\n", i);
      return;
    }
    blocks[i][0] = blocks[i][size / 4 - 1] = i;
    high += (uintptr_t)blocks[i] >= 0x80000000u;
  }
  for (uint32_t i = 0; i < kBlocks; ++i) {
    wrong += blocks[i][0] != i || blocks[i][size / 4 - 1] != i;
    free(blocks[i]);
  }
  uint32_t *const one = any_malloc(3000u << 20); /* the blocks have been joined */
  wrong += one == NULL;
  if (one != NULL) one[0] = one[(3000u << 18) - 1] = 7;
  free(one);
  errno = 0;
  wrong += any_malloc(SIZE_MAX - 65536) != NULL || errno != ENOMEM;
  unsigned count;
  give_all(take_all(1u << 20, &count)); /* to the very end */
  wrong += count < 3900;
  printf("beyond 2 GiB: %d, %u wrong\n", high >= 10, wrong);
}

/* One block larger than a signed word can say, from a memory that has to grow for it; and what else goes with such sizes. Where a
 * new block is filled (profile checked) this touches all of it. */
static void take_three(void) {
  unsigned wrong = 0;
  const size_t three = 3u << 30, two = 2u << 30;
  unsigned char *mem = any_malloc(three);
  if (mem == NULL) {
    printf("3 GiB are refused\n");
    return;
  }
  mem[0] = mem[two] = mem[three - 1] = 7;
  void *const small = any_malloc(1000);
  wrong += small == NULL || ((unsigned char *)small >= mem && (unsigned char *)small < mem + three);
  wrong += malloc_usable_size(mem) < three || malloc_usable_size(mem) > three + 65536;
  errno = 0;
  wrong += any_malloc(three) != NULL || errno != ENOMEM; /* there is no second one */
  errno = 0;
  wrong += any_calloc(3, 1u << 30) != NULL || errno != ENOMEM;
  free(small);
  /* In place both ways: there is no room to move it. The small block is cached right behind it, and must not be in the way. */
  unsigned char *const less = realloc(mem, 1u << 30);
  wrong += less != mem || less[0] != 7;
  unsigned char *const more = realloc(less, three + (100u << 20));
  wrong += more != mem || more[0] != 7;
  if (more != NULL) more[three + (100u << 20) - 1] = 8;
  free(more);
  /* The largest alignment: the address is 2 GiB. */
  void *const aligned = memalign(two, 1u << 20);
  wrong += (uintptr_t)aligned != two;
  void *const beside = memalign(1u << 30, two - (1u << 20));
  wrong += beside != NULL; /* 2 GiB less 1 MiB at 1 GiB would reach over it, and at 3 GiB there is 1 GiB */
  void *const before = memalign(1u << 30, 900u << 20), *const behind = memalign(1u << 30, 900u << 20);
  wrong += (uintptr_t)before + (uintptr_t)behind != (1u << 30) + three;
  free(aligned);
  free(before);
  free(behind);
  errno = 0;
  wrong += any_malloc(SIZE_MAX - 65536) != NULL || errno != ENOMEM;
  unsigned count;
  give_all(take_all(60u << 20, &count)); /* all of it is still there in pieces */
  wrong += count < 66;
  printf("3 GiB, %u wrong\n", wrong);
}

static void align_widely(void) {
  unsigned wrong = 0;
  void *kept[40];
  unsigned count = 0;
  for (size_t alignment = 8; alignment <= 1u << 20; alignment *= 2) {
    for (size_t size = 1; size <= 100000; size = size * 300 + 1) {
      void *mem = NULL;
      wrong += posix_memalign(&mem, alignment, size) != 0 || (uintptr_t)mem % alignment != 0;
      memset(mem, 1, size);
      if (count < 40) kept[count++] = mem;
      else free(mem);
    }
  }
  while (count != 0) free(kept[--count]);
  printf("aligned, %u wrong\n", wrong);
}

int main(int count, char **arguments) {
  const char *const name = count > 1 ? arguments[1] : "";
  if (!strcmp(name, "share")) share_the_break();
  if (!strcmp(name, "run_out")) run_out();
  if (!strcmp(name, "middle")) pass_the_middle();
  if (!strcmp(name, "three")) take_three();
  if (!strcmp(name, "align")) align_widely();
  return 0;
}
