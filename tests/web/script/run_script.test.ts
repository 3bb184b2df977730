// Scripts on a real heap, as the script's worker runs them, and then the same calls on the engine's heap.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addr, bytes } from '../../../web/src/base/brand.ts';
import { kScriptNames } from '../../../web/src/panels/script/completions.ts';
import { kExamples } from '../../../web/src/panels/script/examples.ts';
import { Shape } from '../../../web/src/protocol/event_layout.ts';
import type { Operation } from '../../../web/src/protocol/messages.ts';
import { readNote } from '../../../web/src/protocol/script_notes.ts';
import type { ScriptError, ScriptStep } from '../../../web/src/protocol/scripts.ts';
import { runScript } from '../../../web/src/script/run_script.ts';
import { createScriptHeap } from '../../../web/src/script/script_heap.ts';
import { HeapCalls } from '../../../web/src/wasm/heap_calls.ts';
import { LiveModule } from '../../../web/src/wasm/live_module.ts';
import { makeEngine } from '../engine/harness.ts';

const guide = readFileSync(new URL('../../../docs/scripts.md', import.meta.url), 'utf8');

async function run(text: string) {
  const calls = new HeapCalls(await LiveModule.start('heap', 'drop', { append() {}, lost() {} }));
  const steps: ScriptStep[] = [];
  const printed: string[] = [];
  const error = runScript(text, {
    operate: (operation) => calls.operate(0, operation),
    onStep: (step) => void steps.push(step),
    print: (line) => void printed.push(line),
  });
  return { steps, printed, error };
}

async function tell(steps: readonly ScriptStep[]) {
  const engine = makeEngine();
  await engine.ask({ type: 'runScript', steps }, 'started');
  while (engine.engine.tick());
  const message = engine.notes.findLast((note) => note.type === 'progress')?.message;
  return { message, frame: await engine.frame({ timeline: { from: 0, to: 'head', columns: 10 } as never }) };
}

const at = (error: ScriptError | undefined) => error && `${error.line}:${error.column} ${error.message}`;

