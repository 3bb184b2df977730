// A worker that is no module, and says addresses relative to its own.
importScripts('minified.js');
fetch('./bump.wasm')
  .then((response) => response.arrayBuffer())
  .then((bytes) => WebAssembly.instantiate(bytes))
  .then(({ instance }) => postMessage(`${useMinified(instance.exports)} ${new URL('.', location).pathname}`));
