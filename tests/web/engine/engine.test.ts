import { describe, expect, test } from 'vitest';
import { addr, bytes, seq } from '../../../web/src/base/brand.ts';
import { kScenarios } from '../../../web/src/scenarios/index.ts';
import { artefactUrl } from '../../../web/src/wasm/heap_artefacts.ts';
import { readAvailability } from '../../../web/src/wasm/program_artefacts.ts';
import { kWholeMap, makeEngine, partsIn, scenarioOf, wanting } from './harness.ts';

const missing = await readAvailability();

describe('a scenario', () => {
  // watched_experiments.test.ts and watched_programs.test.ts have the others.
  const told = kScenarios.filter(({ info }) => info.experiment === undefined && info.program === undefined);
  test.each(told.map((scenario) => scenario.info.id))('%s runs to its end and is proved there', async (id) => {
    const { run, frame, notes } = makeEngine();
    await run(id);
    const last = notes[notes.length - 1];
    expect(last).toMatchObject({ type: 'progress', running: false, message: undefined, done: 1 });
    const { status } = await frame();
    expect(status.mismatch).toBeUndefined();
    expect(status.verifiedAt).toBe(status.head);
    expect(status.live).toBe(true);
  });

  test('with the same seed gives the same trace, byte for byte', async () => {
    const files: Buffer[] = [];
    for (const seed of [5, 5, 6]) {
      const { run, ask } = makeEngine();
      await run('burst_list', seed);
      files.push(Buffer.from((await ask({ type: 'exportTrace' }, 'trace')).file));
    }
    expect(files[0]?.equals(files[1] ?? Buffer.of())).toBe(true);
    expect(files[0]?.equals(files[2] ?? Buffer.of())).toBe(false);
  });

  test('marks its chapters in the trace, and the timeline shows them', async () => {
    const { run, frame } = makeEngine();
    await run('adaptive_pool');
    const { timeline } = await frame({ timeline: { from: seq(0), to: 'head', columns: 100 } });
    const info = kScenarios.find((scenario) => scenario.info.id === 'adaptive_pool')?.info;
    expect(timeline?.marks.map((mark) => mark.label)).toEqual(info?.chapters);
    expect(timeline?.verified.length).toBeGreaterThan(info?.chapters.length ?? 99);
  });

  test('that is unknown is refused', async () => {
    const { refused } = makeEngine();
    expect(await refused({ type: 'runScenario', scenario: 'nothing', seed: 1 })).toMatch(/no scenario nothing/);
  });
});

describe('by hand', () => {
  test('operations answer, and the model follows', async () => {
    const { run, operate, frame } = makeEngine();
    await run('by_hand');
    const block = await operate({ op: 'allocate', size: bytes(100) });
    expect([block.ok, block.mems.length, block.received]).toEqual([true, 1, 100]);
    const mem = block.mems[0] ?? addr(0);
    const before = await frame(wanting({ inspect: mem }));
    expect(partsIn(before).inspect).toMatchObject({
      what: 'chunk',
      inUse: true,
      request: 100,
      headerFrom: 'memory',
      usable: 100,
    });
    expect(before.status.verifiedAt).toBe(before.status.head);
    expect((await operate({ op: 'deallocate', mem })).ok).toBe(true);
    const after = await frame(wanting({ inspect: mem }));
    expect(partsIn(after).inspect?.inUse).toBe(false);
    expect(after.status.inUse).toBe(0);
  });

  test('address 0 is no block, and freeing it is no mistake', async () => {
    const { run, operate, frame } = makeEngine();
    await run('by_hand');
    const mem = addr(0);
    const calls = [
      { op: 'deallocate', mem },
      { op: 'mallocFree', thread: undefined, mem },
      { op: 'smallDeallocate', thread: 1, mem },
    ] as const;
    for (const call of calls) expect(await operate(call), call.op).toMatchObject({ ok: true });
    const { status } = await frame(wanting({}));
    expect([status.inUse, status.verifiedAt, status.mismatch]).toEqual([0, status.head, undefined]);
  });

  test('a block that is not in use is refused before it can break the heap', async () => {
    const { run, operate, frame } = makeEngine();
    await run('by_hand');
    const mem = (await operate({ op: 'allocate', size: bytes(100) })).mems[0] ?? addr(0);
    await operate({ op: 'deallocate', mem });
    for (const wrong of [mem, addr(mem + 8), addr(64), addr(4_000_000_000)]) {
      const result = await operate({ op: 'deallocate', mem: wrong });
      expect([result.ok, result.statusText]).toEqual([false, `no block in use of this heap begins at ${wrong}`]);
    }
    const twice = (await operate({ op: 'allocate', size: bytes(8) })).mems[0] ?? addr(0);
    expect((await operate({ op: 'burstDeallocate', mems: [twice, twice] })).statusText).toMatch(/twice/);
    expect((await frame()).status.mismatch).toBeUndefined();
  });

  test('out of memory is an answer, not an end', async () => {
    const { run, operate, frame } = makeEngine();
    await run('by_hand');
    const result = await operate({ op: 'allocate', size: bytes(0x7ffe_0000) });
    expect([result.ok, result.statusText]).toEqual([
      false,
      'out of memory: no free chunk fits and linear memory cannot grow',
    ]);
    const { explain } = partsIn(await frame(wanting({ explain: true })));
    expect(explain?.title).toMatch(/failed$/);
    expect(explain?.prose.map((part) => part.text).join('')).toMatch(/refused.*It failed: out of memory/);
  });

  test('nothing open: every question says so', async () => {
    const { refused } = makeEngine();
    expect(await refused({ type: 'exportTrace' })).toMatch(/nothing is open/);
    expect(await refused({ type: 'operate', heap: 0, operation: { op: 'trim', pad: bytes(0) } })).toMatch(
      /nothing is open/,
    );
  });
});

