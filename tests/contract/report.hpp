// What a run has to say: its figures at the end, or the first contradiction found.
//
// One static text, so that a host can read it even after the wasm instance trapped. No stdio: the same code runs in a
// wasm module without any system calls.
#pragma once

#include <cstdint>

namespace contract {

// The text so far; ends with 0.
const char *report_text();
void report_clear();
void report_add(const char *text);
void report_number(uint64_t number);
void report_hex(uint64_t number);

// Ends the run: the text becomes "operation <n> <name>: <what> <a> <b>" (a and b in hex).
[[noreturn]] void fail(const char *what, uint64_t a = 0, uint64_t b = 0);

// Told to fail(): where the run is.
void report_at(uint32_t operation, const char *name);

inline void expect(bool holds, const char *what, uint64_t a = 0, uint64_t b = 0) {
  if (!holds) fail(what, a, b);
}

}  // namespace contract
