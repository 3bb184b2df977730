// Converts addresses to numbers, and numbers to the 32-bit offsets in events.
//
// In wasm an address is its offset in linear memory. On a 64-bit host all growing heaps live in one reservation of
// 4 GiB. Offsets count from 64 KiB below it, so no chunk has offset 0, which means "none". Pointers become integers only
// here and in chunk/.
#pragma once

#include "base/bits.hpp"

namespace heapglass {

#if defined(__wasm__)
inline constexpr std::uintptr_t kAddressBase = 0;
inline std::uintptr_t address_base() { return kAddressBase; }
#else
extern std::uintptr_t g_address_base;  // set once by platform/native_pages.cpp
inline std::uintptr_t address_base() { return g_address_base; }
#endif

inline std::uintptr_t address_of(const void *at) { return reinterpret_cast<std::uintptr_t>(at); }

template <class T>
inline T *at_offset(void *base, Word bytes) {
  return reinterpret_cast<T *>(static_cast<char *>(base) + bytes);
}
template <class T>
inline const T *at_offset(const void *base, Word bytes) {
  return reinterpret_cast<const T *>(static_cast<const char *>(base) + bytes);
}

// The address `bytes` before `at`.
template <class T>
inline T *before(void *at, Word bytes) {
  return reinterpret_cast<T *>(static_cast<char *>(at) - bytes);
}
template <class T>
inline const T *before(const void *at, Word bytes) {
  return reinterpret_cast<const T *>(static_cast<const char *>(at) - bytes);
}

// The offset that events and messages print. nullptr gives 0.
inline std::uint32_t offset_of(const void *at) {
  return at == nullptr ? 0u : static_cast<std::uint32_t>(address_of(at) - address_base());
}

}  // namespace heapglass
