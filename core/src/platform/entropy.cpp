// The secret comes from the host: getentropy of the C library, which asks crypto.getRandomValues of a page or Node's crypto. Where
// the host refuses, the program ends: whoever has the program would know a secret that is made of anything else.
//
// Programs linked with -sSTANDALONE_WASM have no such function of their own: they link abi/wasm_entropy.cpp.
#include "platform/entropy.hpp"

#include "base/address.hpp"
#include "base/failure.hpp"
#include "platform/spin_lock.hpp"

#if HG_HARDENED

extern "C" int getentropy(void *buffer, std::size_t bytes);

namespace heapglass {

Secret g_secret;

void draw_secret() {
  static SpinLock lock;
  const Hold hold(lock);
  if (g_secret.drawn) return;
  if (getentropy(&g_secret, offsetof(Secret, unspread)) != 0) {
    fail_with("no secret: the host gives no random numbers", kFailure_broken_invariant, nullptr, nullptr, 0);
  }
  g_secret.spread |= 1;
  g_secret.slab |= 1;
  g_secret.tag |= 1;
  g_secret.unspread = inverse_of(g_secret.spread);
  g_secret.drawn = true;
}

}  // namespace heapglass

#endif
