// Why memory is out: the causes of out_of_memory.h, each with the figures of the heap at hand. Growth is
// refused to make malloc fail.
#include <heapglass/out_of_memory.h>

#include <array>
#include <sstream>
#include <utility>

#include "base/address.hpp"
#include "diagnose/census.hpp"
#include "diagnose/out_of_memory.hpp"
#include "malloc_rig.hpp"
#include "platform/page_source.hpp"

namespace heapglass_test {
namespace {

using heapglass::offset_of;

class MallocOutOfMemory : public MallocRig {
 protected:
  void SetUp() override {
    MallocRig::SetUp();
    hg_set_soft_limit(0, nullptr);  // from here on there is a history (diagnose.O2)
    heapglass::g_history.count = 0;
    heapglass::g_failed_request = 0;
  }
  void TearDown() override {
    heapglass::fail_growth(0);
    hg_set_soft_limit(0, nullptr);
    MallocRig::TearDown();
  }
};

std::string report() {
  std::array<char, 4000> text;
  const std::size_t length = hg_out_of_memory_report(text.data(), text.size());
  EXPECT_EQ(std::strlen(text.data()), length);
  return text.data();
}

void fail_at(std::size_t request) {
  heapglass::fail_growth(1);
  ASSERT_EQ(hg_malloc(request), nullptr);
  heapglass::g_failed_request = request;  // as the malloc of a program does in wasm
  heapglass::fail_growth(0);
}

std::size_t chunk_of(const void *mem) { return hg_malloc_usable_size(mem) + kWordBytes; }

// The line with the figures, which ends every report.
std::string figures() {
  const hg_heap_stats stats = stats_of(nullptr);
  std::ostringstream line;
  line << "live " << malloc_stats().in_use << " bytes, cached " << malloc_stats().cached << ", free " << stats.free_bytes << " in "
       << stats.chunks_free << " chunks (largest " << stats.largest_free << "), heap " << stats.footprint << ", memory "
       << heapglass::raw_limit() << "\n";
  return line.str();
}

// Of two holes of enough bytes the one with fewer in use between: A w B s... C w D w.
TEST_F(MallocOutOfMemory, NamesTheBlocksThatKeepTheCheapestHoleApart) {
  constexpr std::size_t kLarge = 40'000, kWall = 60'000;
  for (const std::size_t between : {1u, 3u, 4u, 6u}) {
    std::vector<unsigned char *> holes, walls, named;
    holes.push_back(take(kLarge));
    walls.push_back(take(kWall));
    holes.push_back(take(kLarge));
    for (std::size_t i = 0; i < between; ++i) named.push_back(take(9000));
    holes.push_back(take(kLarge));
    walls.push_back(take(kWall));
    holes.push_back(take(kLarge));
    walls.push_back(take(kWall));
    const std::size_t apart = between * chunk_of(named[0]);
    const std::size_t whole = chunk_of(holes[1]) + apart + chunk_of(holes[2]);
    std::ostringstream expected;
    expected << between << (between == 1 ? " block in use (" : " blocks in use (") << apart
             << (between == 1 ? " bytes) keeps " : " bytes) keep ") << whole << " bytes from 0x" << std::hex
             << offset_of(holes[1]) - kWordBytes << " on from being one hole:";
    for (std::size_t i = 0; i < between && i < 4; ++i) {
      expected << (i == 0 ? " 0x" : ", 0x") << std::hex << offset_of(named[i]) << " (" << std::dec << hg_malloc_usable_size(named[i]) << ")";
    }
    expected << (between > 4 ? ", ...\n" : "\n");
    for (unsigned char *const hole : holes) hg_free(hole);
    const std::size_t request = whole - kWordBytes;
    fail_at(request);
    const hg_heap_stats stats = stats_of(nullptr);
    std::ostringstream cause;
    cause << "out of memory: " << request << " bytes were asked for\ncause: fragmentation. " << stats.free_bytes
          << " bytes are free, but the largest free chunk has " << stats.largest_free << ".\n";
    EXPECT_EQ(report(), cause.str() + expected.str() + figures());
    for (unsigned char *const wall : walls) hg_free(wall);
    for (unsigned char *const block : named) hg_free(block);
    hg_malloc_trim(0);
  }
}

TEST_F(MallocOutOfMemory, SaysSoWhenNothingHasFailed) { EXPECT_EQ(report(), "no allocation has failed\n" + figures()); }

TEST_F(MallocOutOfMemory, IsAShortageWhenWhatIsLiveAndTheRequestExceedMemory) {
  unsigned char *const mem = take(30'000'000);  // memory grew
  fail_at(400'000'000);
  std::ostringstream expected;
  expected << "out of memory: 400000000 bytes were asked for\ncause: shortage. " << malloc_stats().in_use
           << " live bytes and 400000000 more do not fit; memory has " << heapglass::raw_limit()
           << " bytes and was refused to grow (-sMAXIMUM_MEMORY).\n";
  EXPECT_EQ(report(), expected.str() + figures());
  hg_free(mem);
}

TEST_F(MallocOutOfMemory, IsALimitWhenMemoryEndsWhereItBegan) {
  const heapglass::Word before = heapglass::g_history.first_memory;
  heapglass::g_history.first_memory = heapglass::raw_limit();
  fail_at(400'000'000);
  const std::string text = report();
  std::ostringstream expected;
  expected << "cause: a limit. Memory has " << heapglass::raw_limit() << " bytes as at the beginning";
  EXPECT_NE(text.find(expected.str()), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with(figures())) << text;
  heapglass::g_history.first_memory = before;
}

TEST_F(MallocOutOfMemory, NoAddressSpaceHoldsARequestBeyondTheLargest) {
  fail_at(~std::size_t{0});
  std::ostringstream expected;
  expected << "out of memory: " << ~std::size_t{0} << " bytes were asked for\ncause: shortage. No address space holds so many bytes.\n";
  EXPECT_EQ(report(), expected.str() + figures());
}

TEST_F(MallocOutOfMemory, TheFirstFailureIsReportedOnStandardErrorAndNoOther) {
  fail_at(400'000'000);
  const std::string told = "heapglass: " + report();
  testing::internal::CaptureStderr();
  heapglass::note_failure(400'000'000);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), told);
  testing::internal::CaptureStderr();
  heapglass::note_failure(500'000'000);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(MallocOutOfMemory, ABufferIsFilledWithWholeTextUpToItsFinalZero) {
  fail_at(400'000'000);
  const std::string whole = report();
  for (const std::size_t capacity : {std::size_t{1}, std::size_t{2}, std::size_t{20}, whole.size(), whole.size() + 1, whole.size() + 2}) {
    std::string buffer(capacity + 1, '#');
    const std::size_t length = hg_out_of_memory_report(buffer.data(), capacity);
    EXPECT_EQ(length, std::min(capacity - 1, whole.size()));
    EXPECT_EQ(buffer.substr(0, length), whole.substr(0, length));
    EXPECT_EQ(buffer[length], '\0') << capacity;
    EXPECT_EQ(buffer[capacity], '#') << capacity;
  }
  EXPECT_EQ(hg_out_of_memory_report(nullptr, 0), 0u);
  char untouched = '#';
  EXPECT_EQ(hg_out_of_memory_report(&untouched, 0), 0u);
  EXPECT_EQ(untouched, '#');
}

// One size is taken while the heap doubles and doubles.
class Leak : public MallocOutOfMemory {
 protected:
  static constexpr std::size_t kLeaked = 1000, kSmallest = 4'000'000;
  void leak_until(std::size_t footprint) {
    while (stats_of(nullptr).footprint < footprint) {
      for (int i = 0; i < 100; ++i) leaked.push_back(take(kLeaked));
    }
  }
  void fail_by_leaking() {
    heapglass::fail_growth(1);
    while (unsigned char *const mem = take(kLeaked)) leaked.push_back(mem);
    heapglass::g_failed_request = kLeaked;
    heapglass::fail_growth(0);
  }
  void TearDown() override {
    for (unsigned char *const mem : leaked) hg_free(mem);
    MallocOutOfMemory::TearDown();
  }
  std::vector<unsigned char *> leaked;
};

TEST_F(Leak, IsNamedByItsSizeClassAndWhatItHadEachTimeTheHeapHadDoubled) {
  leak_until(16 * kSmallest);
  fail_by_leaking();
  const heapglass::History &history = heapglass::g_history;
  ASSERT_GE(history.count, 3u);
  std::ostringstream looks;
  for (unsigned i = 0; i < history.count; ++i) {
    const heapglass::Census &look = history.looks[i];
    looks << (i == 0 ? " " : ", ") << look.bytes[9] << " when the heap had " << look.footprint;
    if (i != 0) {
      EXPECT_GE(look.footprint, 2 * history.looks[i - 1].footprint) << "a look each time the heap has doubled";
      EXPECT_LT(look.footprint, 3 * history.looks[i - 1].footprint);
    }
    EXPECT_GE(look.live, look.bytes[9]);
    EXPECT_LE(look.live, look.footprint);
  }
  std::size_t held = 0;  // a chunk may be one unit larger, and of the next class then
  for (const unsigned char *const mem : leaked) held += chunk_of(mem) < 1024 ? chunk_of(mem) : 0;
  const std::string text = report();
  std::ostringstream expected;
  expected << "cause: a leak, as it looks. Blocks of " << 512 - kWordBytes << " to " << 1023 - kWordBytes << " bytes hold ";
  const std::size_t at = text.find(expected.str());
  ASSERT_NE(at, std::string::npos) << text;
  const std::size_t told = std::stoul(text.substr(at + expected.str().size()));
  EXPECT_GE(told, held);
  EXPECT_LE(told, held + 64 * chunk_of(leaked[0])) << "and what the cache has of it, where that is not marked";
  EXPECT_NE(text.find(" live bytes, and only grew:" + looks.str() + ".\n"), std::string::npos) << text;
}

TEST_F(Leak, IsNoneWhenTheClassOnceShrank) {
  leak_until(8 * kSmallest);
  fail_by_leaking();
  EXPECT_NE(report().find("cause: a leak"), std::string::npos);
  heapglass::History &history = heapglass::g_history;
  ASSERT_GE(history.count, 3u);
  for (unsigned i = 1; i < history.count; ++i) {
    heapglass::Word &before = history.looks[i - 1].bytes[9];
    const heapglass::Word right = std::exchange(before, history.looks[i].bytes[9] + 1);
    EXPECT_EQ(report().find("cause: a leak"), std::string::npos) << "before look " << i;
    before = right;
  }
  EXPECT_NE(report().find("cause: a leak"), std::string::npos);
}

TEST_F(Leak, IsNoneBeforeTheThirdLook) {
  leak_until(8 * kSmallest);
  fail_by_leaking();
  ASSERT_GE(heapglass::g_history.count, 3u);
  for (unsigned looks = 1; looks <= 3; ++looks) {
    heapglass::g_history.count = looks;
    EXPECT_EQ(report().find("cause: a leak") != std::string::npos, looks == 3) << looks;
  }
}

TEST_F(Leak, IsNoneWhenTheOthersTogetherHaveMore) {
  std::vector<unsigned char *> others;  // each in a size class of its own
  for (const std::size_t size : {4'100'000u, 8'300'000u, 16'000'000u}) others.push_back(take(size));
  leak_until(stats_of(nullptr).footprint + 20'000'000);
  heapglass::fail_growth(1);
  for (std::size_t size = 800'000; size >= 100'000; size /= 2) {  // so that the leak does not fill what is free
    for (int i = 0; i < 10; ++i) {
      if (unsigned char *const other = take(size)) others.push_back(other);
    }
  }
  fail_by_leaking();
  const heapglass::Census now = heapglass::take_census(*heapglass::Heap::default_heap_if_made());
  ASSERT_GT(now.bytes[9], 17'000'000u) << "the class with the most";
  ASSERT_LT(now.bytes[9], now.live / 2);
  ASSERT_GE(heapglass::g_history.count, 3u);
  EXPECT_EQ(report().find("cause: a leak"), std::string::npos);
  for (unsigned char *const other : others) hg_free(other);
}

TEST_F(Leak, IsNoneWhenItHasLessThanHalfOfWhatIsLive) {
  unsigned char *const other = take(20 * kSmallest);
  leak_until(stats_of(nullptr).footprint + 8 * kSmallest);
  fail_by_leaking();
  EXPECT_EQ(report().find("cause: a leak"), std::string::npos);
  hg_free(other);
}

}  // namespace
}  // namespace heapglass_test
