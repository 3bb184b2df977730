// Runs a standalone program: node run_standalone.mjs <file.wasm> [argument ...]. All it imports is WASI and a notice of growth.

import { readFileSync } from 'node:fs';
import { WASI } from 'node:wasi';

const [path, ...given] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: ['program', ...given], returnOnExit: true });
const { instance } = await WebAssembly.instantiate(readFileSync(path), {
  ...wasi.getImportObject(),
  env: { emscripten_notify_memory_growth: () => {} },
});
process.exitCode = wasi.start(instance);
