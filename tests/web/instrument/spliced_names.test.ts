// The names of a module to which imports were added: functions as they were written, locals, labels and globals under their new numbers.

import { expect, test } from 'vitest';
import { customSection, listOf, nameOf, sectionOf } from '../../../web/src/instrument/sections.ts';
import { functionNamesOnly, splicedNames } from '../../../web/src/instrument/spliced_names.ts';
import { ByteReader, readModule, unsignedLeb } from '../../../web/src/symbols/index.ts';
import { joined } from '../../../web/src/trace/trace_writer.ts';

type Names = Readonly<Record<number, string>>;
type Inner = Readonly<Record<number, Names>>;
interface Parts {
  readonly module?: string;
  readonly functions?: Names;
  readonly locals?: Inner;
  readonly labels?: Inner;
  readonly types?: Names;
  readonly globals?: Names;
}
const kIds = { module: 0, functions: 1, locals: 2, labels: 3, types: 4, globals: 7 } as const;

const bytesOf = (...some: readonly (readonly number[] | Uint8Array)[]) =>
  joined(some.map((one) => Uint8Array.from(one)));
const list = (names: Names) =>
  listOf(Object.entries(names).map(([index, name]) => bytesOf(unsignedLeb(Number(index)), nameOf(name))));
const lists = (inner: Inner) =>
  listOf(Object.entries(inner).map(([index, names]) => bytesOf(unsignedLeb(Number(index)), list(names))));
const contentOf = (part: keyof Parts, value: Parts[keyof Parts]) => {
  if (part === 'module') return bytesOf(nameOf(value as string));
  return part === 'locals' || part === 'labels' ? lists(value as Inner) : list(value as Names);
};
const partsOf = (parts: Parts) =>
  bytesOf(
    ...(Object.entries(parts) as [keyof Parts, Parts[keyof Parts]][]).map(([part, value]) =>
      sectionOf(kIds[part], contentOf(part, value)),
    ),
  );

/** A module that imports so many functions and globals, with these names. */
function moduleOf(functions: number, globals: number, parts?: Parts) {
  const imports = [
    ...Array.from({ length: functions }, (_, nth) => bytesOf(nameOf('a'), nameOf(`f${nth}`), [0, 0])),
    ...Array.from({ length: globals }, (_, nth) => bytesOf(nameOf('a'), nameOf(`g${nth}`), [3, 0x7f, 0])),
  ];
  return readModule(
    bytesOf(
      [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      sectionOf(1, [1, 0x60, 0, 0]),
      sectionOf(2, listOf(imports)),
      parts === undefined ? [] : customSection('name', partsOf(parts)),
    ),
  );
}

/** What stands in each part, as text in the order of the file. */
function read(bytes: Uint8Array): Record<string, unknown> {
  const names = (reader: ByteReader): Names => {
    const found: Record<number, string> = {};
    for (let left = reader.unsigned(); left > 0; --left) found[reader.unsigned()] = reader.name();
    return found;
  };
  const reader = new ByteReader(bytes);
  const found: Record<string, unknown> = {};
  while (!reader.isDone) {
    const id = reader.u8();
    const part = reader.part(reader.unsigned());
    if (id === kIds.module) found['module'] = part.name();
    else if (id === kIds.locals || id === kIds.labels) {
      const inner: Record<number, Names> = {};
      for (let left = part.unsigned(); left > 0; --left) inner[part.unsigned()] = names(part);
      found[id === kIds.locals ? 'locals' : 'labels'] = inner;
    } else found[id === kIds.functions ? 'functions' : id === kIds.types ? 'types' : 'globals'] = names(part);
    expect(part.isDone).toBe(true);
  }
  return found;
}

const kLocals = { 1: { 0: 'x' }, 2: { 0: 'first', 3: 'fourth' }, 200: { 0: 'far' } };
const original: Parts = {
  ...{ module: 'app', functions: { 0: 'imported', 1: 'other', 2: 'main', 200: 'last' }, locals: kLocals },
  ...{
    labels: { 2: { 0: 'loop' }, 3: { 1: 'block' } },
    types: { 0: 'type' },
    globals: { 0: 'stack', 1: 'own', 2: 'more' },
  },
};
const written: Parts = { functions: { 0: 'imported', 1: 'other', 2: 'added', 3: 'main' } };

test('functions are named as written, and what lies behind the imports goes by as many as were added', () => {
  const names = splicedNames(moduleOf(2, 1, original), moduleOf(3, 3, written), new Set());
  expect(read(names)).toEqual({
    module: 'app',
    functions: written.functions,
    locals: { 1: { 0: 'x' }, 3: { 0: 'first', 3: 'fourth' }, 201: { 0: 'far' } },
    labels: { 3: { 0: 'loop' }, 4: { 1: 'block' } },
    types: { 0: 'type' },
    globals: { 0: 'stack', 3: 'own', 4: 'more' },
  });
});

test('of functions that changed no locals and labels are named', () => {
  const { locals, labels } = read(splicedNames(moduleOf(2, 1, original), moduleOf(3, 1, written), new Set([2])));
  expect(locals).toEqual({ 1: { 0: 'x' }, 201: { 0: 'far' } });
  expect(labels).toEqual({ 4: { 1: 'block' } });
});

test('where nothing was written of functions they keep their names, and without names there are none', () => {
  expect(read(splicedNames(moduleOf(2, 1, original), moduleOf(2, 1), new Set()))).toEqual(original);
  expect(splicedNames(moduleOf(2, 1), moduleOf(3, 1, written), new Set())).toHaveLength(0);
});

test('the names of functions alone are had as they stand', () => {
  expect(read(functionNamesOnly(moduleOf(2, 1, original)))).toEqual({ functions: original.functions });
  for (const none of [moduleOf(1, 1), moduleOf(1, 1, { module: 'app' })])
    expect(functionNamesOnly(none)).toHaveLength(0);
});
