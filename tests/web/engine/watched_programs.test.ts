// SQLite, Lua and QuickJS in the engine: what they print, that their heap is proved, and that mistakes in a text are answers.
// Where their sources could not be had there is nothing to run: the page says so, and these tests are skipped.

import { describe, expect, test } from 'vitest';
import { seq } from '../../../web/src/base/brand.ts';
import type { PrintedPart } from '../../../web/src/protocol/messages.ts';
import { readAvailability } from '../../../web/src/wasm/program_artefacts.ts';
import { makeEngine } from './harness.ts';

const missing = await readAvailability();

/** A program whose story is told, with a way to type at it. */
async function openProgram(program: 'sqlite' | 'lua' | 'quickjs') {
  const made = makeEngine();
  const { ask, engine, frame, run } = made;
  await run(program);
  const printed = async () => (await ask({ type: 'printed' }, 'printed')).printed;
  return {
    ...made,
    printed,
    async type(text: string): Promise<readonly PrintedPart[]> {
      await ask({ type: 'runText', text }, 'started');
      while (engine.tick());
      return (await printed()).parts;
    },
    /** Nothing lost, and the walk at the head equals the model. */
    async expectProved(): Promise<number> {
      const { status } = await frame();
      expect(status).toMatchObject({ mismatch: undefined, lost: 0, verifiedAt: status.head });
      return status.head;
    },
  };
}

const line = (text: string): PrintedPart => ({ kind: 'line', text });

describe.skipIf(missing.sqlite !== null)('SQLite', () => {
  test('tells its story, answers a statement with a table, and its heap is proved', async () => {
    const { type, printed, expectProved, notes } = await openProgram('sqlite');
    expect(notes.at(-1)).toMatchObject({ running: false, message: undefined });
    const done = notes.flatMap((note) => (note.type === 'progress' ? [note.done] : []));
    expect(done).toEqual(done.toSorted((one, two) => one - two));
    expect([Math.min(...done) >= 0, done.some((share) => share > 0 && share < 1), done.at(-1)]).toEqual([
      true,
      true,
      1,
    ]);
    expect((await printed()).parts).toEqual([line('10000 rows changed'), line('5000 rows changed')]);
    const told = await expectProved();
    expect(await type("select count(*) as n, null as empty, 'ä' from person; select 1 where 0")).toEqual([
      { kind: 'table', columns: ['n', 'empty', "'ä'"], rows: [['5000', undefined, 'ä']] },
      { kind: 'table', columns: ['1'], rows: [] },
    ]);
    expect(await expectProved()).toBeGreaterThan(told);
    console.info(`sqlite: its story is ${told} events`);
  });

  test('told twice, the trace is the same byte for byte, with its chapters and the text typed as marks', async () => {
    const files: Buffer[] = [];
    for (const _ of [1, 2]) {
      const { ask, type, frame } = await openProgram('sqlite');
      await type('select  1,\n2');
      const { timeline } = await frame({ timeline: { from: seq(0), to: 'head', columns: 100 } });
      expect(timeline?.marks.map(({ label }) => label)).toEqual([
        'A table of 10,000 rows',
        'An index on the names',
        'Every second row is deleted',
        'Vacuum: the tables are written anew',
        'select 1, 2',
      ]);
      files.push(Buffer.from((await ask({ type: 'exportTrace' }, 'trace')).file));
    }
    expect(files[0]?.equals(files[1] ?? Buffer.of())).toBe(true);
  });

  test('a mistake is an error in words, and the database is as it was', async () => {
    const { type, expectProved } = await openProgram('sqlite');
    expect(await type('select * from nowhere')).toEqual([{ kind: 'error', text: 'no such table: nowhere' }]);
    expect(await type('select count(*) from person')).toMatchObject([{ rows: [['5000']] }]);
    await expectProved();
  });

  test('an endless statement is interrupted', async () => {
    const { type, expectProved } = await openProgram('sqlite');
    const endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n';
    expect(await type(endless)).toMatchObject([
      { kind: 'table', rows: [] },
      { kind: 'error', text: 'interrupted: the statement took too long' },
    ]);
    expect((await type('select 2 as two'))[0]).toMatchObject({ rows: [['2']] });
    await expectProved();
  });
});

