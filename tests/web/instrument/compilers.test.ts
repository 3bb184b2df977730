// The engine's compilers, replaced: which modules come as their recorded form, with which address, and which go to the engine as they came.

import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type CompiledModule,
  type Compilers,
  nameOf,
  replaceCompilers,
} from '../../../web/src/instrument/compilers.ts';
import { kNamespace, kThreadsSection } from '../../../web/src/instrument/recorder_names.ts';
import { customSection, nameOf as nameBytes, sectionOf } from '../../../web/src/instrument/sections.ts';
import { joined } from '../../../web/src/trace/trace_writer.ts';

const kMagic = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const moduleOf = (...sections: readonly Uint8Array[]) => joined([kMagic, ...sections]);
const filled = (size: number) => customSection('', new Uint8Array(size));
const kMark = customSection('recorded', Uint8Array.of(1)); // of a recorded form, here
const kThreads = customSection(kThreadsSection, Uint8Array.of(1, 0, 0, 0));
const fromHeapglass = joined([
  sectionOf(1, [1, 0x60, 0, 0]),
  sectionOf(2, [1, ...nameBytes(kNamespace), ...nameBytes('full'), 0, 0]),
]);

const { compile, compileStreaming, Module } = WebAssembly;
const { arrayBuffer } = Response.prototype;
let seen: CompiledModule[];
let problems: string[];
let mark: Uint8Array; // what the recorded form has more
let follows: boolean;
beforeEach(() => {
  [seen, problems, mark, follows] = [[], [], kMark, true];
});
afterEach(() => {
  Object.assign(WebAssembly, { compile, compileStreaming, Module });
  Response.prototype.arrayBuffer = arrayBuffer;
});

function replace(more: Partial<Compilers> = {}): void {
  const form = (module: CompiledModule) => {
    seen.push(module);
    return joined([module.bytes, mark]);
  };
  replaceCompilers({
    recorded: async (module) => form(module),
    recordedAtOnce: form,
    problem: (text) => void problems.push(text),
    followsThreads: () => follows,
    ...more,
  });
}
const isRecorded = (module: WebAssembly.Module) => Module.customSections(module, 'recorded').length > 0;
const responseOf = (bytes: Uint8Array<ArrayBuffer>, url: string, type = 'application/wasm') =>
  Object.defineProperty(new Response(bytes, { headers: { 'content-type': type } }), 'url', { value: url });

test('a module is compiled as its recorded form, from bytes, a part of them, and a stream', async () => {
  replace();
  const bytes = moduleOf(filled(5000));
  const around = joined([Uint8Array.of(9, 9, 9), bytes, Uint8Array.of(9)]);
  for (const source of [bytes, bytes.buffer, around.subarray(3, 3 + bytes.length)]) {
    expect(isRecorded(await WebAssembly.compile(source))).toBe(true);
    expect(isRecorded(new WebAssembly.Module(source))).toBe(true);
  }
  expect(isRecorded(await WebAssembly.compileStreaming(responseOf(bytes, 'https://a.b/app.wasm')))).toBe(true);
  expect(seen).toHaveLength(7);
  for (const module of seen) expect(Buffer.from(module.bytes).equals(bytes)).toBe(true);
  expect(problems).toEqual([]);
});

test.each([
  ['https://a.b/app.wasm', 'https://a.b/app.wasm'],
  ['https://a.b/data:/app.wasm', 'https://a.b/data:/app.wasm'],
  ['data:application/wasm;base64,AAAA', undefined],
  ['blob:https://a.b/1234', undefined],
  ['', undefined],
])('a module from %s has the address %s', async (url, address) => {
  replace();
  await WebAssembly.compileStreaming(responseOf(moduleOf(), url));
  const buffer = await responseOf(moduleOf(), url).arrayBuffer();
  await WebAssembly.compile(buffer);
  await WebAssembly.compile(new Uint8Array(buffer));
  await WebAssembly.compile(moduleOf());
  expect(seen.map((module) => module.address)).toEqual([address, address, address, undefined]);
});

test('what the engine would refuse goes to it as it came', async () => {
  replace();
  await expect(WebAssembly.compileStreaming(responseOf(moduleOf(), 'https://a.b/c', 'text/html'))).rejects.toThrow();
  const missing = new Response(moduleOf(), { status: 404, headers: { 'content-type': 'application/wasm' } });
  await expect(WebAssembly.compileStreaming(missing)).rejects.toThrow();
  expect(seen).toEqual([]);
  expect(await WebAssembly.compileStreaming(responseOf(moduleOf(), '', 'application/wasm; charset=x'))).toBeDefined();
});

test('at once small modules and those of heapglass stay as they are, and others are a problem where nothing is known at once', () => {
  replace();
  const size = moduleOf(filled(0)).length;
  const least = moduleOf(filled(4096 - size - 1)); // the section's size takes a byte more
  expect([least.length, isRecorded(new WebAssembly.Module(least))]).toEqual([4096, true]);
  expect(isRecorded(new WebAssembly.Module(moduleOf(filled(4096 - size - 2))))).toBe(false);
  expect(isRecorded(new WebAssembly.Module(moduleOf(fromHeapglass, filled(5000))))).toBe(false);
  expect(problems).toEqual([]);
});

test('at once nothing is recorded where that must be waited for, and this is said', () => {
  replaceCompilers({
    recorded: async ({ bytes }) => bytes,
    problem: (text) => void problems.push(text),
    followsThreads: () => true,
  });
  expect(isRecorded(new WebAssembly.Module(moduleOf(filled(5000))))).toBe(false);
  expect(problems).toEqual([expect.stringContaining('which does not wait')]);
});

test('a module with threads is recorded where each worker gets the recorder, and else stays as it is and is named', async () => {
  mark = joined([kMark, kThreads]);
  replace();
  const bytes = moduleOf(filled(5000));
  expect([isRecorded(await WebAssembly.compile(bytes)), isRecorded(new WebAssembly.Module(bytes))]).toEqual([
    true,
    true,
  ]);
  follows = false;
  expect([isRecorded(await WebAssembly.compile(bytes)), isRecorded(new WebAssembly.Module(bytes))]).toEqual([
    false,
    false,
  ]);
  await WebAssembly.compileStreaming(responseOf(bytes, 'https://a.b/c/app.wasm?v=1#x'));
  expect(problems).toEqual(
    ['a module', 'a module', 'app.wasm'].map((name) => expect.stringMatching(`^${name} has threads`)),
  );
  mark = new Uint8Array(0);
  expect(isRecorded(await WebAssembly.compile(bytes))).toBe(false);
  expect(problems).toHaveLength(3);
});

test('a module is called as its file', () => {
  const name = (address?: string) => nameOf({ bytes: moduleOf(), address, scripts: [] });
  expect([name('https://a.b/c/app.wasm?v=1'), name('app.wasm#x'), name('https://a.b/'), name()]).toEqual([
    'app.wasm',
    'app.wasm',
    'a module',
    'a module',
  ]);
});
