// Names of C++: libc++abi's own __cxa_demangle, as a module of 77 KB (tools/demangle/demangle.cpp).
//
//   N1  A name may be nested deeper than the module's stack: it traps, and stays as it is. The instance is given up, as its memory may be
//       damaged; the next name gets a new one.

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
  const module = new WebAssembly.Module(wasm);
  const made = () => new WebAssembly.Instance(module, imports).exports as unknown as Demangler;
  let demangler = made();
  return (mangled) => {
    if (!mangled.startsWith('_Z')) return undefined;
    try {
      return nameBy(demangler, mangled);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
      demangler = made(); // N1
      return undefined;
    }
  };
}

function nameBy({ memory, malloc, free, hg_demangle: demangle }: Demangler, mangled: string): string | undefined {
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
}
