// hg_discard_pages of programs with JavaScript beside them (core/src/abi/wasm_discard.cpp): WebAssembly.Memory.prototype.discard of the
// proposal for memory control, where the engine has it. Other hosts bring this function themselves.
mergeInto(LibraryManager.library, {
  __wbindgen_memory_discard: function (address, bytes) {
    if (wasmMemory && typeof wasmMemory.discard === 'function') wasmMemory.discard(address >>> 0, bytes >>> 0);
  },
});
