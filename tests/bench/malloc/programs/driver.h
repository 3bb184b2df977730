/* What the drivers of real programs share: fixed random numbers, text that grows, sums. */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t driver_seed = 20261;

/* 0 <= result < limit */
static inline uint32_t random_below(uint32_t limit) {
  driver_seed = driver_seed * 1664525u + 1013904223u;
  return (driver_seed >> 8) % limit;
}

static inline void must(int holds, const char *what) {
  if (holds) return;
  printf("failed: %s\n", what);
  exit(1);
}

/* A block that has to be there: a driver stops when memory runs out. */
static inline void *taken(void *mem) {
  must(mem != NULL, "out of memory");
  return mem;
}

static inline char *copy_of(const char *text) { return strcpy(taken(malloc(strlen(text) + 1)), text); }

typedef struct Text {
  char *start; /* NULL when nothing was appended */
  size_t size, capacity;
} Text;

static inline void append_bytes(Text *text, const void *bytes, size_t size) {
  if (text->size + size > text->capacity) {
    text->capacity = (text->size + size) * 3 / 2 + 32;
    text->start = taken(realloc(text->start, text->capacity));
  }
  memcpy(text->start + text->size, bytes, size);
  text->size += size;
}

static inline void append(Text *text, const char *more) { append_bytes(text, more, strlen(more)); }

/* Of at most 500 bytes. */
static inline void append_formatted(Text *text, const char *format, ...) {
  char line[500];
  va_list given;
  va_start(given, format);
  vsnprintf(line, sizeof line, format, given);
  va_end(given);
  append(text, line);
}

static inline uint32_t sum_of(const void *bytes, size_t size) {
  uint32_t sum = 2166136261u;
  for (size_t i = 0; i < size; ++i) sum = (sum ^ ((const unsigned char *)bytes)[i]) * 16777619u;
  return sum;
}

static const char *const kWords[] = {"river", "stone", "of",   "the",    "quick", "lantern", "and",   "harbour",
                                     "with",  "seven", "blue", "window", "under", "morning", "paper", "orchestra"};

static inline const char *random_word(void) { return kWords[random_below(sizeof kWords / sizeof *kWords)]; }