describe.skipIf(missing.lua !== null)('Lua', () => {
  test('tells its story, prints, answers expressions, and its heap is proved', async () => {
    const { type, printed, expectProved } = await openProgram('lua');
    expect((await printed()).parts[0]).toMatchObject({ kind: 'line', text: expect.stringMatching(/^2000\ttables/) });
    expect(await type('1 + 1, "two"')).toEqual([line('2\ttwo')]);
    expect(await type('x = 7')).toEqual([]);
    expect(await type('x * 6')).toEqual([line('42')]);
    console.info(`lua: its story is ${await expectProved()} events`);
  });

  test('a text is a mark of 60 letters at most, cut where there are more', async () => {
    const { type, frame } = await openProgram('lua');
    const texts = [59, 60, 61].map((letters) => `--${'ä'.repeat(letters - 2)}`);
    for (const text of texts) await type(text);
    const { timeline } = await frame({ timeline: { from: seq(0), to: 'head', columns: 100 } });
    expect(timeline?.marks.slice(-3).map(({ label }) => label)).toEqual([
      texts[0],
      texts[1],
      `${texts[2]?.slice(0, 60)}…`,
    ]);
  });

  test('an error is printed with its line and ends the text only; coroutines and pcall work', async () => {
    const { type, expectProved } = await openProgram('lua');
    expect(await type('x = 1\nlocal t = nil\nprint(t.a)')).toMatchObject([
      { kind: 'error', text: expect.stringContaining('text:3:') },
    ]);
    expect(await type('if')).toMatchObject([{ kind: 'error' }]);
    expect(await type('print(pcall(error, "no"), x)')).toEqual([line('false\t1')]);
    expect(await type('local c = coroutine.wrap(function() coroutine.yield(1) return 2 end) return c(), c()')).toEqual([
      line('1\t2'),
    ]);
    await expectProved();
  });

  test('an endless script runs in slices and is stopped by a request', async () => {
    const { ask, engine, type, expectProved } = await openProgram('lua');
    await ask({ type: 'runText', text: 'while true do end' }, 'started');
    for (let i = 0; i < 5; ++i) expect(engine.tick()).toBe(true);
    await ask({ type: 'stopText' }, 'stopped');
    expect(engine.tick()).toBe(false);
    expect(await type('1')).toEqual([line('1')]);
    await expectProved();
  });
});

describe.skipIf(missing.quickjs !== null)('QuickJS', () => {
  test('tells its story, answers, and its heap is proved; an error leaves the rest as it was', async () => {
    const { type, printed, expectProved } = await openProgram('quickjs');
    expect((await printed()).parts[0]).toEqual(line('1000'));
    expect(await type('[1, 2].map((x) => x * 2)')).toEqual([line('2,4')]);
    expect(await type('undefined.name')).toMatchObject([{ kind: 'error', text: expect.stringContaining('undefined') }]);
    expect(await type('people.size')).toEqual([line('0')]);
    console.info(`quickjs: its story is ${await expectProved()} events`);
  });
});

test('what cannot be had is offered with its reason', async () => {
  const { ask } = makeEngine();
  const { scenarios } = await ask({ type: 'scenarios' }, 'scenarios');
  const programs = scenarios.filter(({ program }) => program !== undefined);
  expect(programs.map(({ id }) => id)).toEqual(['sqlite', 'lua', 'quickjs']);
  expect(scenarios.slice(0, programs.length)).toEqual(programs);
  for (const { id, unavailable } of programs) expect(unavailable ?? null).toBe(missing[id as keyof typeof missing]);
});
