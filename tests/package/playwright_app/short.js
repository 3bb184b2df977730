// What a bundler makes of a page and Emscripten's glue: the module's exports have short names, and only this script says which is malloc.

const { instance } = await WebAssembly.instantiateStreaming(fetch('short.wasm'));
const wasmExports = instance.exports;
const _malloc = wasmExports.Ia;
const _free = wasmExports.Ja;

const blocks = Array.from({ length: 30 }, () => _malloc(64));
for (const block of blocks.slice(3)) _free(block);
document.querySelector('output').textContent = 'played';
