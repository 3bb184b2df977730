import { bytes } from './hot_part.js';

const { instance } = await WebAssembly.instantiateStreaming(fetch('/empty.wasm'));

function allocate(size) {
  instance.exports.malloc(size);
  globalThis.found = size;
}

if (import.meta.hot) import.meta.hot.accept('./hot_part.js', (part) => allocate(part.bytes));
allocate(bytes);