describe('a script', () => {
  test.each(kExamples)(
    '“$title” runs, and the engine makes the same calls with the same addresses',
    async ({ text }) => {
      const { steps, error } = await run(text);
      expect(error).toBeUndefined();
      const { message, frame } = await tell(steps);
      expect(message).toBeUndefined();
      expect(frame.status.verifiedAt).toBe(frame.status.head);
      expect(frame.status.head).toBeGreaterThan(10);
      const chapters = steps.flatMap((step) => ('chapter' in step ? [step.chapter] : []));
      expect(frame.timeline?.marks.map((mark) => mark.label)).toEqual(chapters);
    },
  );

  test.each(guide.split('```js\n').slice(1))('of the guide runs, number %#', async (rest) => {
    const { error, steps } = await run(rest.split('```')[0] ?? '');
    expect(at(error)).toBeUndefined();
    expect(steps.length).toBeGreaterThan(3);
    expect((await tell(steps)).message).toBeUndefined();
  });

  test('of links of before, with the former name free, makes the same calls', async () => {
    const text = (call: string) =>
      `heap.${call}(heap.allocate(10));\nconst pool = heap.createPool({ nodeSize: 16 });\npool.${call}(pool.allocate());`;
    const [former, now] = [await run(text('free')), await run(text('deallocate'))];
    expect([former.error, former.steps]).toEqual([undefined, now.steps]);
    expect(now.steps).toHaveLength(5);
  });

  test('of thousands of calls of every kind, at random, is believed call by call', async () => {
    const text = `
      const pick = (list) => list.splice(Math.floor(Math.random() * list.length), 1)[0];
      const size = () => 1 + Math.floor(Math.random() * 900);
      const blocks = [], own = [], pools = [];
      const acts = [
        () => blocks.push(heap.allocate(size())), () => blocks.push(heap.allocateAligned(64, size())),
        () => blocks.push(...heap.allocateMany(size(), 5)), () => own.push(malloc(size(), 1 + size() % 2)),
        () => { if (blocks.length) heap.deallocate(pick(blocks)); }, () => { if (own.length) free(pick(own)); },
        () => { if (blocks.length) blocks.push(heap.reallocate(pick(blocks), size())); },
        () => { if (own.length) own.push(realloc(pick(own), size())); },
        () => { if (blocks.length > 8) heap.freeMany([pick(blocks), pick(blocks), pick(blocks)]); },
        () => { if (blocks.length) { const block = pick(blocks);
          blocks.push(heap.expand(block, { minimum: size(), preferred: 2000, backward: true, move: size() > 400 })?.address ?? block); } },
        () => { if (pools.length < 3) pools.push({ pool: heap.createPool({ nodeSize: 8 + size() }), nodes: [] }); },
        () => { for (const { pool, nodes } of pools) nodes.push(pool.allocate(), ...pool.allocateMany(3)); },
        () => { for (const { pool, nodes } of pools) if (nodes.length) pool.deallocate(pick(nodes)); },
        () => { if (size() < 90 && pools.length) pick(pools).pool.destroy(); }, () => heap.trim(),
      ];
      for (let n = 0; n < 6000; ++n) acts[Math.floor(Math.random() * acts.length)]();`;
    const { error, steps } = await run(text);
    expect(at(error)).toBeUndefined();
    expect(steps.length).toBeGreaterThan(6000);
    expect((await tell(steps)).message).toBeUndefined();
  });

  test('can call what the guide lists, and nothing else', () => {
    const rows = guide.split('\n').filter((line) => line.startsWith('| `'));
    const listed = rows.flatMap((row) =>
      [...(row.split(' | ')[0] ?? '').matchAll(/`([\w.]+)\(/g)].map(([, name]) => name),
    );
    expect(listed.sort()).toEqual(kScriptNames.map(({ name }) => name).sort());
  });

  test('the array of the example grows in the three ways that it names', async () => {
    expect((await run(kExamples[1]?.text ?? '')).printed).toEqual([
      '2000 bytes: forward',
      '6000 bytes: backward',
      '20000 bytes: new',
    ]);
  });

  test('a block that moves is freed at its old place, and only its new address is held', async () => {
    const text =
      'const a = heap.allocate(100);\nheap.allocate(8);\nconst b = heap.expand(a, { minimum: 5000, move: true });\n';
    const { steps, error } = await run(`${text}heap.deallocate(b.address);\nheap.deallocate(a);`);
    const calls = steps.flatMap((step) => ('operation' in step ? [step.operation.op] : []));
    expect(calls).toEqual(['allocate', 'allocate', 'command', 'deallocate', 'deallocate']);
    expect(at(error)).toMatch(/^5:6 .*it was freed before$/);
  });

  test.each([
    ['', { shape: Shape.adaptive, nodesPerBlock: 256, maxFreeBlocks: 2, overheadPercent: 5 }],
    [
      ", nodesPerBlock: 10, maxFreeBlocks: 3, overheadPercent: 7, shape: 'segregated'",
      { shape: Shape.segregated, nodesPerBlock: 10, maxFreeBlocks: 3, overheadPercent: 7 },
    ],
  ])('makes a pool with the options that it names: %s', async (named, options) => {
    const { steps, error } = await run(`heap.createPool({ nodeSize: 24${named} });`);
    expect(error).toBeUndefined();
    expect(steps).toEqual([{ operation: { op: 'poolCreate', nodeSize: 24, ...options }, gave: undefined }]);
  });

  test('takes sizes up to the largest of 32 bits', async () => {
    const { steps, error } = await run('heap.trim(4294967295);');
    expect(error).toBeUndefined();
    expect(steps).toMatchObject([{ operation: { op: 'trim', pad: 0xffff_ffff } }]);
  });

  test('frees any number of blocks with one call, none too, and the page takes every step', async () => {
    const text = `const all = [];
for (let nth = 0; nth < 10_000; ++nth) all.push(heap.allocate(16));
heap.freeMany([]);
heap.freeMany(all);`;
    const { steps, error } = await run(text);
    expect(error).toBeUndefined();
    const note = { type: 'steps', steps };
    expect(readNote(JSON.stringify(note))).toEqual(note);
    const { frame } = await tell(steps);
    const empty = await tell((await run('heap.deallocate(heap.allocate(16))')).steps);
    expect(frame.status.inUse).toBe(empty.frame.status.inUse);
  });

  test('what the example leaks is in use at the end: 30 blocks more than with every block freed', async () => {
    const leaking = kExamples[2]?.text ?? '';
    const inUse = async (text: string) => (await tell((await run(text)).steps)).frame.status.inUse;
    const leaked = (await inUse(leaking)) - (await inUse(leaking.replace('if (i % 10 !== 0) ', '')));
    expect(leaked).toBeGreaterThanOrEqual(30 * 64);
    expect(leaked).toBeLessThan(30 * 200);
  });

  test('does the same each time, Math.random included', async () => {
    const text = 'for (let i = 0; i < 50; i++) heap.allocate(Math.floor(Math.random() * 1000));';
    const { random } = Math;
    expect((await run(text)).steps).toEqual((await run(text)).steps);
    expect(Math.random).toBe(random);
  });

  test('is told that its heap is another one when an address differs', async () => {
    const { steps } = await run('heap.allocate(10); heap.allocate(20)');
    const wrong = steps.map((step, nth) => ('gave' in step && nth === 1 ? { ...step, gave: 8 as never } : step));
    expect((await tell(wrong)).message).toMatch(/^allocate gave \d+ here and 8 to the script/);
  });
});

describe('an error is named at its line', () => {
  test.each([
    ['const a = 1;\nconst b = (;\n', '2:12 The script cannot be read: Unexpected token'],
    ['heap.allocate(1);\n\nnothing();', '3:1 ReferenceError: nothing is not defined'],
    [
      'let a = 1;\na = heap.allocate("ten");',
      '2:10 TypeError: heap.allocate: size is a whole number from 0 to 4294967295, not "ten"',
    ],
    [
      'function f() {\n  heap.deallocate(12);\n}\nf();',
      '2:8 TypeError: heap.deallocate(0x0000_000c): no block in use begins there',
    ],
    ['const a = malloc(10);\nheap.deallocate(a);', /^2:6 .*this block came from malloc\(\), freed by free\(\)$/],
    ['const a = heap.allocate(10);\nheap.deallocate(a);\nheap.deallocate(a);', /^3:6 .*it was freed before$/],
    ['heap.deallocate();', '1:6 TypeError: heap.deallocate takes the address of a block, not undefined'],
    ['heap.deallocate([12]);', '1:6 TypeError: heap.deallocate takes the address of a block, not an object'],
    [`${'\n'.repeat(11)}const b = (;`, '12:12 The script cannot be read: Unexpected token'],
    ['undeclared = 1;', '1:12 ReferenceError: undeclared is not defined'],
    ['heap.createPool({ nodeSize: 8, shape: "toString" })', /shape is one of adaptive, aligned_only, segregated/],
    ['}); self.close(); ({', /^1:1 The script cannot be read/],
  ])('%j', async (text, expected) => {
    const said = at((await run(text)).error);
    if (typeof expected === 'string') expect(said).toBe(expected);
    else expect(said).toMatch(expected);
  });

  test('memory that is exhausted is an error that a script may catch, and the failure is told', async () => {
    const text =
      'try { for (;;) heap.allocate(2 ** 28) } catch (e) { console.log(e.name, e.message) }\nheap.allocate(50)';
    const { error, printed, steps } = await run(text);
    expect(error).toBeUndefined();
    expect(printed).toEqual([
      'HeapError heap.allocate: out of memory: no free chunk fits and linear memory cannot grow',
    ]);
    expect(steps.filter((step) => 'operation' in step && step.gave === undefined)).toHaveLength(1);
  });

  test('more calls than are allowed end it, however it catches', async () => {
    const text = 'const a = [];\nfor (let i = 0; i < 60_000; i++) heap.deallocate(heap.allocate(8));';
    const { error, steps } = await run(text);
    expect(at(error)).toMatch(/^2:\d+ a script may make 100,000 calls/);
    expect(steps).toHaveLength(100_000);
  });
});

test('completion offers every call there is but former names, and no other', () => {
  const calls = createScriptHeap(
    () => ({ ok: true, status: 0, statusText: '', mems: [], received: 0, reused: false, pool: 1 }),
    () => {},
  );
  const named = (names: object, prefix = '') => Object.keys(names).map((name) => prefix + name);
  const { heap, ...rest } = calls;
  const there = [
    ...named(heap, 'heap.'),
    ...named(heap.createPool({ nodeSize: 8 }), 'pool.'),
    ...named(rest),
    'console.log',
  ];
  const former = ['heap.free', 'pool.free'];
  expect(there).toEqual(expect.arrayContaining(former));
  const current = there.filter((name) => !former.includes(name));
  expect(kScriptNames.map(({ name }) => name).sort()).toEqual(current.sort());
});

// A script can replace what its worker uses, and so pass on calls that it never made.
describe('calls that are passed on, but that no heap gave the block for', () => {
  const gave = undefined;
  test.each<[string, (first: number) => Operation, RegExp]>([
    ['a block that never was', () => ({ op: 'deallocate', mem: addr(0x400) }), /no block of the heap in use begins at/],
    [
      'an address outside',
      () => ({ op: 'deallocate', mem: addr(0xffff_fff0) }),
      /no block of the heap in use begins at/,
    ],
    ['an interior address', (first) => ({ op: 'deallocate', mem: addr(first + 16) }), /no block of the heap in use/],
    [
      'a block twice',
      (first) => ({ op: 'burstDeallocate', mems: [addr(first), addr(first)] }),
      /no block of the heap in/,
    ],
    [
      "another owner's block",
      (first) => ({ op: 'mallocFree', thread: undefined, mem: addr(first) }),
      /no block of malloc/,
    ],
    ['a resized stranger', () => ({ op: 'reallocate', mem: addr(64), size: bytes(9) }), /no block of the heap in use/],
    ['a pool that was not made', () => ({ op: 'poolAllocate', pool: 77, count: 1 }), /there is no pool 77/],
    ['a pool that was not made, destroyed', () => ({ op: 'poolDestroy', pool: 1 }), /there is no pool 1/],
  ])('%s: the run ends there, and the heap proves itself', async (_, forged, message) => {
    const { steps } = await run('heap.allocate(100);');
    const [first] = steps;
    if (first === undefined || !('operation' in first) || first.gave === undefined) throw new Error('no first call');
    const told = await tell([first, { operation: forged(first.gave), gave }, first]);
    expect(told.message).toMatch(message);
    expect(told.message).toMatch(/the run ends at this call$/);
    expect(told.frame.status.mismatch).toBeUndefined();
  });
});
