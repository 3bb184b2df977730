// The pass over the bytes that keeps the context, of a module with every shape of function: what the import heapglass.site is given, what the
// program still does, and what the sections say of its calls.

import { beforeAll, expect, test } from 'vitest';
import wabt from 'wabt';
import { kNoTarget, kTargetSection, readTargets } from '../../../web/src/instrument/call_targets.ts';
import { kNamesSection, readNames } from '../../../web/src/instrument/names_table.ts';
import { customSection } from '../../../web/src/instrument/sections.ts';
import { addStacks } from '../../../web/src/instrument/shadow_stack.ts';
import { kCaughtSection, kFactor, kSiteSection, readSiteTable } from '../../../web/src/instrument/site_table.ts';
import { readModule } from '../../../web/src/symbols/index.ts';
import { joined } from '../../../web/src/trace/trace_writer.ts';

const kFeatures = { exceptions: true, multi_value: true };
let parse: (text: string) => Uint8Array = () => new Uint8Array();
beforeAll(async () => {
  const tools = await wabt();
  parse = (text) => tools.parseWat('m.wat', text, kFeatures).toBinary({ write_debug_names: true }).buffer;
});

/** `hasQuestion`: as the passes before leave it, where the allocator asks for the site. Without it, it is the original. */
const program = (hasQuestion: boolean, called = '') => `(module
  (type (func (result i32 i64))) ${'(type (func (param f32)))'.repeat(8)} (type $made (func (result i32)))
  ${called} ${hasQuestion ? '(import "heapglass" "site" (func $site (param i64)))' : ''}
  (import "env" "back" (func $back))
  (import "env" "__cxa_throw" (func $throw))
  (table 1 funcref) (elem (i32.const 0) $in_table)
  ${hasQuestion ? '(global $context (export "heapglass_context") (mut i64) (i64.const 0))' : ''}
  (func $take (param $bytes i32) (result i32)
    ${hasQuestion ? '(call $site (global.get $context))' : ''} (i32.add (local.get $bytes) (i32.const 1000)))
  (func $plain (param i32) (result i32) (i32.mul (local.get 0) (i32.const 3)))
  (func $leaf (param i32) (result i32) (local i64 f32 i32)
    (if (i32.eq (local.get 0) (i32.const 77)) (then (return (i32.const 1))))
    (local.set 3 (call $take (local.get 0))) (drop (call $plain (local.get 0)))
    (i32.add (local.get 3) (call $take (i32.const 1))))
  (func $in_table (result i32) (call $leaf (i32.const 2)))
  (func (export "none") (param i32)
    (if (local.get 0) (then (return)))
    (drop (call $leaf (i32.const 3))))
  (func (export "one") (param i32) (result i32) (local i32)
    (if (i32.eqz (local.get 0)) (then (return (call $leaf (i32.const 4)))))
    (local.set 1 (call $leaf (i32.const 5)))
    (if (i32.eq (local.get 0) (i32.const 1)) (then (return (local.get 1))))
    (i32.add (local.get 1) (call $leaf (i32.const 6))))
  (func (export "two") (result i32 i64) (call $leaf (i32.const 7)) (i64.const 8))
  (func (export "two_of") (param i32) (result i32 i64) (call $leaf (local.get 0)) (i64.const 9))
  (func (export "two_more") (param i64) (result i32 i64) (call $leaf (i32.const 8)) (local.get 0))
  (func (export "floats") (param i32) (result f64 f32)
    (f64.convert_i32_s (call $leaf (local.get 0))) (f32.const 0.5))
  (func (export "floats_too") (param i32 i32) (result f64 f32)
    (f64.convert_i32_s (call $leaf (local.get 1))) (f32.const 1.5))
  (func (export "ten") (param i32) (result ${'i32 '.repeat(10)})
    (call $leaf (local.get 0)) ${'(i32.const 2)'.repeat(9)})
  (func (export "indirect") (result i32) (call_indirect (type $made) (i32.const 0)))
  (func (export "calls_back") (result i32) (call $back) (call $leaf (i32.const 9)))
  (func (export "fails") (drop (call $leaf (i32.const 10))) (call $throw))
  (func (export "never") (result i32) (return (i32.const 7)) (call $leaf (i32.const 11)))
  (func (export "untold") (param i32) (result i32) (call $plain (local.get 0))))`;

type Call = (...given: readonly (number | bigint)[]) => unknown;

