const minified = new URL('./minified.js', location.href).href;
const wasm = new URL('./bump.wasm', location.href).href;
const text = `importScripts('${minified}');
WebAssembly.instantiateStreaming(fetch('${wasm}')).then(({ instance }) => postMessage(String(useMinified(instance.exports))));`;
const address = URL.createObjectURL(new Blob([text]));
const worker = new Worker(address);
URL.revokeObjectURL(address);
worker.onmessage = ({ data }) => {
  globalThis.found = data;
};
