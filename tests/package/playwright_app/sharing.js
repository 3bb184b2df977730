// A shared worker whose module works for every page that connects.

const loaded = fetch('app.wasm').then((response) => WebAssembly.instantiateStreaming(response));
addEventListener('connect', async ({ ports: [port] }) => {
  const { instance } = await loaded;
  port.postMessage(instance.exports.malloc(16) > 0);
});
