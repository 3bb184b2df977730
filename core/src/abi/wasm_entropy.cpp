// getentropy of a program whose host is WASI: an archive of its own, libheapglass-wasi-entropy.a, for programs linked with
// -sSTANDALONE_WASM and the profile hardened, which draws its key from getentropy (platform/entropy.cpp).
//
// Emscripten's own does not serve there: 3.1.6 imports env.getentropy, which no WASI host has; 3.1.69 calls abort. In a program
// with JavaScript beside it the C library's is the right one, so this file is never part of the archive that is malloc.
#include <cstddef>

extern "C" {

[[clang::import_module("wasi_snapshot_preview1"), clang::import_name("random_get")]]
int hg_wasi_random_get(void *buffer, std::size_t bytes);

// 0, or -1 where the host refuses.
int getentropy(void *buffer, std::size_t bytes) { return hg_wasi_random_get(buffer, bytes) == 0 ? 0 : -1; }

}  // extern "C"
