// One run of one workload in a process of its own; its outcome is a line of JSON.
//
//   node <program>.js <workload> <threads> [share of the work, default 1] [share of a warm-up before, default 0]
//
// The warm-up lets the engine compile the hot functions; its memory counts, so footprints are taken without.

#include <cstring>

#include "workload.hpp"

int main(int count, char **words) {
  if (count < 3) fail("which workload, on how many threads?");
  const unsigned threads = static_cast<unsigned>(std::atoi(words[2]));
  if (threads == 0 || threads > kMaxThreads) fail("1 to 4 threads");
  const double share = count > 3 ? std::atof(words[3]) : 1;
  const double warm = count > 4 ? std::atof(words[4]) : 0;
  for (const Workload *each = Workload::first; each != nullptr; each = each->next) {
    if (std::strcmp(each->name, words[1]) != 0) continue;
    if (warm > 0) each->run(threads, warm);
    const Outcome outcome = each->run(threads, share);
    std::printf("{\"ms\":%.3f,\"checksum\":\"%016llx\",\"calls\":%llu,\"footprint\":%zu,\"taken\":%zu,\"early\":%zu}\n", outcome.ms,
                static_cast<unsigned long long>(outcome.checksum), static_cast<unsigned long long>(outcome.calls),
                heap_bytes(), taken_bytes(), outcome.early);
    return 0;
  }
  fail("no such workload");
}