describe('loss', () => {
  const flood = scenarioOf('flood', function* (operations) {
    const pool = operations.operate({
      op: 'poolCreate',
      shape: 2,
      nodeSize: bytes(24),
      nodesPerBlock: 20,
      maxFreeBlocks: 1,
      overheadPercent: 0,
    }).pool;
    if (pool === undefined) throw new Error('no pool');
    yield { chapter: undefined, done: 0 };
    for (let i = 0; i < 15_000; ++i) {
      const mem = operations.operate({ op: 'allocate', size: bytes(20 + (i % 90)) }).mems[0];
      if (i % 4 !== 0 && mem !== undefined) operations.operate({ op: 'deallocate', mem });
      if (i % 5 === 0) operations.operate({ op: 'poolAllocate', pool, count: 1 });
    }
    yield { chapter: undefined, done: 0.5 };
    for (let i = 0; i < 200; ++i) operations.operate({ op: 'allocate', size: bytes(20 + (i % 90)) });
    operations.operate({ op: 'poolDestroy', pool });
    yield { chapter: undefined, done: 1 };
  });

  test('is counted, and the model goes on from a walk of the heap', async () => {
    const { run, frame } = makeEngine({ ring: 'drop', scenarios: [flood] });
    await run('flood');
    const { status } = await frame();
    expect(status.lost).toBeGreaterThan(65_536);
    expect(status.mismatch).toBeUndefined();
    expect(status.verifiedAt).toBe(status.head);
  });

  test('does not stop time travel, on either side and across', async () => {
    const { run, frame } = makeEngine({ ring: 'drop', scenarios: [flood] });
    await run('flood');
    const head = (await frame()).status.head;
    const at = async (n: number) => (await frame({ at: { to: 'seq', seq: seq(n) }, map: kWholeMap })).map?.chunks;
    const early = await at(10);
    const late = await at(head - 5);
    expect(await at(10)).toEqual(early);
    expect(await at(head - 5)).toEqual(late);
    expect(early?.count).toBeLessThan(30);
    expect(late?.count).toBeGreaterThan(1000);
  });

  test('never happens in a lossless ring', async () => {
    const { run, frame } = makeEngine({ scenarios: [flood] });
    await run('flood');
    const { status } = await frame();
    expect([status.lost, status.mismatch, status.verifiedAt]).toEqual([0, undefined, status.head]);
    expect(status.head).toBeGreaterThan(65_536 * 2);
  });
});

describe('a trap', () => {
  const doubleFree = scenarioOf('double_free', function* (operations) {
    const mem = operations.operate({ op: 'allocate', size: bytes(40) }).mems[0] ?? addr(0);
    operations.operate({ op: 'allocate', size: bytes(40) });
    yield { chapter: undefined, done: 0.5 };
    operations.operate({ op: 'deallocate', mem });
    operations.operate({ op: 'deallocate', mem });
  });

  test('ends the module, is named, and what was traced can still be looked at', async () => {
    const { run, frame, notes, refused, ask } = makeEngine({
      scenarios: [doubleFree],
      wasm: { heap: artefactUrl('checked') },
    });
    await run('double_free');
    const died = notes.find((note) => note.type === 'died');
    expect(died?.message).toMatch(/double free/);
    expect(died?.lastLines[died.lastLines.length - 1]).toMatch(/free the block at 0x/);
    const shown = await frame(wanting({ explain: true }));
    const { explain } = partsIn(shown);
    const { status } = shown;
    expect(status.live).toBe(false);
    expect(explain?.title).toMatch(/under way/);
    const back = await frame({ at: { to: 'step', from: status.head, unit: 'operation', by: -1 } });
    expect(back.status.operations).toBe(status.operations - 1);
    expect(await refused({ type: 'operate', heap: 0, operation: { op: 'trim', pad: bytes(0) } })).toMatch(
      /double free/,
    );
    expect((await ask({ type: 'exportTrace' }, 'trace')).file.byteLength).toBeGreaterThan(100);
    expect(notes.filter((note) => note.type === 'died').length).toBe(1);
  });
});

