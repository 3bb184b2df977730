// SQLite, Lua and QuickJS print the same whether their memory goes back between two texts or not, whether another instance goes on with a
// snapshot, and after a reset. Skipped where their sources could not be had (tools/build_programs.mjs).

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../web/src/base/random.ts';
import { checkpoint, reset, restore, snapshot } from '../../../web/src/shrink/shrink.ts';
import { kTextPrograms, readAvailability, type TextProgram } from '../../../web/src/wasm/program_artefacts.ts';
import { someOf } from '../../every.ts';
import { openTextProgram } from './text_program.ts';

const missing = await readAvailability();
const kTexts = 300;

const open = (program: TextProgram) => openTextProgram(readFileSync(kTextPrograms[program]()));

/** Texts from one seed: much is made, and most of it goes. */
const kTextsOf: Readonly<Record<TextProgram, (random: (below: number) => number, i: number) => string>> = {
  sqlite: (random, i) =>
    i === 0
      ? 'create table t(id integer primary key, text); create index by_text on t(text);'
      : ([
          `insert into t(text) with recursive c(n) as (select 1 union all select n + 1 from c where n < ${1 + random(400)}) select hex(n * ${random(1000)}) || 'row' from c;`,
          `delete from t where id % ${2 + random(5)} = 0;`,
          `select count(*), sum(length(text)), min(text) from t where text > '${random(9)}';`,
          `update t set text = text || '${random(1000)}' where id % ${50 + random(50)} = 1;`,
        ][random(4)] ?? ''),
  lua: (random) =>
    [
      `kept = kept or {}; for i = 1, ${1 + random(2000)} do kept[#kept + 1] = ('x'):rep(i % 97) .. i end`,
      `for i = #kept, 1, -1 do if i % ${2 + random(4)} == 0 then table.remove(kept, i) end end collectgarbage()`,
      'local n = 0 for i, text in ipairs(kept or {}) do n = n + #text * (i % 7) end print(n, #(kept or {}))',
      `co = coroutine.wrap(function() for i = 1, 1e9 do coroutine.yield(i) end end); print(co(), co(), pcall(error, 'e${random(99)}'))`,
    ][random(4)] ?? '',
  quickjs: (random) =>
    [
      `globalThis.kept ??= new Map(); for (let i = 0; i < ${1 + random(2000)}; ++i) kept.set(i * ${1 + random(9)}, 'x'.repeat(i % 97) + i)`,
      `for (const k of [...(globalThis.kept ?? new Map()).keys()]) if (k % ${2 + random(4)} === 0) kept.delete(k)`,
      'let n = 0; for (const [k, v] of globalThis.kept ?? []) n += v.length * (k % 7); n',
      `try { null.f } catch (e) { e instanceof TypeError ? ${random(99)} : 0 }`,
    ][random(4)] ?? '',
};

async function run(program: TextProgram, shrinks: boolean) {
  const { instance, type, printed } = await open(program);
  const [texts, moments] = [createRandom(7), createRandom(8)];
  let count = 0;
  for (let i = 0; i < kTexts; ++i) {
    type(kTextsOf[program]((below) => texts.below(below), i));
    if (moments.below(10) !== 0 || !shrinks) continue;
    await instance.shrink();
    ++count;
  }
  return { printed, count };
}

/** The texts, with another instance for each snapshot. */
async function runInTurns(program: TextProgram) {
  const printed: string[] = [];
  const [texts, moments] = [createRandom(7), createRandom(8)];
  let current = await open(program);
  let count = 0;
  for (let i = 0; i < kTexts; ++i) {
    current.type(kTextsOf[program]((below) => texts.below(below), i));
    if (moments.below(10) !== 0) continue;
    printed.push(...current.printed);
    const bytes = snapshot(current.instance);
    current = await open(program);
    restore(current.instance, bytes);
    current.printed.length = 0;
    ++count;
  }
  return { printed: [...printed, ...current.printed], count };
}

/** The texts, some of them several times, with a reset between. */
async function runAgain(program: TextProgram) {
  const { instance, type, printed } = await open(program);
  const [texts, moments] = [createRandom(7), createRandom(8)];
  let count = 0;
  let left = 0; // texts since the checkpoint
  const since: string[] = [];
  checkpoint(instance);
  let kept = printed.length;
  for (let i = 0; i < kTexts; ++i) {
    const text = kTextsOf[program]((below) => texts.below(below), i);
    since.push(text);
    type(text);
    if (++left < 10) continue;
    if (moments.below(2) === 0) {
      const first = printed.splice(kept);
      reset(instance);
      for (const each of since) type(each);
      expect(printed.slice(kept)).toEqual(first);
      ++count;
    }
    checkpoint(instance);
    kept = printed.length;
    since.length = 0;
    left = 0;
  }
  return { printed, count };
}

describe.each(someOf(['lua', 'sqlite', 'quickjs'] as const))('%s', (program) => {
  test.skipIf(missing[program] !== null)(
    'prints the same with shrinks at random moments',
    async () => {
      const [shrunk, plain] = [await run(program, true), await run(program, false)];
      expect(shrunk.printed).toEqual(plain.printed);
      expect(plain.printed.length).toBeGreaterThan(50);
      expect(shrunk.count).toBeGreaterThan(15);
    },
    120_000,
  );

  test.skipIf(missing[program] !== null)(
    'prints the same where another instance goes on with a snapshot, and after each reset',
    async () => {
      const plain = await run(program, false);
      for (const found of [await runInTurns(program), await runAgain(program)]) {
        expect(found.printed).toEqual(plain.printed);
        expect(found.count).toBeGreaterThan(5);
      }
    },
    240_000,
  );
});
