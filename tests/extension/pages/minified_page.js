const { instance } = await WebAssembly.instantiateStreaming(fetch('./bump.wasm'));
globalThis.found = useMinified(instance.exports);
