// What call_bench.mjs measures, in a process of its own: nanoseconds for each call of a linked program, as its JavaScript calls it.

//   node call_bench.cjs <folder of sqlite.wasm and lua.wasm> <called.js> <bound.js> <shrinks: 0 or 1>

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

interface Bound {
  readonly Store: new () => {
    put(key: number, text: string): void;
    size(): number;
    get_or(key: number, other: string): string;
  };
}

const kRounds = 150; // of a millisecond or less: some of them are not disturbed
const [folder = '', called = '', bound = '', shrinks = '0'] = process.argv.slice(2);
const start = <P>(script: string): Promise<P> => (createRequire(script)(script) as () => Promise<P>)();
const plain = async (bytes: BufferSource, imports: WebAssembly.Imports) =>
  (await WebAssembly.instantiate(bytes, imports)).instance;

/** Of the fastest round: the others were disturbed. */
function nanoseconds(calls: number, act: (i: number) => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < kRounds; ++round) {
    const began = process.hrtime.bigint();
    for (let i = 0; i < calls; ++i) act(i);
    least = Math.min(least, Number(process.hrtime.bigint() - began) / calls);
  }
  return least;
}

async function ofC(): Promise<Record<string, number>> {
  const program = await start<Program>(called);
  return {
    'nothing()': nanoseconds(2e5, () => program._nothing()),
    'add(a, b)': nanoseconds(1e5, (i) => {
      sum += program._add(i, 1);
    }),
    'malloc and free': nanoseconds(1e5, (i) => {
      sum += program._block(16 + (i & 511));
    }),
    '100 steps of work': nanoseconds(5000, () => {
      sum += program._work(100);
    }),
    '1,000 steps of work': nanoseconds(800, () => {
      sum += program._work(1000);
    }),
    '10,000 steps of work': nanoseconds(80, () => {
      sum += program._work(10_000);
    }),
  };
}

async function ofEmbind(): Promise<Record<string, number>> {
  const { Store } = await start<Bound>(bound);
  const store = new Store();
  for (let key = 0; key < 100; ++key) store.put(key, `text ${key}`);
  return {
    'embind: size()': nanoseconds(20_000, () => {
      sum += store.size();
    }),
    'embind: get_or(key, text)': nanoseconds(1000, (i) => {
      sum += store.get_or(i % 100, 'none').length;
    }),
  };
}

/** Two calls a text. */
async function ofTexts(name: 'sqlite' | 'lua', begin: string, text: string): Promise<number> {
  const bytes = new Uint8Array(readFileSync(`${folder}/${name}.wasm`));
  const { type, printed } = await openTextProgramBy<{ readonly exports: object }>(
    shrinks === '1' ? instantiateShrinkable : plain,
    bytes,
  );
  type(begin);
  return nanoseconds(100, () => {
    type(text);
    printed.length = 0;
  });
}

let sum = 0;
async function measure(): Promise<void> {
  const found = {
    ...(await ofC()),
    ...(await ofEmbind()),
    'SQLite: a text': await ofTexts('sqlite', 'create table t(id integer primary key);', 'insert into t values(null);'),
    'Lua: a text': await ofTexts('lua', 'n = 0', 'n = n + 1'),
  };
  console.log(`\n${JSON.stringify({ found, sum })}`);
}
measure();
