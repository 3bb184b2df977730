// WASI's random_get, for programs linked with -sSTANDALONE_WASM (core/src/abi/wasm_entropy.cpp). Their host brings it and this
// text is never run: older Emscriptens only link a function whose name is in a JavaScript library.
if (!('random_get' in LibraryManager.library)) {
  mergeInto(LibraryManager.library, {
    random_get: function () {
      return 52; // not supported
    },
  });
}
