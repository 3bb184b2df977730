/* How a watched program prints: one call out a line or cell, into JavaScript. */
#pragma once

#include <stdio.h>
#include <string.h>

#include "watched_program.h"

__attribute__((import_module("program"), import_name("print"))) void program_print(uint32_t kind, const void *bytes,
                                                                                   uint32_t size);

static inline void print_text(uint32_t kind, const char *text) { program_print(kind, text, (uint32_t)strlen(text)); }

/* Of at most 300 bytes: without the heap. */
#define PRINT_FORMATTED(kind, ...)                                        \
  do {                                                                    \
    char line_[300];                                                      \
    const int size_ = snprintf(line_, sizeof line_, __VA_ARGS__);         \
    const int most_ = (int)sizeof line_ - 1;                              \
    program_print(kind, line_, (uint32_t)(size_ < most_ ? size_ : most_)); \
  } while (0)
