// A worker that Vite does not know as one: it has no recorder, so it must get its module as it is.
fetch(new URL('/empty.wasm', location.href))
  .then((response) => response.arrayBuffer())
  .then((bytes) => WebAssembly.instantiate(bytes))
  .then(
    () => postMessage('it runs'),
    (error) => postMessage(String(error)),
  );
