#include "limited_memory.hpp"

#include <heapglass/heapglass.h>

#include "contract/regions.hpp"
#include "contract/report.hpp"
#include "core/support/release_run.hpp"
#include "platform/page_source.hpp"

namespace fuzz {

namespace {

constexpr size_t kPage = 65536;

char *all_pages() {
  static char *const pages = [] {
    prepare_memory();
    return static_cast<char *>(heapglass::growing_pages()->acquire(kMostPages * kPage));
  }();
  return pages;
}

}  // namespace

void prepare_memory() {
  static const bool prepared = [] {
    contract::expect(hg_default_heap() != nullptr, "no default heap");
    return contract::region_address(0) != nullptr;
  }();
  static_cast<void>(prepared);
}

LimitedMemory::LimitedMemory(size_t pages) {
  contract::expect(all_pages() != nullptr, "no memory to limit");
  grant(pages);
  heapglass::fail_growth(1);
}

LimitedMemory::~LimitedMemory() {
  const size_t bytes = granted_ * kPage;
  const void *const back = granted_ == 0 ? all_pages() : heapglass::growing_pages()->acquire(bytes);
  contract::expect(back == all_pages(), "L2 pages did not come back", reinterpret_cast<uintptr_t>(back),
                   reinterpret_cast<uintptr_t>(all_pages()));
  heapglass::fail_growth(0);
}

void LimitedMemory::grant(size_t pages) {
  if (pages > kMostPages - granted_) pages = kMostPages - granted_;
  if (pages == 0) return;
  heapglass_test::release_run(all_pages() + granted_ * kPage, pages * kPage);
  granted_ += pages;
}

}  // namespace fuzz
