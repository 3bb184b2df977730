// The secret comes from the host: getentropy of the C library, which asks crypto.getRandomValues of a page or Node's crypto. Where
// the host refuses, what is left is the address of the stack and of this variable: the secret then differs from program to
// program, not from run to run.
//
// Not solved: programs linked with -sSTANDALONE_WASM. Emscripten 3.1.6 imports env.getentropy there, which a WASI host has not;
// with 3.1.69 the first call traps.
#include "platform/entropy.hpp"

#include "base/address.hpp"

#if HG_HARDENED

extern "C" int getentropy(void *buffer, std::size_t bytes);

namespace heapglass {

Secret g_secret;

void draw_secret() {
  if (g_secret.drawn) return;
  Word words[2] = {};
  if (getentropy(words, sizeof words) != 0) {
    Word mixed = address_of(words) ^ address_of(&g_secret);
    for (Word &word : words) word = mixed = (mixed ^ mixed >> 15) * kUnspread + 1;
  }
  g_secret = {words[0], words[1], true};
}

}  // namespace heapglass

#endif
