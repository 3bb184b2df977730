// What an allocator's functions are called: names as toolchains write them, and names that only look like these.

import { expect, test } from 'vitest';
import { collectorOf, roleOfName } from '../../../web/src/instrument/allocator_names.ts';

test.each([
  // C: libc's own, the allocators that Emscripten links, its WebIDL binder
  ['malloc', 'malloc'],
  ['_malloc', 'malloc'],
  ['dlmalloc', 'malloc'],
  ['__libc_calloc', 'calloc'],
  ['emscripten_builtin_memalign', 'memalign'],
  ['emmalloc_realloc', 'realloc'],
  ['mi_free', 'free'],
  ['webidl_malloc', 'malloc'],
  ['aligned_alloc', 'memalign'],
  ['posix_memalign', 'posix_memalign'],
  // Rust: unmangled, mangled, demangled with and without its hash
  ['__rust_alloc', 'alloc'],
  ['__rust_alloc_zeroed', 'alloc_zeroed'],
  ['__rg_realloc', 'sized_realloc'],
  ['_RNvCs4fqI2P2rA04_7___rustc14___rust_realloc', 'sized_realloc'],
  ['__rustc::__rdl_dealloc', 'free'],
  ['__rustc[4f2a]::__rust_alloc::h0123456789abcdef', 'alloc'],
  // the functions below Rust's
  ['dlmalloc::dlmalloc::Dlmalloc<A>::malloc', 'malloc'],
  ['dlmalloc::dlmalloc::Dlmalloc<A>::malloc::h1f2e3d4c5b6a7988', 'malloc'],
  ['dlmalloc[1f2e]::dlmalloc::Dlmalloc<dlmalloc::sys::System>::free', 'free'],
  ['<dlmalloc[1f2e]::dlmalloc::Dlmalloc<_>>::memalign', 'memalign'],
] as const)('%s is an allocator of the kind %s', (name, role) => {
  expect(roleOfName(name)?.name).toBe(role);
});

test.each([
  'my_malloc',
  'mallocs',
  'malloc_usable_size',
  'xdlmalloc',
  '__rust_no_alloc_shim_is_unstable',
  '__rust_alloc_error_handler',
  'my__rust_alloc',
  '__rust_alloc::inner',
  'mydlmalloc::dlmalloc::Dlmalloc<A>::malloc',
  'dlmalloc::dlmalloc::Dlmalloc<A>::malloc::helper',
  'dlmalloc::dlmalloc::Dlmalloc<A>::malloc_real',
  'dlmalloc::dlmalloc::Dlmalloc::malloc',
])('%s is none', (name) => {
  expect(roleOfName(name)).toBeUndefined();
});

test.each([
  [['main', '~lib/rt/itcms/__new'], [], "AssemblyScript's runtime"],
  [['__pin'], [], "AssemblyScript's runtime"],
  [['__new'], [], "AssemblyScript's runtime"],
  [['__collect'], [], "AssemblyScript's runtime"],
  [['runtime.mallocgc'], [], "Go's runtime"],
  [['_rt0_wasm_js'], [], "Go's runtime"],
  [['runtime.alloc'], [], "TinyGo's runtime"],
  [['tinygo_getCurrentStackPointer'], [], "TinyGo's runtime"],
  [['main'], ['gojs'], "Go's runtime"],
  [['main'], ['go'], "Go's runtime"],
  [['main'], ['env'], undefined],
  [['operator__new', '__newlocale', 'my_runtime.alloc', '__pinned', 'x__collect'], ['env'], undefined],
] as const)('a module with %j, importing from %j, has its objects collected by %s', (names, modules, collector) => {
  expect(collectorOf(names, new Set(modules))).toBe(collector);
});
