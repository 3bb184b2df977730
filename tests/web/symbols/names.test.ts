// Names as people write them, out of what compilers write. What LLVM's and rustc's own demanglers say of these was noted here.

import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cppNames } from '../../../web/src/symbols/cpp_names.ts';
import { rustName } from '../../../web/src/symbols/rust_names.ts';

const demangler = new URL('../../../build/wasm/demangle.wasm', import.meta.url);

test('names of C++', () => {
  if (!existsSync(demangler)) throw new Error('missing build/wasm/demangle.wasm: run ./wasm-build.sh first');
  const name = cppNames(Uint8Array.from(readFileSync(demangler)));
  expect(name('_ZN12_GLOBAL__N_14keepEm')).toBe('(anonymous namespace)::keep(unsigned long)');
  expect(name('_ZZ3fooILi3EEvvENKUlvE_clEv')).toBe("void foo<3>()::'lambda'()::operator()() const");
  expect(name('main')).toBeUndefined();
  expect(name('_Znot_a_name')).toBeUndefined();
  const long = `_ZN${'3abc'.repeat(3000)}1fEv`;
  expect(name(long)).toBe(`${'abc::'.repeat(3000)}f()`);
});

test.each([
  ['_ZN5alloc7raw_vec11finish_grow17hd9a1ab3c2fe0c2b3E', 'alloc::raw_vec::finish_grow'],
  [
    '_ZN4core3ptr42drop_in_place$LT$alloc..string..String$GT$17h0123456789abcdefE',
    'core::ptr::drop_in_place<alloc::string::String>',
  ],
  [
    '_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar17h930b740aa94f1d3aE',
    "<Test + 'static as foo::Bar<Test>>::bar",
  ],
  ['_ZN3foo3bar28_$u7b$$u7b$closure$u7d$$u7d$17h0123456789abcdefE', 'foo::bar::{{closure}}'],
  ['_RNvC6_123foo3bar', '123foo::bar'],
  ['_RNvMsr_NtCs3ssYzQotkvD_3std4pathNtB5_7PathBuf3new', '<std::path::PathBuf>::new'],
  ['_RNvXs5_NtCs3ssYzQotkvD_4core3fmtmNtB5_5Debug3fmt', '<u32 as core::fmt::Debug>::fmt'],
  ['_RNCNvCs4fqI2P2rA04_4main4main0B5_', 'main::main::{closure#0}'],
  ['_RINvNtC3std3mem8align_ofdE', 'std::mem::align_of::<f64>'],
  ['_RINvCs1234_7mycrate3fooReAhj3_TlmEE', 'mycrate::foo::<&str, [u8; 3], (i32, u32)>'],
  ['_RINvC1a1bFUKCEuE', 'a::b::<unsafe extern "C" fn()>'],
  ['_RINvC1a1bDNtC1c1dEL_E', 'a::b::<dyn c::d>'],
])('the Rust name %s', (mangled, shown) => {
  expect(rustName(mangled)).toBe(shown);
});

test('what is no Rust name is left alone', () => {
  for (const name of ['main', '_ZN3foo3barEv', '_RNvC', '_RB_', '_RNvC9999999999foo', '_R'])
    expect(rustName(name)).toBeUndefined();
});
