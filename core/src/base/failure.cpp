#include "base/failure.hpp"

namespace heapglass {

namespace {

hg_failure_hook g_hook = nullptr;

// The text of a failure is stored inside the line that is printed.
//
//   | heapglass: | double free: the chunk is free already at 0x10d30 | 0 |
//                 g_text: hooks and hosts get this                     replaced by a newline for printing
constexpr char kName[] = "heapglass: ";
constexpr Word kNameLength = sizeof kName - 1;
char g_line[kNameLength + 200] = "heapglass: ";
char *const g_text = g_line + kNameLength;
constexpr Word kTextBytes = sizeof g_line - kNameLength;

// Writes into a buffer and drops what does not fit.
struct Writer {
  char *at;
  char *last;

  void put(char letter) {
    if (at < last) *at++ = letter;
  }
  void put(const char *text) {
    while (*text != '\0') put(*text++);
  }
  [[gnu::noinline]] void put_hex(Word n) {
    put("0x");
    bool leading = true;
    for (int shift = static_cast<int>(kWord) * 8 - 4; shift >= 0; shift -= 4) {
      const unsigned digit = static_cast<unsigned>(n >> shift) & 15u;
      if (digit == 0 && leading && shift != 0) continue;
      leading = false;
      put("0123456789abcdef"[digit]);
    }
  }
};

[[maybe_unused]] void print_line(Word text_length) {  // where kReportsFailures is true
  if constexpr (kWritesToConsole) return write_console(g_line);
  const Word length = kNameLength + text_length;
  g_line[length] = '\n';
  write_standard_error(g_line, length + 1);
  g_line[length] = '\0';
}

}  // namespace

Word write_report(char *buffer, Word capacity, const char *text, const void *address, const char *detail, Word found) {
  Writer writer{buffer, buffer + capacity - 1};
  writer.put(text);
  if (address != nullptr) {
    writer.put(" at ");
    writer.put_hex(offset_of(address));
  }
  if (detail != nullptr) {
    writer.put(" (");
    writer.put(detail);
    if (found != 0) {
      writer.put(' ');
      writer.put_hex(found);
    }
    writer.put(')');
  }
  *writer.at = '\0';
  return static_cast<Word>(writer.at - buffer);
}

void fail_with(const char *text, std::uint32_t kind, const void *address, const char *detail, Word found) {
  if (is_failing()) __builtin_trap();
  begin_failing();
  [[maybe_unused]] const Word length = write_report(g_text, kTextBytes, text, address, detail, found);
  {
    Reporting reporting;
    if (g_hook != nullptr) {
      g_hook(kind, address, g_text);
    } else if constexpr (kReportsFailures) {
      print_line(length);
    }
  }
  __atomic_store_n(&g_has_failed, 1u, __ATOMIC_SEQ_CST);
  __builtin_trap();
}

void set_failure_hook(hg_failure_hook hook) { g_hook = hook; }
const char *failure_text() { return g_text; }

}  // namespace heapglass
