// The cases for a host in JavaScript: exported functions over the list.
#include <cstdlib>
#include <exception>
#include <new>

#include "boost/case.hpp"

namespace boost_tests {

Registered::Registered(const char *suite, const char *name, void (*body)()) : case_{suite, name, body, g_cases} {
  g_cases = &case_;
}

namespace {

Broken g_broken = {"", 0, ""};

const Case *case_at(std::uint32_t number) {
  const Case *at = g_cases;
  while (at != nullptr && number-- != 0) at = at->next;
  return at;
}

}  // namespace
}  // namespace boost_tests

using namespace boost_tests;

extern "C" {

const char *boost_suite(std::uint32_t number) { return case_at(number) != nullptr ? case_at(number)->suite : nullptr; }
const char *boost_name(std::uint32_t number) { return case_at(number) != nullptr ? case_at(number)->name : nullptr; }

// 0, or the line that was broken; boost_file and boost_what tell more. 1: something else was thrown.
std::uint32_t boost_run(std::uint32_t number) {
  try {
    run_case(*case_at(number));
    return 0;
  } catch (const Broken &broken) {
    g_broken = broken;
  } catch (const std::exception &other) {
    g_broken = {"", 1, other.what()};
  }
  return static_cast<std::uint32_t>(g_broken.line);
}
const char *boost_file() { return g_broken.file; }
const char *boost_what() { return g_broken.what; }

}  // extern "C"
