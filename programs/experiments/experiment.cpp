// The C functions of a module of experiments, over the programs linked into it.
#include "experiments/experiment.h"

#include "experiments/program.hpp"

using experiments::Program;

namespace {

constexpr uint32_t kDescription = 16 * 1024;
char g_description[kDescription];
const Program *g_running = nullptr;

char *put(char *at, const char *text) {
  const char *const end = g_description + kDescription - 1;
  while (*text != 0 && at < end) *at++ = *text++;
  return at;
}

char *put(char *at, uint32_t number) {
  char digits[11];
  char *first = digits + sizeof digits - 1;
  *first = 0;
  do {
    *--first = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return put(at, first);
}

char *describe(char *at, const Program &program) {
  for (uint32_t i = 0; i < program.row_count; ++i) {
    const experiments::Row &row = program.rows[i];
    at = put(put(put(at, program.name), "\t"), row.way);
    at = put(put(at, "\t"), row.iterations);
    at = put(put(at, "\t"), row.size);
    at = put(put(put(at, "\t"), row.threads), "\n");
  }
  return at;
}

const Program *find(uint32_t id) {
  for (uint32_t i = 0; i < experiments::kProgramCount; ++i) {
    const Program *const program = experiments::kPrograms[i];
    if (program != nullptr && program->id == id) return program;
  }
  return nullptr;
}

}  // namespace

extern "C" {

const char *experiment_describe(void) {
  char *at = g_description;
  for (uint32_t i = 0; i < experiments::kProgramCount; ++i) {
    const Program *const program = experiments::kPrograms[i];
    if (program != nullptr) at = describe(at, *program);
  }
  *at = 0;
  return g_description;
}

uint32_t experiment_begin(uint32_t experiment, uint32_t row, uint32_t divisor) {
  g_running = find(experiment);
  if (g_running == nullptr || row >= g_running->row_count) return EXPERIMENT_UNKNOWN;
  const experiments::Row &chosen = g_running->rows[row];
  const uint32_t iterations = divisor == 0 ? chosen.iterations : chosen.iterations / divisor;
  if (!g_running->begin(row, iterations == 0 ? 1 : iterations)) {
    g_running = nullptr;
    return 0;
  }
  return chosen.threads;
}

void experiment_thread(uint32_t thread) {
  if (g_running != nullptr && g_running->thread != nullptr) g_running->thread(thread);
}

uint32_t experiment_end(void) {
  if (g_running == nullptr) return EXPERIMENT_OUT_OF_MEMORY;
  const bool ended = g_running->end == nullptr || g_running->end();
  g_running = nullptr;
  return ended ? 0 : EXPERIMENT_OUT_OF_MEMORY;
}

}  // extern "C"
