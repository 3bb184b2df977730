// Many random calls with shrinks at random moments give what they give without: a game's loop, an embind program, the heap for JavaScript,
// SQLite and Lua with a small text for each call (larger ones: tests/web/shrink/programs.test.ts).
//
//   HG_SHRINK_CALLS=100000     so many calls instead of some thousand: npm run check:shrink:calls
//   HG_SHRINK_SEED=17          other texts for SQLite and Lua

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { createRandom, type Random } from '../../web/src/base/random.ts';
import { createHeap } from '../../web/src/heap/create_heap.ts';
import { shrink } from '../../web/src/shrink/shrink.ts';
import { kTextPrograms, readAvailability } from '../../web/src/wasm/program_artefacts.ts';
import { kLevel } from '../every.ts';
import { kSound, RandomCalls } from '../web/heap/random_calls.ts';
import { openTextProgram } from '../web/shrink/text_program.ts';
import { shrinkFlags } from './shrink/flags.ts';
import { archive, glueFlags, toolchains } from './toolchain.ts';

const kCalls = Number(process.env['HG_SHRINK_CALLS'] ?? 4000);
const kSeed = Number(process.env['HG_SHRINK_SEED'] ?? 17);
const kEvery = 200; // calls for each shrink, about
const kLong = Math.max(120_000, kCalls * 20);
const require = createRequire(import.meta.url);

/** All calls, with a shrink at random moments where `shrinkNow` is given; how many there were. */
async function inTurns(call: (i: number) => void, shrinkNow?: () => Promise<unknown>): Promise<number> {
  const moments = createRandom(3);
  let count = 0;
  for (let i = 0; i < kCalls; ++i) {
    call(i);
    if (moments.below(kEvery) !== 0 || shrinkNow === undefined) continue;
    await shrinkNow();
    ++count;
  }
  return count;
}
const start = (wasm: string): Promise<never> => require(wasm.replace(/\.wasm$/, '.js'))();

afterAll(() => void vi.unstubAllGlobals());

test.each(toolchains())(
  'a loop of a game, Emscripten $version',
  async (toolchain) => {
    if (glueFlags(toolchain.order).length > 0) vi.stubGlobal('fetch', undefined);
    const given = [kLevel, archive('fast'), ...shrinkFlags(toolchain)];
    const { wasm } = await toolchain.link('game_loop', ['game_loop.cpp'], given);
    const play = async (shrinks: boolean) => {
      const program: { _frame(number: number): number } = await start(wasm);
      const frames = new Uint32Array(kCalls);
      const count = await inTurns(
        (i) => {
          frames[i] = program._frame(i);
        },
        shrinks ? () => shrink(program) : undefined,
      );
      return { frames, count };
    };
    const [shrunk, plain] = [await play(true), await play(false)];
    expect(shrunk.count).toBeGreaterThan(kCalls / kEvery / 2);
    expect(Buffer.compare(Buffer.from(shrunk.frames.buffer), Buffer.from(plain.frames.buffer))).toBe(0);
    expect(new Set(plain.frames).size).toBeGreaterThan(kCalls / 2);
  },
  kLong,
);

interface Store {
  put(key: number, text: string): void;
  erase(key: number): void;
  get_or(key: number, other: string): string;
  size(): number;
  each(callback: (key: number, text: string) => number): number;
  delete(): void;
}

test.each(toolchains())(
  'an embind program, Emscripten $version',
  async (toolchain) => {
    const given = [kLevel, archive('fast'), ...shrinkFlags(toolchain), '-lembind', '-fexceptions'];
    const { wasm } = await toolchain.link('shrinks_bound', ['shrinks_bound.cpp'], given);
    const play = async (shrinks: boolean) => {
      const program: { Store: new () => Store } = await start(wasm);
      const store = new program.Store();
      const random = createRandom(5);
      const found: number[] = [];
      const call = (i: number): void => {
        const key = random.below(400);
        const what = random.below(6);
        if (what < 3) store.put(key, 'x'.repeat(random.below(3000)) + key);
        else if (what === 3) store.erase(key);
        else if (what === 4) found.push(store.get_or(key, 'none').length);
        else if (i % 100 === 0) found.push(store.each((k, text) => k + text.length));
        else found.push(store.size());
      };
      const count = await inTurns(call, shrinks ? () => shrink(program) : undefined);
      store.delete();
      return { found, count };
    };
    const [shrunk, plain] = [await play(true), await play(false)];
    expect(shrunk.count).toBeGreaterThan(kCalls / kEvery / 2);
    expect(shrunk.found).toEqual(plain.found);
  },
  kLong,
);

/** Small texts: a row or an entry comes, goes, changes or is asked for. */
const kTextsOf: Readonly<Record<'sqlite' | 'lua', (random: Random, i: number) => string>> = {
  sqlite: (random, i) => {
    if (i === 0) return 'create table t(id integer primary key, text); create index by_text on t(text);';
    const id = random.below(3000);
    const what = random.below(5);
    if (what < 2) return `insert or replace into t values(${id}, hex(zeroblob(${random.below(600)})) || '${i}');`;
    if (what === 2) return `delete from t where id between ${id} and ${id + random.below(8)};`;
    if (what === 3) return `update t set text = text || '${i}' where id = ${id};`;
    return `select count(*), sum(length(text)) from t where id between ${id} and ${id + 50};`;
  },
  lua: (random, i) => {
    if (i === 0) return 'kept = {}';
    const key = random.below(3000);
    const what = random.below(5);
    if (what < 2) return `kept[${key}] = { name = ('x'):rep(${random.below(900)}) .. ${i}, tags = { ${i}, '${key}' } }`;
    if (what === 2) return `for k = ${key}, ${key + random.below(8)} do kept[k] = nil end`;
    if (what === 3) return `local e = kept[${key}]; if e then e.name = e.name .. ${i} end`;
    return `local e = kept[${key}]; print(e and #e.name, pcall(error, ${i}))`;
  },
};
const missing = await readAvailability();

describe.each(['sqlite', 'lua'] as const)('%s', (program) => {
  test.skipIf(missing[program] !== null)(
    'prints the same',
    async () => {
      const play = async (shrinks: boolean) => {
        const { instance, type, printed } = await openTextProgram(readFileSync(kTextPrograms[program]()));
        const random = createRandom(kSeed);
        const call = (i: number): void => type(kTextsOf[program](random, i));
        const count = await inTurns(call, shrinks ? () => instance.shrink() : undefined);
        return { printed, count };
      };
      const [shrunk, plain] = [await play(true), await play(false)];
      expect(shrunk.count).toBeGreaterThan(kCalls / kEvery / 2);
      expect(plain.printed.length).toBeGreaterThan(kCalls / 10);
      expect(shrunk.printed).toEqual(plain.printed);
    },
    kLong,
  );
});

test(
  'the heap for JavaScript',
  async () => {
    const play = async (shrinks: boolean) => {
      const calls = new RandomCalls(await createHeap(), 91);
      const found: unknown[] = [];
      const moments = createRandom(3);
      let count = 0;
      for (let done = 0; done < kCalls; ) {
        const part = 1 + moments.below(2 * kEvery);
        found.push(calls.run(part));
        done += part;
        calls.heap.trim(); // a shrink trims, and so does the run without
        if (!shrinks) continue;
        await calls.heap.shrink();
        ++count;
      }
      expect(calls.end()).toEqual(kSound);
      return { found, count };
    };
    const [shrunk, plain] = [await play(true), await play(false)];
    expect(shrunk.count).toBeGreaterThan(kCalls / kEvery / 2);
    expect(shrunk.found).toEqual(plain.found);
  },
  kLong,
);