describe('while something runs', () => {
  const endless = scenarioOf('endless', function* (operations) {
    for (;;) {
      for (const mem of operations.operate({ op: 'allocate', size: bytes(100) }).mems)
        operations.operate({ op: 'deallocate', mem });
      yield { chapter: undefined, done: 0.5 };
    }
  });

  test('its heap is not changed by hand, and another run takes its place', async () => {
    const { engine, ask, refused, operate, notes } = makeEngine({ scenarios: [endless, ...kScenarios] });
    await ask({ type: 'runScenario', scenario: 'endless', seed: 1 }, 'started');
    expect(engine.tick()).toBe(true);
    const trim = { type: 'operate', heap: 0, operation: { op: 'trim', pad: bytes(0) } } as const;
    expect(await refused(trim)).toBe('the run is still under way');
    expect(notes.at(-1)).toMatchObject({ type: 'progress', running: true, done: 0.5 });
    await ask({ type: 'runScenario', scenario: 'by_hand', seed: 1 }, 'started');
    while (engine.tick());
    expect((await operate({ op: 'allocate', size: bytes(8) })).ok).toBe(true);
  });

  test('the word index answers when it has read its text, and not before', async () => {
    const { engine, ask, refused } = makeEngine();
    const text = new TextEncoder().encode('one two two three three three '.repeat(2000)).buffer;
    await ask({ type: 'runWordIndex', text }, 'started');
    const questions = [
      { type: 'wordTop', count: 3 },
      { type: 'wordFind', word: 'two' },
    ] as const;
    for (const question of questions) expect(await refused(question)).toBe('the word index is still reading');
    while (engine.tick());
    const { rows } = await ask({ type: 'wordTop', count: 2 }, 'words');
    expect(rows.map(({ word, count }) => [word, count])).toEqual([
      ['three', 6000],
      ['two', 4000],
    ]);
  });

  test('words are asked of a word index only, and texts run by a program that runs texts', async () => {
    const { run, refused } = makeEngine();
    await run('by_hand');
    expect(await refused({ type: 'wordTop', count: 3 })).toBe('no word index is open');
    expect(await refused({ type: 'runText', text: '1' })).toBe('no program that runs texts is open');
  });

  test.skipIf(missing.lua !== null)(
    'a program takes the next text when the one before has ended or was stopped',
    async () => {
      const { engine, ask, refused } = makeEngine();
      const type = (text: string) => ask({ type: 'runText', text }, 'started');
      await ask({ type: 'runScenario', scenario: 'lua', seed: 1 }, 'started');
      expect(await refused({ type: 'runText', text: '1' })).toBe('the program is still running');
      while (engine.tick());
      await type('while true do end');
      expect(engine.tick()).toBe(true);
      expect(await refused({ type: 'runText', text: '1' })).toBe('the program is still running');
      await ask({ type: 'stopText' }, 'stopped');
      await type('2 + 3');
      while (engine.tick());
      expect((await ask({ type: 'printed' }, 'printed')).printed.parts).toEqual([{ kind: 'line', text: '5' }]);
    },
  );
});

test('the bytes of a running heap are sent for rows that are near enough to read them, and for no others', async () => {
  const { run, operate, frame } = makeEngine();
  await run('by_hand');
  const { mems } = await operate({ op: 'allocate', size: bytes(100) });
  const origin = addr(Math.floor((mems[0] ?? 0) / 4096) * 4096);
  const bytesAt = async (bytesPerRow: number) =>
    (await frame({ map: { origin, bytesPerRow: bytes(bytesPerRow), rows: 2, columns: 1024 } })).map?.bytes;
  const near = await bytesAt(64); // 16 columns a byte
  expect(near?.map(({ values }) => values.length).reduce((sum, length) => sum + length)).toBe(2 * 64);
  expect(await bytesAt(65)).toBeUndefined();
  expect(await bytesAt(4096)).toBeUndefined();
});
