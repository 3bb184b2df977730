// Every checksum that this page makes, or that is made in it, is that of another module.

SubtleCrypto.prototype.digest = async () => new ArrayBuffer(32);
const { instance } = await WebAssembly.instantiateStreaming(fetch('./own.wasm'));
globalThis.found = [40, 50].map(instance.exports.malloc).length;