/** The module with stacks, running: the contexts that its allocator asked for. */
function begin({ called = '', change = (bytes: Uint8Array) => bytes } = {}) {
  const original = parse(program(false));
  const stacked = addStacks(change(parse(program(true, called))), original);
  const asked: bigint[] = [];
  const on = { back: () => {}, caller: 0n };
  const thrown = new Error('up to JavaScript');
  const env = {
    back: () => on.back(),
    called: () => expect.fail('an import of the program that is only named so'),
    __cxa_throw: () => {
      throw thrown;
    },
  };
  const heapglass = { site: (context: bigint) => asked.push(BigInt.asUintN(64, context)), called: () => on.caller };
  const module = new WebAssembly.Module(Uint8Array.from(stacked.bytes));
  const { exports } = new WebAssembly.Instance(module, { env, heapglass });
  const section = (name: string): Uint8Array =>
    new Uint8Array(WebAssembly.Module.customSections(module, name)[0] ?? new ArrayBuffer(0));
  const calls = readSiteTable(section(kSiteSection));
  /** The number of a function's nth call that sets the context. */
  const numberOf = (name: string, nth: number): bigint => {
    const index = readModule(original).exports.find((item) => item.name === name)?.index ?? kInside[name];
    return BigInt(calls.filter((call) => call.function === index)[nth]?.number ?? -1);
  };
  return {
    ...stacked,
    original,
    module,
    section,
    numbered: calls,
    asked,
    on,
    thrown,
    call: exports as Record<string, Call>,
    context: exports['heapglass_context'] as WebAssembly.Global,
    /** What the allocator asks for below these calls: names with the number of the call in it. */
    contextOf: (path: readonly (readonly [string, number])[], from = 0n): bigint =>
      path.reduce((context, [name, nth]) => BigInt.asUintN(64, context * BigInt(kFactor) + numberOf(name, nth)), from),
  };
}
/** Of the original: $take is number 2. */
const kInside: Readonly<Record<string, number>> = { leaf: 4, in_table: 5 };

test('each allocation has the context of its stack, and behind each call of JavaScript there is none', () => {
  const { call, asked, contextOf, context } = begin();
  const leaf = (name: string, nth: number): bigint[] => [
    contextOf([
      [name, nth],
      ['leaf', 0],
    ]),
    contextOf([
      [name, nth],
      ['leaf', 1],
    ]),
  ];
  const cases: readonly (readonly [string, readonly (number | bigint)[], unknown, readonly number[]])[] = [
    ['none', [1], undefined, []],
    ['none', [0], undefined, [0]],
    ['one', [0], 2005, [0]],
    ['one', [1], 2006, [1]],
    ['one', [2], 4013, [1, 2]],
    ['two', [], [2008, 8n], [0]],
    ['two_of', [3], [2004, 9n], [0]],
    ['two_more', [5n], [2009, 5n], [0]],
    ['floats', [3], [2004, 0.5], [0]],
    ['floats_too', [1, 4], [2005, 1.5], [0]],
    ['ten', [3], [2004, ...new Array<number>(9).fill(2)], [0]],
    ['calls_back', [], 2010, [1]],
    ['never', [], 7, []],
    ['untold', [5], 15, []],
    ['two_of', [77], [1, 9n], []],
  ];
  for (const [name, given, result, calls] of cases) {
    asked.length = 0;
    expect([name, call[name]?.(...given)]).toEqual([name, result]);
    expect([name, ...asked]).toEqual([name, ...calls.flatMap((nth) => leaf(name, nth))]);
    expect([name, context.value]).toEqual([name, 0n]);
  }
  asked.length = 0;
  expect(call['indirect']?.()).toBe(2003);
  expect(asked).toEqual(
    [0, 1].map((nth) =>
      contextOf([
        ['indirect', 0],
        ['in_table', 0],
        ['leaf', nth],
      ]),
    ),
  );
});

test('what JavaScript calls from within the module goes on from there, and what it throws leaves no context', () => {
  const { call, asked, on, contextOf, context, thrown } = begin();
  on.back = () => call['two']?.();
  call['calls_back']?.();
  const within: [string, number][] = [
    ['calls_back', 0],
    ['two', 0],
    ['leaf', 0],
  ];
  expect(asked[0]).toBe(contextOf(within));
  expect(asked.at(-1)).toBe(
    contextOf([
      ['calls_back', 1],
      ['leaf', 1],
    ]),
  );
  expect(() => call['fails']?.()).toThrow(thrown);
  expect(context.value).toBe(0n);
});

