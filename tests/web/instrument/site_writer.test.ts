// What a recorder is told of a new stack: the strings and nodes of its path, each once and before it is used, with numbers of one thread or of all.

import { beforeAll, expect, test } from 'vitest';
import wabt from 'wabt';
import { addStacks } from '../../../web/src/instrument/shadow_stack.ts';
import {
  type Numbers,
  ownNumbers,
  type Put,
  putText,
  sharedNumbers,
  siteAsker,
} from '../../../web/src/instrument/site_writer.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { readModule } from '../../../web/src/symbols/index.ts';
import type { SymbolCall } from '../../../web/src/symbols/symbolizer.ts';
import { textOfRecords } from '../../../web/src/trace/texts.ts';
import { kindOf } from '../../../web/src/trace/trace.ts';

let parse: (text: string) => Uint8Array = () => new Uint8Array();
beforeAll(async () => {
  const tools = await wabt();
  parse = (text) => tools.parseWat('m.wat', text).toBinary({}).buffer;
});

const program = (hasQuestion: boolean) => `(module
  ${hasQuestion ? '(import "heapglass" "site" (func $site (param i64)))' : ''}
  ${hasQuestion ? '(global $context (export "heapglass_context") (mut i64) (i64.const 0))' : ''}
  (func $leaf (call $take) (call ${hasQuestion ? '$added' : '$take'}))
  (func $take (export "malloc") ${hasQuestion ? '(call $site (global.get $context))' : ''})
  (func (export "one") (call $leaf))
  (func (export "two") (call $leaf))
  ${hasQuestion ? '(func $added (call $take))' : ''})`;

const kRecorder = `(module (import "js" "stack" (func $stack (param i64)))
  (func (export "site") (param i64) (call $stack (local.get 0))))`;

/** What was put, read: texts with what takes them. */
function collected() {
  const strings = new Map<number, string>();
  const sites = new Map<number, { readonly parent: number; readonly text: string }>();
  let texts: Uint32Array[] = [];
  const put: Put = (head, a, b, c) => {
    if (kindOf(head) === EventKind.text) texts.push(Uint32Array.of(head, a, b, c));
    else if (kindOf(head) === EventKind.stringDefined) {
      expect(strings.has(a)).toBe(false);
      strings.set(a, textOfRecords(texts));
      texts = [];
    } else {
      expect([kindOf(head), sites.has(a), b === 0 || sites.has(b)]).toEqual([EventKind.siteDefined, false, true]);
      sites.set(a, { parent: b, text: strings.get(c) ?? 'not defined' });
    }
  };
  const pathOf = (site: number): string[] => {
    const node = sites.get(site);
    return node === undefined ? [] : [...pathOf(node.parent), node.text];
  };
  return { put, strings, sites, pathOf };
}

type NamesOf = (index: number, offset: number | undefined) => readonly SymbolCall[];
const compiled = (namesOf?: NamesOf): WebAssembly.Module =>
  new WebAssembly.Module(Uint8Array.from(addStacks(parse(program(true)), parse(program(false)), namesOf).bytes));

/** The program with a recorder of JavaScript's that asks for each stack: the sites that it was given. */
function begin(module: WebAssembly.Module, numbers?: Numbers) {
  const found = collected();
  const { stack } = siteAsker(module, found.put, { glue: '', placed: (frame) => frame }, numbers);
  const given: number[] = [];
  const js = { stack: (context: bigint) => given.push(stack(context)) };
  const recorder = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(parse(kRecorder))), { js });
  const { exports } = new WebAssembly.Instance(module, { heapglass: recorder.exports });
  return { ...found, given, call: exports as Record<string, () => void> };
}

/** Of the original: its reached calls as the engine would print them. */
function framesOf(): (name: string, nth?: number) => string {
  const { bodies, exports } = readModule(parse(program(false)));
  return (name, nth = 0) => {
    const index = exports.find((item) => item.name === name)?.index ?? 0; // $leaf
    return `wasm-function[${index}]:0x${bodies[index]?.calls[nth]?.at.toString(16)}`;
  };
}

test('a path is defined once, without what the original has not, and of another one only what is new', () => {
  const { call, given, pathOf, strings, sites } = begin(compiled());
  const frame = framesOf();
  call['one']?.();
  expect(given.map(pathOf)).toEqual([0, 1].map((nth) => [frame('one'), frame('leaf', nth)]));
  expect([strings.size, sites.size]).toEqual([3, 3]);
  call['one']?.();
  expect([strings.size, sites.size]).toEqual([3, 3]);
  expect(given.slice(2)).toEqual(given.slice(0, 2));
  call['two']?.();
  expect(given.slice(4).map(pathOf)).toEqual([0, 1].map((nth) => [frame('two'), frame('leaf', nth)]));
  expect([strings.size, sites.size]).toEqual([4, 6]); // the strings of $leaf are known
  call['malloc']?.();
  expect(given[6]).toBe(0);
});

