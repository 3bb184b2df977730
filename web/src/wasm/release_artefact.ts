// Where the module without probes lies. A file of its own: a bundler emits each wasm file that a script in the bundle names, and an
// entry that imports this one names no other.

export const releaseUrl = (): URL => new URL('../../../build/wasm/heapglass-release.wasm', import.meta.url);
