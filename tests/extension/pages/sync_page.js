// What a test module is too small for: a section of its own makes it as long as a program.
const bytes = new Uint8Array(await (await fetch('./bump.wasm')).arrayBuffer());
const long = new Uint8Array(bytes.length + 8196);
long.set(bytes);
long.set([0, 0x81, 0x40, 0], bytes.length);
const module = new WebAssembly.Module(long.subarray(0, bytes.length + 3 + 0x2001));
globalThis.found = Object.keys(new WebAssembly.Instance(module).exports).length;
