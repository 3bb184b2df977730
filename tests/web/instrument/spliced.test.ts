// A module out of the original and of the few functions that Binaryen saw: all that has a number still means what it meant.

import binaryen from 'binaryen';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { kCalledName } from '../../../web/src/instrument/callers.ts';
import { type Instrumented, instrument } from '../../../web/src/instrument/instrument.ts';
import { instrumentSampled } from '../../../web/src/instrument/sample.ts';
import { customSection as written } from '../../../web/src/instrument/sections.ts';
import { instrumentStacks } from '../../../web/src/instrument/stacks.ts';
import { customSection, functionNames, readModule } from '../../../web/src/symbols/index.ts';
import { joined } from '../../../web/src/trace/trace_writer.ts';

const kMany = 200; // more functions than a number of one byte counts
const kText = `(module
  (import "env" "base" (global $base i32))
  (import "env" "note" (func $note (param i32)))
  (global $next (mut i32) (i32.const 1024))
  (global $picked funcref (ref.func $f${kMany - 1}))
  (memory (export "memory") 1)
  (table 8 funcref)
  (elem (i32.const 0) $f0 $f${kMany - 1})
  (elem (i32.const 2) funcref (ref.func $f1) (ref.null func))
  (elem declare func $f${kMany - 2})
  (data (global.get $base) "heap")
  (start $begin)
  (func $begin (global.set $next (i32.const 2048)) (call $note (i32.const 7)))
  ${Array.from({ length: kMany }, (_, nth) => `(func $f${nth} (result i32) (local $kept i32) (i32.const ${nth}))`).join('\n')}
  (func $malloc (export "malloc") (param $size i32) (result i32)
    (global.get $next)
    (block (param i32) (result i32 i32) (i32.const 8) (br 0))
    (i32.add (local.get $size)) (i32.const -8) i32.and
    (global.set $next (i32.add (global.get $next))))
  (func (export "free") (param i32))
  (func (export "run") (param $nth i32) (result i32 i32 i32 i32)
    (table.set (i32.const 4) (global.get $picked))
    (table.set (i32.const 5) (ref.func $f${kMany - 2}))
    (call_indirect (result i32) (local.get $nth))
    (i32.load8_u (i32.add (global.get $base) (i32.const 1)))
    (call $malloc (i32.const 24))
    (call $f${kMany - 3})))`;

async function original(): Promise<Uint8Array> {
  return (await wabt()).parseWat('m.wat', kText).toBinary({ write_debug_names: true }).buffer;
}

/** What the module does, call by call. `context`: in which it is entered; `called`: what it asks in the context 0. */
async function done(bytes: Uint8Array, context = 2n ** 40n, called = () => 0n): Promise<unknown[]> {
  const module = new WebAssembly.Module(Uint8Array.from(bytes));
  const said: unknown[] = [];
  const heapglass = Object.fromEntries(
    WebAssembly.Module.imports(module).map(({ name, kind }) => [
      name,
      kind === 'global'
        ? new WebAssembly.Global({ value: 'i64', mutable: true }, context)
        : name === kCalledName
          ? called
          : () => 0n,
    ]),
  );
  const env = { base: new WebAssembly.Global({ value: 'i32' }, 64), note: (it: number) => said.push(it) };
  const { exports } = new WebAssembly.Instance(module, { env, heapglass });
  for (const nth of [0, 1, 2, 4, 5]) said.push((exports['run'] as (nth: number) => unknown)(nth));
  return said;
}

const kWays: readonly (readonly [string, (bytes: Uint8Array) => Instrumented])[] = [
  ['all calls', (bytes) => instrument(binaryen, bytes)],
  ['with call sites', (bytes) => instrumentStacks(binaryen, bytes, { callers: true })],
  ['a sample', (bytes) => instrumentSampled(binaryen, bytes, 1 << 20)],
];

test.each(kWays)('recorded, %s: calls, tables, segments, globals and the start are what they were', async (_, make) => {
  const bytes = await original();
  const before = await done(bytes);
  expect(before).toEqual([
    7,
    [0, 101, 2048, 197],
    [199, 101, 2080, 197],
    [1, 101, 2112, 197],
    [199, 101, 2144, 197],
    [198, 101, 2176, 197],
  ]);
  expect(await done(make(bytes).binary)).toEqual(before);
});

test('the start and an entry with several results ask who called them, each time, and give what they gave', async () => {
  const bytes = await original();
  let asked = 0;
  const { binary } = instrumentStacks(binaryen, bytes, { callers: true });
  expect(await done(binary, 0n, () => BigInt(++asked))).toEqual(await done(bytes));
  expect(asked).toBe(6);
});

test.each(kWays)('recorded, %s: names of functions and of locals are those of the same functions', async (_, make) => {
  const bytes = await original();
  const [before, after] = [readModule(bytes), readModule(make(bytes).binary)];
  const more = after.imports.length - before.imports.length;
  const names = functionNames(after);
  for (const [index, name] of functionNames(before))
    expect(names.get(index < before.imports.length ? index : index + more)).toBe(name);
  const section = customSection(after.bytes, after.sections, 'name') ?? new Uint8Array();
  expect(Buffer.from(section).toString('latin1').split('kept')).toHaveLength(kMany + 1);
});

test('sections about places in the code are left out, and others stay, however they are called', async () => {
  const outdated = ['.debug_info', 'metadata.code.branch_hint', 'sourceMappingURL', 'external_debug_info'];
  const kept = ['app.debug_info', 'my_metadata.code.hint', 'no_sourceMappingURL', 'external_debug_infos', 'build_id'];
  const sections = [...outdated, ...kept].map((name, nth) => written(name, Uint8Array.of(nth, 7)));
  const after = readModule(instrument(binaryen, joined([await original(), ...sections])).binary);
  const contentOf = (name: string) => customSection(after.bytes, after.sections, name);
  expect(outdated.map(contentOf)).toEqual(outdated.map(() => undefined));
  expect(kept.map((name) => [...(contentOf(name) ?? [])])).toEqual(kept.map((_, nth) => [outdated.length + nth, 7]));
});

test('an allocator whose function copies a segment, and drops it, is recorded as any other', async () => {
  const text = `(module
    (memory (export "memory") 1)
    (table 2 funcref)
    (global $next (mut i32) (i32.const 1024))
    (data $words "0123456789")
    (elem $two func $free $free)
    (func $copied (memory.init $words (i32.const 0) (i32.const 0) (i32.const 10)) (data.drop $words))
    (func $filled (table.init $two (i32.const 0) (i32.const 0) (i32.const 2)) (elem.drop $two))
    (func (export "malloc") (param $size i32) (result i32)
      (call $copied) (call $filled)
      (global.get $next)
      (global.set $next (i32.add (global.get $next) (i32.const 64))))
    (func $free (export "free") (param i32)))`;
  const bytes = (await wabt()).parseWat('m.wat', text).toBinary({}).buffer;
  const { family } = instrument(binaryen, bytes);
  expect(family.members.map(({ role }) => role.name)).toEqual(['malloc', 'free']);
});
