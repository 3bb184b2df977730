// Every file of the corpus, and some random ones, played again in the test run. A contradiction aborts the program with
// its text, and with the name of the file.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "contract/prng.hpp"
#include "contract/report.hpp"
#include "targets.hpp"

namespace {

using Play = void (*)(const uint8_t *, size_t);

std::string g_playing;

void name_what_played(int) { std::fprintf(stderr, "while playing %s\n", g_playing.c_str()); }

std::vector<std::filesystem::path> corpus_of(const std::string &target) {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path folder = std::filesystem::path(HG_FUZZ_CORPUS) / target;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<uint8_t> bytes_of(const std::filesystem::path &file) {
  std::ifstream in(file, std::ios::binary);
  return std::vector<uint8_t>(std::istreambuf_iterator<char>(in), {});
}

void replay_corpus(const std::string &target, Play play) {
  const std::vector<std::filesystem::path> files = corpus_of(target);
  std::signal(SIGABRT, name_what_played);
  EXPECT_FALSE(files.empty()) << "no corpus of " << target;
  for (const std::filesystem::path &file : files) {
    g_playing = file.string();
    const std::vector<uint8_t> bytes = bytes_of(file);
    play(bytes.data(), bytes.size());
  }
  testing::Test::RecordProperty("files", static_cast<int>(files.size()));
}

void play_seeds(Play play) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    contract::Prng prng(seed);
    std::vector<uint8_t> bytes(500 * (1 + seed % 3));
    for (uint8_t &byte : bytes) byte = static_cast<uint8_t>(prng.next());
    play(bytes.data(), bytes.size());
  }
}

#define HG_REPLAY(name)                                                                                       \
  TEST(fuzz_replay, the_corpus_of_##name##_plays_without_a_finding) { replay_corpus(#name, fuzz::play_##name); } \
  TEST(fuzz_replay, random_bytes_as_##name##_play_without_a_finding) { play_seeds(fuzz::play_##name); }         \
  TEST(fuzz_replay, no_bytes_as_##name##_play_without_a_finding) { fuzz::play_##name(nullptr, 0); }
HG_FUZZ_TARGETS(HG_REPLAY)

}  // namespace
