// hg_discard_pages of a program whose host takes pages back: an archive of its own, libheapglass-discard.a, linked with
// -Wl,-u,hg_discard_by_host.
//
// The import has the name and the signature that wasm-bindgen 0.2.127 replaced by the instruction memory.discard
// (--experimental-memory-discard, taken back in September 2026); Emscripten's JavaScript finds it in heapglass_discard.js. Another host
// brings the function itself.
#include <heapglass/discard.h>

extern "C" {

[[clang::import_module("env"), clang::import_name("__wbindgen_memory_discard")]]
void __wbindgen_memory_discard(void *address, size_t bytes);

void hg_discard_pages(void *address, size_t bytes) { __wbindgen_memory_discard(address, bytes); }

extern const char hg_discard_by_host = 1;

}  // extern "C"
