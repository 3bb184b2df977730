// Names as people write them, out of what compilers write. What LLVM's and rustc's own demanglers say of these was noted here.

import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
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
  ['_RNvC6_123foo3bar.llvm.9375198347', '123foo::bar'],
  ['_RINvC1a1bFUKCEuE', 'a::b::<unsafe extern "C" fn()>'],
  ['_RINvC1a1bDNtC1c1dEL_E', 'a::b::<dyn c::d>'],
])('the Rust name %s', (mangled, shown) => {
  expect(rustName(mangled)).toBe(shown);
});

/** RFC 2603: its table of basic types. */
const kBasicTypes =
  'a:i8 b:bool c:char d:f64 e:str f:f32 h:u8 i:isize j:usize l:i32 m:u32 n:i128 o:u128 p:_ s:i16 t:u16 u:() v:... x:i64 y:u64 z:!';

test('basic types of version 0 are those of the RFC', () => {
  for (const [letter = '', type = ''] of kBasicTypes.split(' ').map((pair) => pair.split(':')))
    expect(rustName(`_RINvC1a1b${letter}E`)).toBe(`a::b::<${type}>`);
});

test.each([
  ['ShE', '[u8]'],
  ['Ahj10_E', '[u8; 16]'],
  ['TE', '()', 'E'],
  ['TmE', '(u32,)', 'E'],
  ['ThmE', '(u8, u32)', 'E'],
  ['PhE', '*const u8'],
  ['OhE', '*mut u8'],
  ['QhE', '&mut u8'],
  ['RL_hE', '&u8'],
  ['QL0_hE', '&mut u8'],
  ['FEuE', 'fn()'],
  ['FhmEbE', 'fn(u8, u32) -> bool'],
  ['FG_RL0_hEuE', 'fn(&u8)'],
  ['FK5a_b_cEuE', 'extern "a-b-c" fn()'],
  ['FKCEzE', 'extern "C" fn() -> !'],
  ['DNtC1c1dNtC1e1fEL_E', 'dyn c::d + e::f'],
  ['DNtC1c1dp4ItemhEL_E', 'dyn c::d<Item = u8>'],
  ['DINtC1c1dmEp4ItemhEL0_E', 'dyn c::d<u32, Item = u8>'],
  ['DNtC1c1dp1Ahp1BmEL_E', 'dyn c::d<A = u8, B = u32>'],
  ['DG_NtC1c1dEL_E', 'dyn c::d'],
  ['L_hE', 'u8'],
  ['Kj0_E', '0'],
  ['Kh1f_E', '31'],
  ['Kinf_E', '-15'],
  ['Ko123456789abcdef0123456789abcdef_E', `${0x0123456789abcdef0123456789abcdefn}`],
  ['Kb0_E', 'false'],
  ['Kb1_E', 'true'],
  ['Kc61_E', "'a'"],
  ['KpE', '_'],
  ['NtC1c1dE', 'c::d'],
  ['INtC1c1dINtC1c1ehEEE', 'c::d<c::e<u8>>', ''],
  ['YhNtC1c1dE', '<u8 as c::d>'],
])('the generic argument %s', (mangled, shown, more = '') => {
  expect(rustName(`_RINvC1a1b${mangled}${more}`)).toBe(`a::b::<${shown}>`);
});

test.each([
  ['_RNvYmNtC1a1T1f', '<u32 as a::T>::f'],
  ['_RNvMC1ah1f', '<u8>::f'],
  ['_RNvMs0_C1ah1f', '<u8>::f'],
  ['_RNvNtNtC1a1b1c1d', 'a::b::c::d'],
  ['_RNCNvC1a1b0', 'a::b::{closure#0}'],
  ['_RNCNvC1a1bs_0', 'a::b::{closure#1}'],
  ['_RNCNvC1a1bs0_0', 'a::b::{closure#2}'],
  ['_RNCNvC1a1bsa_0', 'a::b::{closure#12}'],
  ['_RNCNvC1a1bsZ_0', 'a::b::{closure#63}'],
  ['_RNCNvC1a1bs10_0', 'a::b::{closure#64}'],
  ['_RNCNvC1a1bs_4name', 'a::b::{closure:name#1}'],
  ['_RNSNvC1a1b6vtable', 'a::b::{shim:vtable#0}'],
  ['_RNSNvC1a1bs_0', 'a::b::{shim#1}'],
  ['_RNvNCNvC1a1b03foo', 'a::b::{closure#0}::foo'],
  ['_RNvNCNvC1a1bs_010abcdefghij', 'a::b::{closure#1}::abcdefghij'],
  ['_RNvC1a0', 'a'],
  ['_RNvC1au3abc', 'a::punycode{abc}'],
  ['_RNvC1a1b.llvm.1234', 'a::b'],
  ['_RINvC1a1bThmEB7_E', 'a::b::<(u8, u32), (u8, u32)>'],
])('the path %s', (mangled, shown) => {
  expect(rustName(mangled)).toBe(shown);
});

