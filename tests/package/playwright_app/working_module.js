const loaded = fetch(new URL('app.wasm', import.meta.url)).then((response) =>
  WebAssembly.instantiateStreaming(response),
);
let exports;
loaded.then(({ instance }) => {
  exports = instance.exports;
  exports.malloc(16);
  postMessage('begun');
});
addEventListener('message', () => {
  const blocks = Array.from({ length: 30 }, () => exports.malloc(64));
  for (const block of blocks.slice(7)) exports.free(block);
  postMessage('played');
});
