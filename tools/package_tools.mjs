// npm and npx put node_modules/.bin first on PATH. The package binaryen has a wasm-opt there, which Emscripten and CMake then take in place
// of the one that Emscripten came with: other code, and programs of Emscripten 3.1.6 that abort. So whoever calls compilers takes that
// folder off PATH first.
import { delimiter } from 'node:path';

export function leaveOutPackageTools() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  process.env.PATH = folders.filter((folder) => !/node_modules[\\/]\.bin[\\/]?$/.test(folder)).join(delimiter);
}
