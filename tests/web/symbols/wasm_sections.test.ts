// The sections of a wasm file beside its code (wasm_module.ts), written here byte by byte: each form of an entry, up to its end.

import { expect, test } from 'vitest';
import { kOp, readModule } from '../../../web/src/symbols/index.ts';

const kMagic = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const section = (id: number, ...content: readonly number[]) => [id, content.length, ...content];

test('data segments of all forms, tables and globals are read up to their ends, with the globals that they name', () => {
  const offset = (global: number) => [kOp.globalGet, global, kOp.end];
  const content = [3, 0xaa, 0xbb, 0xcc];
  const head = [
    ...kMagic,
    // one of 1 to 5 elements, one of a typed reference with an initial value
    ...section(4, 2, 0x70, 1, 1, 5, 0x40, 0, 0x63, 0, 0, 1, ...offset(7)),
    ...section(6, 2, 0x7f, 0, ...offset(8), 0x7e, 1, kOp.i64Const, 0x80, 0x01, kOp.end),
  ];
  const data = section(11, 3, 0, ...offset(5), ...content, 1, ...content, 2, 2, ...offset(6), ...content);
  const { globalsAt, globals } = readModule(Uint8Array.of(...head, ...data));
  const bytes = [...head, ...data];
  expect(globalsAt.map((at) => [bytes[at - 1], bytes[at]])).toEqual(
    [7, 8, 5, 6].map((global) => [kOp.globalGet, global]),
  );
  expect(globals.map(({ from, end }) => bytes.slice(from, end))).toEqual([
    [0x7f, 0, ...offset(8)],
    [0x7e, 1, kOp.i64Const, 0x80, 0x01, kOp.end],
  ]);
});

test('imports of every kind, exports and the start are read', () => {
  const name = (text: string) => [text.length, ...Buffer.from(text)];
  const bytes = Uint8Array.of(
    ...kMagic,
    ...section(1, 2, 0x60, 1, 0x7f, 0, 0x60, 2, 0x7e, 0x7e, 1, 0x7d),
    ...section(
      2,
      ...[6, ...name('a'), ...name('f'), 0, 1],
      ...[...name('a'), ...name('t'), 1, 0x70, 0, 1],
      ...[...name('a'), ...name('m'), 2, 3, 1, 2],
      ...[...name('a'), ...name('g'), 3, 0x7f, 1],
      ...[...name('a'), ...name('e'), 4, 0, 0],
      ...[...name('b'), ...name('last'), 0, 0],
    ),
    ...section(3, 1, 1),
    ...section(7, 2, ...name('run'), 0, 2, ...name('memory'), 2, 0),
    ...section(8, 1),
  );
  const { imports, importedGlobals, importsTable, exports, start, functionTypes, types } = readModule(bytes);
  expect(imports).toMatchObject([
    { module: 'a', name: 'f', type: 1 },
    { module: 'b', name: 'last', type: 0 },
  ]);
  expect(importedGlobals).toMatchObject([{ module: 'a', name: 'g' }]);
  expect([importsTable, start, functionTypes]).toEqual([true, 1, [1, 0, 1]]);
  expect(exports).toEqual([
    { name: 'run', kind: 0, index: 2 },
    { name: 'memory', kind: 2, index: 0 },
  ]);
  expect(types.map(({ params, results, result }) => [params, results, result])).toEqual([
    [1, 0, []],
    [2, 1, [0x7d]],
  ]);
  const { start: none, importsTable: noTable } = readModule(Uint8Array.from(kMagic));
  expect([none, noTable]).toEqual([undefined, false]);
});

test.each<[string, readonly number[], RegExp]>([
  ['something else', [0x7b, 0x7d, 0, 0, 0, 0, 0, 0], /not a wasm file/],
  ['seven bytes', kMagic.slice(0, 7), /not a wasm file/],
  ['a component', [...kMagic.slice(0, 4), 0x0d, 0, 1, 0], /a wasm component/],
  ['types of another kind', [...kMagic, ...section(1, 1, 0x5f, 0)], /garbage collection/],
])('%s is refused', (_, bytes, text) => {
  expect(() => readModule(Uint8Array.from(bytes))).toThrow(text);
});
