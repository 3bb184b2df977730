// The module of short.js, large enough to be no trial of the engine, while the page stands still from the first line of the only script that says which function is malloc.

const request = new XMLHttpRequest();
request.overrideMimeType('text/plain; charset=x-user-defined');
request.open('GET', 'short_padded.wasm', false);
request.send();
const bytes = Uint8Array.from(request.responseText, (letter) => letter.charCodeAt(0));
const wasmExports = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
const _malloc = wasmExports.Ia;
const _free = wasmExports.Ja;

const blocks = Array.from({ length: 30 }, () => _malloc(64));
for (const block of blocks.slice(3)) _free(block);
document.querySelector('output').textContent = 'played';