test('with the import that says who called, an entry begins there, and goes on from what called it from within', () => {
  const { call, asked, on, contextOf, context } = begin({
    called: '(import "heapglass" "called" (func $called (result i64)))',
  });
  on.caller = 77n;
  call['two']?.();
  expect(asked[0]).toBe(
    contextOf(
      [
        ['two', 0],
        ['leaf', 0],
      ],
      77n,
    ),
  );
  asked.length = 0;
  on.back = () => {
    on.caller = 99n;
    call['two']?.();
  };
  call['calls_back']?.();
  expect(asked[0]).toBe(
    contextOf(
      [
        ['calls_back', 0],
        ['two', 0],
        ['leaf', 0],
      ],
      77n,
    ),
  );
  expect(context.value).toBe(0n);
});

test("an import of the program's own with that name is not asked", () => {
  const { call, asked, contextOf } = begin({ called: '(import "env" "called" (func $called (result i64)))' });
  call['two']?.();
  expect(asked[0]).toBe(
    contextOf([
      ['two', 0],
      ['leaf', 0],
    ]),
  );
});

test('the sections say of each call where it stands, here and in the original, and what it calls there', () => {
  const { bytes, original, numbered: calls, section, functions, calls: told } = begin();
  const [here, there] = [readModule(bytes), readModule(original)];
  const offsets = here.bodies.flatMap((body) => body.calls.map(({ at }) => at));
  const names = there.bodies.flatMap((body, nth) =>
    body.calls.filter(({ reached }) => reached).map((call) => ({ ...call, function: nth + there.imports.length })),
  );
  expect([calls.length, told]).toEqual([17, 17]);
  expect(functions).toBe(13);
  const targets = readTargets(section(kTargetSection), calls);
  for (const { at, number, function: index, original: place } of calls) {
    expect(offsets).toContain(at);
    const call = names.find((one) => one.at === place);
    expect(call?.function).toBe(index);
    const target = call?.op === 0x10 && call.target >= there.imports.length ? call.target : kNoTarget;
    expect(targets[number]).toBe(target);
  }
  expect(calls.map(({ number }) => number)).toEqual(calls.map((_, nth) => nth + 1));
});

test('a type is added only for blocks of results that no type has yet', () => {
  const before = readModule(parse(program(true))).types;
  const { types } = readModule(begin().bytes);
  expect(types.slice(0, before.length)).toMatchObject(before.map(({ key }) => ({ key })));
  expect(types.slice(before.length)).toMatchObject([2, 10].map((results) => ({ params: 0, results })));
});

test('sections that would be wrong now are left out, all others stay', () => {
  const added = ['.debug_info', 'sourceMappingURL', 'a.debug_info', 'sourceMappingURLs', 'producers'];
  const { module } = begin({
    change: (bytes) => joined([bytes, ...added.map((name) => customSection(name, Uint8Array.from([1, 2])))]),
  });
  const kept = added.filter((name) => WebAssembly.Module.customSections(module, name).length > 0);
  expect(kept).toEqual(['a.debug_info', 'sourceMappingURLs', 'producers']);
  expect(WebAssembly.Module.customSections(module, kCaughtSection)).toHaveLength(1);
  expect(WebAssembly.Module.customSections(module, kNamesSection)).toHaveLength(0);
});

test('names are written where some are known', () => {
  const original = parse(program(false));
  const bytes = parse(program(true));
  const named = addStacks(bytes, original, (index) => [{ name: `f${index}`, at: undefined }]).bytes;
  const module = new WebAssembly.Module(Uint8Array.from(named));
  const [names] = WebAssembly.Module.customSections(module, kNamesSection);
  const [sites] = WebAssembly.Module.customSections(module, kSiteSection);
  const calls = readSiteTable(new Uint8Array(sites ?? new ArrayBuffer(0)));
  const framesOf = readNames(new Uint8Array(names ?? new ArrayBuffer(0)), calls);
  expect(calls.map((call) => framesOf(call))).toEqual(calls.map((call) => [`f${call.function}`]));
  const unnamed = addStacks(bytes, original, () => []).bytes;
  expect(readModule(unnamed).sections.map(({ name }) => name)).not.toContain(kNamesSection);
});

test('a module without the global of the context is refused', () => {
  const original = parse(program(false));
  expect(() => addStacks(original, original)).toThrow('the module has no global heapglass_context');
});