test('where names are known the frames have them, one for each inlined function', () => {
  const names: NamesOf = (index) =>
    index === 0
      ? ['leaf', 'inlined'].map((name) => ({ name, at: { file: 'a.c', line: 7 } }))
      : [{ name: `f${index}`, at: undefined }];
  const { call, given, pathOf, strings, sites } = begin(compiled(names));
  call['one']?.();
  call['two']?.();
  const leaf = ['leaf@a.c:7', 'inlined@a.c:7'];
  expect(given.map(pathOf)).toEqual([
    ['f2', ...leaf],
    ['f2', ...leaf],
    ['f3', ...leaf],
    ['f3', ...leaf],
  ]);
  expect(given[0]).toBe(given[1]); // two calls in one line are one site
  expect([strings.size, sites.size]).toEqual([4, 6]);
});

/** As the recorder of all threads has it: known numbers, and new ones negated. */
function interned() {
  const known = new Map<bigint, number>();
  return {
    known,
    intern: (key: bigint): number => {
      const number = known.get(key);
      if (number !== undefined) return number;
      known.set(key, known.size + 1);
      return -known.size;
    },
  };
}

test('threads that share their numbers define a path once between them', () => {
  const { intern } = interned();
  const module = compiled();
  const [one, other] = [begin(module, sharedNumbers(intern)), begin(module, sharedNumbers(intern))];
  one.call['one']?.();
  other.call['one']?.();
  expect(other.given).toEqual(one.given);
  expect([other.strings.size, other.sites.size]).toEqual([0, 0]);
  other.call['two']?.();
  expect([other.strings.size, other.sites.size]).toEqual([1, 3]);
});

test.each<readonly [string, () => Numbers]>([
  ['one thread', () => ownNumbers()],
  ['all threads', () => sharedNumbers(interned().intern)],
])('each string and node has a number of its own, negated when it is new: %s', (_, make) => {
  const callOf = (index: number, original: number, at = 0) => ({ function: index, original, at });
  const texts = Array.from({ length: 500 }, (__, nth) => `f${nth}@a.mjs:${nth % 7}`);
  const asks: readonly ((numbers: Numbers) => number)[] = [
    ...[callOf(1, 5), callOf(5, 1), callOf(1, -1), callOf(1, 0), callOf(1, 1), callOf(0, 5)].map(
      (call) => (numbers: Numbers) => numbers.stringOf(call),
    ),
    ...[1, 5, 0, 2 ** 20].flatMap((parent) =>
      [1, 5, 2 ** 24].map((at) => (numbers: Numbers) => numbers.siteOf(parent, callOf(1, 1, at))),
    ),
    ...[1, 5, 0].flatMap((parent) => [1, 5].map((string) => (numbers: Numbers) => numbers.siteOfText(parent, string))),
    ...texts.map((text) => (numbers: Numbers) => numbers.stringOfText(text)),
  ];
  const numbers = make();
  const first = asks.map((askFor) => askFor(numbers));
  expect(first).toEqual(asks.map((__, nth) => -1 - nth));
  expect(asks.map((askFor) => askFor(numbers))).toEqual(asks.map((__, nth) => 1 + nth));
});

test('keys that threads share are no contexts of few calls: they have 64 bits, the highest set', () => {
  const { intern, known } = interned();
  const numbers = sharedNumbers(intern);
  numbers.siteOf(0, { function: 0, original: 0, at: 1 });
  numbers.stringOf({ function: 0, original: -1, at: 1 });
  numbers.siteOfText(0, 1);
  for (let nth = 0; nth < 100; ++nth) numbers.stringOfText(`text ${nth}`);
  for (const key of known.keys()) expect(key >> 63n).toBe(1n);
});

test('a call that the original has not is its function alone, and all such calls of it share the string', () => {
  const numbers = ownNumbers();
  const none = { function: 4, original: -1 };
  expect(numbers.stringOf({ ...none, at: 10 })).toBe(-1);
  expect(numbers.stringOf({ ...none, at: 20 })).toBe(1);
  expect(numbers.stringOfText('wasm-function[4]')).toBe(1);
  expect(numbers.stringOf({ function: 4, original: 0, at: 30 })).toBe(-2);
  expect(numbers.stringOfText('wasm-function[4]:0x0')).toBe(2);
});

test('a module that says nothing of its calls has no sites, and nothing is written', () => {
  const { stack } = siteAsker(new WebAssembly.Module(Uint8Array.from(parse(program(false)))), () => expect.fail(), {
    glue: '',
    placed: (frame) => frame,
  });
  expect([stack(7n), stack()]).toEqual([0, 0]);
});

test.each(['', 'of twelve. B', 'a text that needs more than two records, und Umlaute: äöü'])(
  'a text is put whole: %s',
  (text) => {
    const records: Uint32Array[] = [];
    putText(text, (...words) => records.push(Uint32Array.from(words)));
    expect(textOfRecords(records)).toBe(text);
    expect(records).toHaveLength(Math.ceil(new TextEncoder().encode(text).length / 12));
  },
);
