// The contract on this machine: GoogleTest's cases, or one run with the given options.
//
//   contract_trace                                             the tests
//   contract_trace --run --seed 1 --operations 1000000 --check-every 1000 --trace FILE --offsets
//     --trace FILE     every event of the run (trace and checked builds)
//     --seeds N        a run for each of N seeds, the first of them --seed
//     --malloc         with the operations of malloc
//     --offsets        prints only the hash of all offsets: equal for the release and the trace build
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "report.hpp"
#include "run.hpp"
#include "trace_writer.hpp"

namespace {

// The text after `name`, or `otherwise` when it is not given.
const char *option(int count, char **arguments, const char *name, const char *otherwise) {
  for (int i = 1; i + 1 < count; ++i) {
    if (strcmp(arguments[i], name) == 0) return arguments[i + 1];
  }
  return otherwise;
}

bool has(int count, char **arguments, const char *name) {
  for (int i = 1; i < count; ++i) {
    if (strcmp(arguments[i], name) == 0) return true;
  }
  return false;
}

uint32_t number(int count, char **arguments, const char *name, const char *otherwise) {
  return static_cast<uint32_t>(strtoul(option(count, arguments, name, otherwise), nullptr, 10));
}

int run_once(int count, char **arguments) {
  contract::RunOptions options;
  options.seed = number(count, arguments, "--seed", "1");
  options.operations = number(count, arguments, "--operations", "1000000");
  options.check_every = number(count, arguments, "--check-every", "1000");
  options.largest_alignment = number(count, arguments, "--largest-alignment", "65536");
  options.with_malloc = has(count, arguments, "--malloc");
  const char *path = option(count, arguments, "--trace", nullptr);
  if (path != nullptr && !contract::open_trace(path)) {
    fprintf(stderr, "contract: cannot write a trace to %s (is this a build with probes?)\n", path);
    return 2;
  }
  for (uint32_t more = number(count, arguments, "--seeds", "1"); more > 1; --more) {
    contract::report_run(options, contract::run(options));
    printf("%s\n", contract::report_text());
    ++options.seed;
  }
  const contract::RunResult result = contract::run(options);
  if (!contract::close_trace()) {
    fprintf(stderr, "contract: writing the trace failed\n");
    return 2;
  }
  contract::report_run(options, result);
  if (has(count, arguments, "--offsets")) printf("0x%llx\n", static_cast<unsigned long long>(result.offsets_hash));
  else printf("%s\n", contract::report_text());
  return 0;
}

}  // namespace

int main(int count, char **arguments) {
  if (has(count, arguments, "--run")) return run_once(count, arguments);
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
