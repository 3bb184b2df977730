// What is read from a trace is what the program asked for: compared with the list that was played, and with what a caller
// of every kind of call counted itself.

import { expect, test } from 'vitest';
import { EventKind, Op } from '../../web/src/protocol/event_layout.ts';
import { bitsOfWord, kindOfWord, OperationKind, OperationList } from '../../web/src/replay/operation_list.ts';
import { operationsOfTrace } from '../../web/src/replay/operations_of_trace.ts';
import { endingOf } from '../../web/src/replay/player.ts';
import { countOperations } from '../../web/src/replay/program_facts.ts';
import { siteStacks } from '../../web/src/replay/site_stacks.ts';
import { replayOperations } from '../../web/src/replay/traced_replay.ts';
import { textRecords } from '../../web/src/trace/texts.ts';
import { detailOf, headOf, Trace } from '../../web/src/trace/trace.ts';
import { playCounted } from '../web/report/counted_heap.ts';
import { randomOperations } from './random_operations.ts';

test.each([1, 2])('the operations of a trace are those that were played (seed %i)', async (seed) => {
  const words = randomOperations(seed, 4000);
  const { trace } = await replayOperations(words);
  const read = operationsOfTrace({ trace, wordSize: 4 });
  expect(read.notices).toEqual([]);
  expect([...read.words]).toEqual([...words]);
  expect(read.events).toHaveLength(words.length / 2);
  for (let i = 1; i < read.events.length; ++i) {
    expect(read.events[i]).toBeGreaterThanOrEqual(read.events[i - 1] ?? 0);
  }
});

test('pools, bursts and expansions become blocks: as many, and as many bytes, as the caller counted', async () => {
  const { file, counted } = await playCounted(7, 5000);
  const { words, notices } = operationsOfTrace(file);
  expect(notices).toEqual([]);
  const { program } = countOperations(words);
  expect(program).toMatchObject({
    peak_live_bytes: counted.peakBytes,
    end_live_bytes: counted.liveBytes,
    reallocs: counted.resizes,
    mallocs: counted.allocations - program.aligned,
    frees: counted.frees,
  });
});

test('no more alignment is asked for than the block of the trace had', async () => {
  const list = new OperationList();
  for (let id = 0; id < 20; ++id) list.add(OperationKind.aligned, id, 100, 16 << (id % 5));
  const { trace } = await replayOperations(list.words());
  const damaged = new Trace();
  const addresses: number[] = [];
  for (let event = 0; event < trace.count; ++event) {
    const head = trace.head(event);
    const begins = trace.kind(event) === EventKind.opBegun && detailOf(head) === Op.allocateAligned;
    if (trace.kind(event) === EventKind.opEnded && detailOf(head) === Op.allocateAligned)
      addresses.push(trace.a(event));
    damaged.appendEvent(head, trace.a(event), trace.b(event), begins ? 0x7fff_0001 : trace.c(event));
  }
  const { words } = operationsOfTrace({ trace: damaged, wordSize: 4 });
  expect(addresses).toHaveLength(20);
  for (const [nth, address] of addresses.entries()) {
    const had = address & -address;
    expect(kindOfWord(words[2 * nth] ?? 0)).toBe(had > 8 ? OperationKind.aligned : OperationKind.malloc);
    expect(2 ** bitsOfWord(words[2 * nth] ?? 0)).toBe(had > 8 ? had : 1);
  }
});

test('each operation has the site that was entered for it, and a site its stack', async () => {
  const list = new OperationList();
  for (let id = 0; id < 50; ++id) list.add(OperationKind.malloc, id, 100_000 + id); // none of a cache: each begins an operation
  const { trace } = await replayOperations(list.words());
  const sited = new Trace();
  for (const [number, name] of ['main@a.c:9', 'parse@b.c:3'].entries()) {
    sited.append(textRecords(name));
    sited.appendEvent(headOf(EventKind.stringDefined, 0), number + 1, 0, 0);
    sited.appendEvent(headOf(EventKind.siteDefined, 0), number + 1, number, number + 1);
  }
  let depth = 0;
  let entered = 0;
  for (let event = 0; event < trace.count; ++event) {
    const kind = trace.kind(event);
    if (kind === EventKind.opBegun && depth++ === 0 && detailOf(trace.head(event)) === Op.allocate) {
      if (entered++ % 2 === 0) sited.appendEvent(headOf(EventKind.siteEntered, 0), 2, 0, 0);
    }
    if (kind === EventKind.opEnded) depth -= 1;
    sited.appendEvent(trace.head(event), trace.a(event), trace.b(event), trace.c(event));
  }
  const { sites } = operationsOfTrace({ trace: sited, wordSize: 4 });
  expect([...sites]).toEqual(Array.from({ length: 50 }, (_, nth) => (nth % 2 === 0 ? 2 : 0)));
  expect(siteStacks(sited)(2)).toEqual(['parse@b.c:3', 'main@a.c:9']);
  expect(siteStacks(sited)(0)).toEqual([]);
});

test('what is live at the end is freed by the ending, and nothing else', () => {
  const words = randomOperations(9, 500);
  const { program } = countOperations(words);
  expect(program.end_live_bytes).toBeGreaterThan(0);
  const both = Uint32Array.of(...words, ...endingOf(words));
  expect(countOperations(both).program).toMatchObject({ end_live_bytes: 0, frees: program.mallocs + program.aligned });
});

test('lost events are said, and frees of unknown blocks are left out', async () => {
  const { trace } = await replayOperations(randomOperations(4, 300));
  const late = new Trace();
  late.appendEvent(headOf(EventKind.eventsLost, 0), 50, 0, 0);
  for (let event = 1000; event < trace.count; ++event) {
    late.appendEvent(trace.head(event), trace.a(event), trace.b(event), trace.c(event));
  }
  const { words, notices } = operationsOfTrace({ trace: late, wordSize: 4 });
  expect(notices.join()).toMatch(/50 events were lost.*frees are of blocks that this trace did not see allocated/);
  const { program } = countOperations(words);
  expect(program.frees).toBeLessThanOrEqual(program.mallocs + program.aligned);
});

test('a copy moves bytes between blocks, and no block gets larger by it', () => {
  const list = new OperationList();
  list.add(OperationKind.node, 0, 40);
  list.add(OperationKind.copy, 0, 3000);
  list.add(OperationKind.nodeFree, 0, 0);
  expect(countOperations(list.words())).toMatchObject({
    program: { operations: 3, mallocs: 1, frees: 1, peak_live_bytes: 40, peak_live_blocks: 1, end_live_bytes: 0 },
    live: [40, 40, 0],
  });
});
