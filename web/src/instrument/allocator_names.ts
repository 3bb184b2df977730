// What the functions of an allocator are called by toolchains, and where their arguments stand.

import { Op } from '../protocol/event_layout.ts';

/** What a function of an allocator does; numbers are those of its parameters. */
export interface Role {
  readonly name: RoleName;
  readonly op: Op;
  /** The block that is given up. */
  readonly from?: number;
  /** Its product is the request; none: nothing is allocated. */
  readonly size?: readonly number[];
  readonly alignment?: number;
  /** The address is stored there, and the result says whether that was possible. */
  readonly storesAt?: number;
  /** There may be more parameters, which say nothing that is needed. */
  readonly least: number;
  readonly most: number;
}

export type RoleName =
  | 'malloc'
  | 'free'
  | 'calloc'
  | 'realloc'
  | 'memalign'
  | 'posix_memalign'
  | 'alloc'
  | 'alloc_zeroed'
  | 'sized_realloc';

const role = (name: RoleName, parameters: number, rest: Omit<Role, 'name' | 'least' | 'most'>, most = parameters) => ({
  name,
  least: parameters,
  most,
  ...rest,
});

export const kRoles: Readonly<Record<RoleName, Role>> = {
  malloc: role('malloc', 1, { op: Op.allocate, size: [0] }),
  free: role('free', 1, { op: Op.deallocate, from: 0 }, 3), // Rust's has size and alignment behind the address
  calloc: role('calloc', 2, { op: Op.allocateZeroed, size: [0, 1] }),
  realloc: role('realloc', 2, { op: Op.reallocate, from: 0, size: [1] }),
  memalign: role('memalign', 2, { op: Op.allocateAligned, alignment: 0, size: [1] }),
  posix_memalign: role('posix_memalign', 3, { op: Op.allocateAligned, storesAt: 0, alignment: 1, size: [2] }),
  // Rust's and mimalloc's: alloc(size, alignment), realloc(address, old size, alignment, new size)
  alloc: role('alloc', 2, { op: Op.allocate, size: [0], alignment: 1 }),
  alloc_zeroed: role('alloc_zeroed', 2, { op: Op.allocateZeroed, size: [0], alignment: 1 }),
  sized_realloc: role('sized_realloc', 4, { op: Op.reallocate, from: 0, alignment: 2, size: [3] }),
};

/** Before and behind a name of C: libc's own, and those of the allocators that Emscripten links, and of its WebIDL binder. */
const kCName =
  /^(?:_?|dl|__libc_|emscripten_builtin_|emmalloc_|mi_|webidl_)(malloc|free|calloc|realloc|memalign|aligned_alloc|posix_memalign)$/;
/** Rust's, unmangled, mangled (v0) and demangled: __rust_alloc, _RNvCs4f_7___rustc14___rust_realloc, __rustc::__rdl_dealloc. */
const kRustName = /(?:^|::|\d_)__(?:rust|rg|rdl)_(alloc|dealloc|realloc|alloc_zeroed)(?:::h[0-9a-f]+)?$/;

/** The functions below them, which compilers call in their place: dlmalloc::dlmalloc::Dlmalloc<A>::malloc::h1f2e and its v0 form. */
const kRustInnerName =
  /(?:^|<)dlmalloc(?:\[[0-9a-f]+\])?::dlmalloc::Dlmalloc<.*>::(malloc|free|memalign)(?:::h[0-9a-f]+)?$/;

const kRustRoles: Readonly<Record<string, RoleName>> = {
  alloc: 'alloc',
  dealloc: 'free',
  realloc: 'sized_realloc',
  alloc_zeroed: 'alloc_zeroed',
};

/** The role of a function with this name, if it is an allocator's. */
export function roleOfName(name: string): Role | undefined {
  const c = kCName.exec(name)?.[1];
  if (c !== undefined) return kRoles[(c === 'aligned_alloc' ? 'memalign' : c) as RoleName];
  const inner = kRustInnerName.exec(name)?.[1];
  if (inner !== undefined) return kRoles[inner as RoleName];
  const rust = kRustName.exec(name)?.[1];
  const known = rust === undefined ? undefined : kRustRoles[rust];
  return known === undefined ? undefined : kRoles[known];
}

/** Whose objects come and go by a collector, told by names, and by the modules of imports; undefined: none is recognized. */
export function collectorOf(names: readonly string[], importedFrom: ReadonlySet<string>): string | undefined {
  if (names.some((name) => /^(?:~lib\/rt\/|__new$|__pin$|__collect$)/.test(name))) return "AssemblyScript's runtime";
  if (names.some((name) => /^(?:runtime\.(?:mallocgc|gcStart|gcenable)|go\.|_rt0_wasm_|go_scheduler$)/.test(name)))
    return "Go's runtime";
  if (names.some((name) => /^(?:runtime\.(?:alloc|gc|runGC)|tinygo_)/.test(name))) return "TinyGo's runtime";
  if (importedFrom.has('gojs') || importedFrom.has('go')) return "Go's runtime"; // what wasm_exec.js gives
  return undefined;
}
