// Names of C++: libc++abi's own __cxa_demangle, as a module of 77 KB (tools/demangle/demangle.cpp).

export type NameReader = (mangled: string) => string | undefined;

interface Demangler {
  readonly memory: WebAssembly.Memory;
  readonly malloc: (size: number) => number;
  readonly free: (address: number) => void;
  readonly hg_demangle: (name: number) => number;
}

/** `wasm`: the bytes of demangle.wasm. */
export function cppNames(wasm: Uint8Array<ArrayBuffer>): NameReader {
  const nothing = () => 0;
  const imports = new Proxy({}, { get: () => new Proxy({}, { get: () => nothing }) });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(wasm), imports);
  const { memory, malloc, free, hg_demangle: demangle } = instance.exports as unknown as Demangler;
  return (mangled) => {
    if (!mangled.startsWith('_Z')) return undefined;
    const bytes = new TextEncoder().encode(`${mangled}\0`);
    const given = malloc(bytes.length);
    new Uint8Array(memory.buffer).set(bytes, given);
    const found = demangle(given);
    free(given);
    if (found === 0) return undefined;
    const all = new Uint8Array(memory.buffer);
    const name = new TextDecoder().decode(all.subarray(found, all.indexOf(0, found)));
    free(found);
    return name;
  };
}