test('whatever a name is made of, it is read or given back as it came', () => {
  const random = createRandom(2);
  const names = [
    '_RINvCs1234_7mycrate3fooReAhj3_TlmEKc61_DNtC1c1dp4ItemhEL_B3_E',
    '_ZN3a$LT$b1$u20$17h0123456789abcdefE',
  ];
  const letters = 'ABCDEFGHIKLMNOPQRSTUXYZabcdefghijklmnopqrstuvxyz0123456789_$';
  for (let nth = 0; nth < 20_000; ++nth) {
    let name = names[nth % 2] ?? '';
    for (let left = 1 + random.below(4); left > 0; --left) {
      const at = 2 + random.below(name.length - 2);
      name = name.slice(0, at) + (letters[random.below(letters.length)] ?? '') + name.slice(at + random.below(2));
    }
    expect(['string', 'undefined']).toContain(typeof rustName(name));
  }
});

test('a place names an earlier one, not itself or a later one', () => {
  expect(rustName('_RINvC1a1bhB7_E')).toBe('a::b::<u8, u8>'); // place 8
  expect(rustName('_RINvC1a1bB7_hE')).toBeUndefined(); // itself
  expect(rustName('_RINvC1a1bBa_hE')).toBeUndefined(); // place 11: the type behind it
});

test('places may lead to places, and these to others; more than 4096 of them are too many', () => {
  let nested = '_RINvC1a1bh';
  for (let nth = 0, before = 8; nth < 50; ++nth) {
    const at = nested.length - 2;
    nested += `RB${base62(before - 1)}_`;
    before = at;
  }
  expect(rustName(`${nested}E`)).toContain(`, ${'&'.repeat(50)}u8>`);
  const flat = (places: number) => rustName(`_RINvC1a1bh${'B7_'.repeat(places)}E`);
  expect(flat(4096)).toBe(`a::b::<${Array(4097).fill('u8').join(', ')}>`);
  expect(flat(4097)).toBeUndefined();
});

test('what would be no character, endless or enormous is left alone', () => {
  expect(rustName('_RINvC1a1bKc110000_E')).toBeUndefined();
  expect(rustName('_ZN10$u110000$a17h0123456789abcdefE')).toBe('$u110000$a');
  expect(rustName('_ZN13$constructor$17h0123456789abcdefE')).toBe('$constructor$');
  expect(rustName('_ZN7$menu4$17h0123456789abcdefE')).toBe('$menu4$');
  expect(rustName(`_RINvC1a1b${'R'.repeat(100_000)}hE`)).toBeUndefined();
  // Each pair says the one before it twice: the 60th would have 2^60 parts.
  let pairs = '_RINvC1a1bThhE';
  let before = 8;
  for (let nth = 0; nth < 60; ++nth) {
    const at = pairs.length - 2;
    const back = before === 0 ? 'B_' : `B${base62(before - 1)}_`;
    pairs += `T${back}${back}E`;
    before = at;
  }
  const begun = performance.now();
  expect(rustName(`${pairs}E`)).toBeUndefined();
  expect(performance.now() - begun).toBeLessThan(5000);
});

/** Of RFC 2603, without its end. */
function base62(value: number): string {
  const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const rest = Math.floor(value / 62);
  return (rest === 0 ? '' : base62(rest)) + (digits[value % 62] ?? '');
}

test('what is no Rust name is left alone', () => {
  for (const name of ['main', '_ZN3foo3barEv', '_RNvC', '_RB_', '_RNvC9999999999foo', '_R'])
    expect(rustName(name)).toBeUndefined();
});

test('names of C++ that are nested deeper than a stack stay as they are, and those behind them are read', () => {
  const name = cppNames(Uint8Array.from(readFileSync(demangler)));
  for (const letters of [1000, 100_000]) expect(name(`_Z1f${'P'.repeat(letters)}i`)).toBeUndefined();
  expect(name('_Z3foov')).toBe('foo()');
});

test('a name of Rust that stands for hundreds of megabytes is none', () => {
  const long = 'a'.repeat(100_000);
  expect(rustName(`_RINvC${long.length}${long}1xT${'B2_'.repeat(4000)}EE`)).toBeUndefined();
  expect(rustName(`_RINvC3abc1xT${'B2_'.repeat(400)}EE`)).toMatch(/^abc::x::<\(abc, abc, /);
});

test('a place that a name of Rust stands for again lies before it', () => {
  expect(rustName('_RINvC1a1bhB7_E')).toBe('a::b::<u8, u8>'); // 7_ is place 8, of the h
  for (const place of ['7_', '8_', '9_', 'a_'])
    expect([place, rustName(`_RINvC1a1bB${place}hE`)]).toEqual([place, undefined]);
});

test.each(['__NvC6_123foo3bar', '_rNvC6_123foo3bar', '_R', '_RnvC1a1b', 'RNvC1a1b'])(
  '%s is no name of Rust',
  (name) => {
    expect(rustName(name)).toBeUndefined();
  },
);
