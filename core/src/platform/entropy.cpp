// The secret comes from the host: getentropy of the C library, which asks crypto.getRandomValues of a page or Node's crypto. Where
// the host refuses, what is left is the address of the stack and of this variable: the secret then differs from program to
// program, not from run to run.
//
// Programs linked with -sSTANDALONE_WASM have no such function of their own: they link abi/wasm_entropy.cpp.
#include "platform/entropy.hpp"

#include "base/address.hpp"
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
    const Word here = 0;
    g_secret.header = address_of(&here) * kScatter;
    g_secret.spread = g_secret.header * kScatter;
    g_secret.link = address_of(&g_secret) * kScatter;
    g_secret.slab = g_secret.spread * 0x9e3779b97f4a7c15ull;
  }
  g_secret.spread |= 1;
  g_secret.slab |= 1;
  g_secret.unspread = inverse_of(g_secret.spread);
  g_secret.drawn = true;
}

}  // namespace heapglass

#endif
