#include "report.hpp"

#include <cstddef>
#ifndef __wasm__
#include <cstdio>
#include <cstdlib>
#endif

namespace contract {

namespace {
char text[4096];
size_t used = 0;
uint32_t operation_now = 0;
const char *name_now = "start";

void add_digits(uint64_t number, uint32_t base) {
  char digits[24];
  size_t count = 0;
  do {
    digits[count++] = "0123456789abcdef"[number % base];
    number /= base;
  } while (number != 0);
  while (count > 0) {
    const char one[2] = {digits[--count], 0};
    report_add(one);
  }
}
}  // namespace

const char *report_text() { return text; }

void report_clear() {
  used = 0;
  text[0] = 0;
}

void report_add(const char *more) {
  while (*more != 0 && used + 1 < sizeof text) text[used++] = *more++;
  text[used] = 0;
}

void report_number(uint64_t number) { add_digits(number, 10); }

void report_hex(uint64_t number) {
  report_add("0x");
  add_digits(number, 16);
}

void report_at(uint32_t operation, const char *name) {
  operation_now = operation;
  name_now = name;
}

void fail(const char *what, uint64_t a, uint64_t b) {
  report_clear();
  report_add("operation ");
  report_number(operation_now);
  report_add(" ");
  report_add(name_now);
  report_add(": ");
  report_add(what);
  report_add(" ");
  report_hex(a);
  report_add(" ");
  report_hex(b);
#ifndef __wasm__
  fprintf(stderr, "contract broken: %s\n", text);
  abort();
#else
  __builtin_trap();
#endif
}

}  // namespace contract
