// Which allocators are in a module: read from the names of its functions (--profiling-funcs keeps them).

import { readFileSync } from 'node:fs';

const kAllocators: Readonly<Record<string, RegExp>> = {
  heapglass: /^hg_malloc$/,
  dlmalloc:
    /^(dl(malloc|free|calloc|realloc|memalign|mallinfo)|tmalloc_(small|large)|sys_(alloc|trim)|prepend_alloc|dispose_chunk)$/,
  emmalloc: /^(claim_more_memory|attempt_allocate|allocate_memory|free_memory|attempt_region_resize)$/, // its own parts
  mimalloc: /^_?mi_\w+$/,
};

export interface Found {
  /** Names of allocators of which at least one function is there. */
  readonly allocators: readonly string[];
  /** Functions that can only be there once: malloc by whatever name, sbrk. */
  readonly mallocs: number;
  readonly breaks: number;
  readonly names: readonly string[];
}

export function allocatorsIn(path: string): Found {
  const names = functionNames(readFileSync(path));
  const count = (pattern: RegExp) => names.filter((name) => pattern.test(name)).length;
  return {
    allocators: Object.keys(kAllocators).filter((name) => count(kAllocators[name] ?? /$^/) > 0),
    mallocs: count(/^(hg_|dl|emmalloc_|mi_)?malloc$/),
    breaks: count(/^sbrk$/),
    names,
  };
}

/** From the name section: a run of subsections {kind, size}; kind 1 is a list of {index, length, text}. */
function functionNames(bytes: Uint8Array<ArrayBuffer>): string[] {
  const [section] = WebAssembly.Module.customSections(new WebAssembly.Module(bytes), 'name');
  if (section === undefined) throw new Error('the module has no names');
  const names = new Uint8Array(section);
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = names[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  };
  const found: string[] = [];
  while (at < names.length) {
    const kind = number();
    const end = number() + at;
    for (let left = kind === 1 ? number() : 0; left > 0; --left) {
      number();
      const length = number();
      found.push(new TextDecoder().decode(names.subarray(at, at + length)));
      at += length;
    }
    at = end;
  }
  return found;
}
