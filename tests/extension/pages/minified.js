// As Emscripten's minified glue says which export is malloc.
var wasmExports, _malloc, _free;
globalThis.useMinified = (exports) => {
  wasmExports = exports;
  _malloc = wasmExports['Ia'];
  _free = wasmExports['Ja'];
  const blocks = Array.from({ length: 10 }, () => _malloc(40));
  for (const block of blocks.slice(3)) _free(block);
  return blocks.length;
};
