// Runs the rows of every program that is linked in: each twice and small, each time in a process of its own, which is what
// a fresh instance is in wasm. Both must find their results right, leave nothing behind, and count the same.
#include "experiments/experiment.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cctype>
#include <chrono>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "experiments/program.hpp"

namespace {

std::map<std::string, double> g_figures;  // of the row that runs, in its process

}  // namespace

extern "C" double experiment_now(void) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}
extern "C" void experiment_figure(const char *name, double value) { g_figures[name] = value; }

namespace {

constexpr uint32_t kDivisor = 1000;

struct RowOfTable {
  uint32_t experiment;
  uint32_t row;
  uint32_t threads;
  std::string name;
};

// experiment_describe, one line a row, with the rows' numbers.
std::vector<RowOfTable> table() {
  std::vector<RowOfTable> rows;
  std::map<std::string, uint32_t> counted;
  std::istringstream text(experiment_describe());
  for (std::string line; std::getline(text, line);) {
    std::istringstream fields(line);
    std::string experiment, way, iterations, size, threads;
    std::getline(fields, experiment, '\t');
    std::getline(fields, way, '\t');
    std::getline(fields, iterations, '\t');
    std::getline(fields, size, '\t');
    std::getline(fields, threads);
    std::string name = experiment + "_" + way + "_" + iterations + "_of_" + size;
    if (threads != "0") name += "_on_" + threads + "_threads";
    for (char &letter : name) {
      if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
    }
    const auto number = static_cast<uint32_t>(std::stoul(experiment.substr(2)));
    rows.push_back({HG_EXPERIMENT(experiment[0], number), counted[experiment]++,
                    static_cast<uint32_t>(std::stoul(threads)), name});
  }
  return rows;
}

// Exit code 0 and the figures written to `out`, or what went wrong.
int run_here(const RowOfTable &row, int out) {
  const uint32_t threads = experiment_begin(row.experiment, row.row, kDivisor);
  if (threads == EXPERIMENT_UNKNOWN) return 2;
  if (threads != row.threads) return 3;
  std::vector<std::thread> running;
  for (uint32_t i = 1; i <= threads; ++i) running.emplace_back(experiment_thread, i);
  for (std::thread &thread : running) thread.join();
  if (experiment_end() != 0) return 4;
  std::string text;
  for (const auto &[name, value] : g_figures) {
    char number[64];
    std::snprintf(number, sizeof number, "%.17g", value);
    text += name + " " + number + "\n";
  }
  return write(out, text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 5;
}

std::map<std::string, double> run_in_process_of_its_own(const RowOfTable &row) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = fork();
  if (child == 0) _exit(run_here(row, ends[1]));
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t count; (count = read(ends[0], part, sizeof part)) > 0;) text.append(part, static_cast<size_t>(count));
  close(ends[0]);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "2: unknown, 3: another number of threads, 4: out of memory";
  std::map<std::string, double> figures;
  std::istringstream lines(text);
  std::string name;
  for (double value; lines >> name >> value;) figures[name] = value;
  return figures;
}

bool is_time(const std::string &name) { return name.ends_with("_ms") || name.ends_with("_ns"); }
// What threads do to each other is counted, but is not the same twice.
bool depends_on_the_scheduler(const RowOfTable &row, const std::string &name) {
  return row.threads != 0 && name != "errors" && name != "bytes_left";
}

// How many pages and lines blocks of the C library's malloc touch depends on where the host placed its memory this time.
bool depends_on_the_host(const RowOfTable &row, const std::string &name) {
  return row.name.find("malloc") != std::string::npos && (name == "pages_64k" || name == "lines_64");
}

class RowTest : public ::testing::Test {
 public:
  explicit RowTest(const RowOfTable &row) : row_(row) {}
  void TestBody() override {
    const auto first = run_in_process_of_its_own(row_);
    const auto second = run_in_process_of_its_own(row_);
    ASSERT_TRUE(first.contains("bytes_left"));
    EXPECT_EQ(first.at("bytes_left"), 0);
    if (first.contains("errors")) {
      EXPECT_EQ(first.at("errors"), 0);
    }
    EXPECT_EQ(first.size(), second.size());
    for (const auto &[name, value] : first) {
      ASSERT_TRUE(second.contains(name)) << name;
      if (is_time(name)) {
        EXPECT_GE(value, 0) << name;
      } else if (!depends_on_the_scheduler(row_, name) && !depends_on_the_host(row_, name)) {
        EXPECT_EQ(value, second.at(name)) << name;
      }
    }
  }

 private:
  const RowOfTable row_;
};

#if defined(HG_THREADS) && HG_THREADS
constexpr bool kThreads = true;
#else
constexpr bool kThreads = false;
#endif

const bool g_registered = [] {
  for (const RowOfTable &row : table()) {
    if ((row.threads != 0) != kThreads) continue;
    const std::string suite = row.name.substr(0, row.name.find('_')) + "_experiment";
    ::testing::RegisterTest(suite.c_str(), row.name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [row]() -> ::testing::Test * { return new RowTest(row); });
  }
  return true;
}();

TEST(experiments, every_row_of_the_table_is_run_here_or_in_the_program_with_threads) {
  EXPECT_TRUE(g_registered);
  size_t rows = 0;
  for (const RowOfTable &row : table()) rows += (row.threads != 0) == kThreads;
  EXPECT_GT(rows, 0u);
}
TEST(experiments, an_experiment_that_there_is_not_is_unknown) {
  EXPECT_EQ(experiment_begin(HG_EXPERIMENT('Z', 9), 0, 1), EXPERIMENT_UNKNOWN);
}

}  // namespace
