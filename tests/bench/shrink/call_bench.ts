// What call_bench.mjs measures: calls of a program, as its JavaScript makes them. Bundled, and evaluated once for each program, so that no engine
// learns from one program what it does with the other.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { instantiateShrinkable } from '../../../web/src/shrink/shrink.ts';
import { openTextProgramBy } from '../../web/shrink/text_program.ts';

interface Program {
  _nothing(): void;
  _add(a: number, b: number): number;
  _block(size: number): number;
  _work(loops: number): number;
}

interface Store {
  put(key: number, text: string): void;
  size(): number;
  get_or(key: number, other: string): string;
}
interface Bound {
  readonly Store: new () => Store;
}

export interface Given {
  readonly folder: string; // of sqlite.wasm and lua.wasm
  readonly called: string;
  readonly bound: string;
  readonly shrinks: boolean;
}
interface Row {
  readonly calls: number; // a millisecond or less
  act(i: number): void;
}

const start = <P>(script: string): Promise<P> => (createRequire(script)(script) as () => Promise<P>)();
const plain = async (bytes: BufferSource, imports: WebAssembly.Imports) =>
  (await WebAssembly.instantiate(bytes, imports)).instance;
let sum = 0;

const ofC =
  (calls: number, act: (program: Program, i: number) => unknown) =>
  async (given: Given): Promise<Row> => {
    const program = await start<Program>(given.called);
    return { calls, act: (i) => act(program, i) };
  };

const ofEmbind =
  (calls: number, act: (store: Store, i: number) => unknown) =>
  async (given: Given): Promise<Row> => {
    const store = new (await start<Bound>(given.bound)).Store();
    for (let key = 0; key < 100; ++key) store.put(key, `text ${key}`);
    return { calls, act: (i) => act(store, i) };
  };

/** Two calls a text. */
const ofTexts =
  (name: 'sqlite' | 'lua', begin: string, text: string) =>
  async (given: Given): Promise<Row> => {
    const bytes = new Uint8Array(readFileSync(`${given.folder}/${name}.wasm`));
    const begun = given.shrinks ? instantiateShrinkable : plain;
    const { type, printed } = await openTextProgramBy<{ readonly exports: object }>(begun, bytes);
    type(begin);
    return {
      calls: 100,
      act: () => {
        type(text);
        printed.length = 0;
      },
    };
  };

export const kRows: Readonly<Record<string, (given: Given) => Promise<Row>>> = {
  'nothing()': ofC(2e5, (program) => program._nothing()),
  'add(a, b)': ofC(1e5, (program, i) => (sum += program._add(i, 1))),
  'malloc and free': ofC(1e5, (program, i) => (sum += program._block(16 + (i & 511)))),
  '100 steps of work': ofC(5000, (program) => (sum += program._work(100))),
  '1,000 steps of work': ofC(800, (program) => (sum += program._work(1000))),
  '10,000 steps of work': ofC(80, (program) => (sum += program._work(10_000))),
  'embind: size()': ofEmbind(20_000, (store) => (sum += store.size())),
  'embind: get_or(key, text)': ofEmbind(1000, (store, i) => (sum += store.get_or(i % 100, 'none').length)),
  'SQLite: a text': ofTexts('sqlite', 'create table t(id integer primary key);', 'insert into t values(null);'),
  'Lua: a text': ofTexts('lua', 'n = 0', 'n = n + 1'),
};

/** Opens one row; what it gives measures one round, in nanoseconds a call. */
export async function open(name: string, given: Given): Promise<() => number> {
  const row = await kRows[name]?.(given);
  if (row === undefined) throw new Error(`no row ${name}`);
  const { calls, act } = row;
  return () => {
    const began = process.hrtime.bigint();
    for (let i = 0; i < calls; ++i) act(i);
    return Number(process.hrtime.bigint() - began) / calls;
  };
}
