import { expect, test } from 'vitest';
import { bytes, seq } from '../../../web/src/base/brand.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';
import { decodeTraceFile, encodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { kWholeMap, makeEngine, partsIn, wanting } from './harness.ts';

async function recorded(scenario: string): Promise<{ readonly file: ArrayBuffer; readonly trace: Trace }> {
  const { run, ask } = makeEngine();
  await run(scenario);
  const { file } = await ask({ type: 'exportTrace' }, 'trace');
  const decoded = decodeTraceFile(file);
  if (!decoded.ok) throw new Error(decoded.error.message);
  return { file, trace: decoded.value.trace };
}

test('an exported trace opens to the same heap, and proves itself by its checkpoints', async () => {
  const live = makeEngine();
  await live.run('burst_list');
  const { file, name } = await live.ask({ type: 'exportTrace' }, 'trace');
  expect(name).toBe('burst_list.hgtrace');
  const there = await live.frame({ map: kWholeMap, ...wanting({ explain: true, lists: {} }) });
  const opened = makeEngine();
  const reply = await opened.ask({ type: 'openTrace', name, file }, 'opened');
  expect(reply.notice).toBeUndefined();
  const here = await opened.frame({ map: kWholeMap, ...wanting({ explain: true, lists: {} }) });
  expect(here.map?.chunks).toEqual(there.map?.chunks);
  expect(partsIn(here)).toEqual(partsIn(there));
  expect(partsIn(here).lists?.bins.length).toBeGreaterThan(0);
  expect(partsIn(here).explain).toBeDefined();
  expect(here.status).toMatchObject({ live: false, mismatch: undefined, verifiedAt: here.status.head });
  expect(await opened.refused({ type: 'operate', heap: 0, operation: { op: 'trim', pad: bytes(0) } })).toMatch(
    /a trace without its heap/,
  );
});

test('an event that does not fit stops the model there, and everything before it can be seen', async () => {
  const { trace } = await recorded('burst_list');
  const broken = new Trace();
  const at = 1000;
  for (let n = 0; n < 3000; ++n) {
    if (n === at) broken.appendEvent(headOf(EventKind.chunkReleased, 1), 0x4, 64, 0);
    broken.appendEvent(trace.head(n), trace.a(n), trace.b(n), trace.c(n));
  }
  const { ask, frame } = makeEngine();
  const file = encodeTraceFile(broken, 4, {});
  const opened = await ask({ type: 'openTrace', name: 'broken', file }, 'opened');
  expect(opened.notice).toBe('event 1000 does not fit the model: heap 1 has nothing at 4');
  const { status } = await frame();
  expect([status.head, status.mismatch]).toEqual([at, opened.notice]);
});

test('a wrong hash in a checkpoint is a mismatch', async () => {
  const { trace } = await recorded('burst_list');
  const wrong = new Trace();
  for (let n = 0; n < trace.count; ++n) {
    const off = trace.kind(n) === EventKind.checkpoint ? 1 : 0;
    wrong.appendEvent(trace.head(n), trace.a(n) ^ off, trace.b(n), trace.c(n));
  }
  const { ask } = makeEngine();
  const opened = await ask({ type: 'openTrace', name: 'x', file: encodeTraceFile(wrong, 4, {}) }, 'opened');
  expect(opened.notice).toMatch(/the hash of heap 1's walk differs/);
});

test('events appended in parts give what the whole gives', async () => {
  const { file, trace } = await recorded('burst_list');
  const whole = makeEngine();
  await whole.ask({ type: 'openTrace', name: 'whole', file }, 'opened');
  const parts = makeEngine();
  await parts.ask({ type: 'openTrace', name: 'parts', file: encodeTraceFile(new Trace(), 4, {}) }, 'opened');
  const words = trace.segment(0)?.slice(0, trace.count * 4) ?? new Uint32Array(0);
  for (let from = 0; from < words.length; from += 4 * 777) {
    const records = words.slice(from, from + 4 * 777).buffer;
    await parts.ask({ type: 'appendEvents', records }, 'opened');
  }
  const [one, other] = [await whole.frame({ map: kWholeMap }), await parts.frame({ map: kWholeMap })];
  expect(other.map?.chunks).toEqual(one.map?.chunks);
  expect(other.status.verifiedAt).toEqual(one.status.verifiedAt);
  expect(await parts.refused({ type: 'appendEvents', records: new ArrayBuffer(15) })).toMatch(/no whole number/);
});

test('events that do not fit the model are told with the batch in which they came', async () => {
  const { ask } = makeEngine();
  await ask({ type: 'openStream', name: 'a program' }, 'opened');
  const append = async (...words: number[]) =>
    (await ask({ type: 'appendEvents', records: Uint32Array.from(words).buffer }, 'opened')).notice;
  const created = [headOf(EventKind.heapCreated, 1, 4), 0x1000, 8, 0];
  expect(await append(...created)).toBeUndefined();
  expect(await append(...created)).toMatch(/^event 1 does not fit the model: heap 1 exists already/);
  expect(await append(headOf(EventKind.mark, 0), 0, 0, 0)).toMatch(/^event 1 does not fit/);
});

test('a file that is no trace is refused with its name', async () => {
  const { refused, frame } = makeEngine();
  expect(await refused({ type: 'openTrace', name: 'cat.png', file: new ArrayBuffer(64) })).toMatch(
    /^cat\.png: this is not a heapglass trace/,
  );
  expect((await frame()).status.isTrace).toBe(false);
  const cut = encodeTraceFile((await recorded('burst_list')).trace, 4, {}).slice(0, 64);
  expect(await refused({ type: 'openTrace', name: 'cut', file: cut })).toMatch(/^cut: /);
  expect((await frame()).status.isTrace).toBe(true);
});

test('steps by operation and by event move where they say', async () => {
  const { run, frame } = makeEngine();
  await run('burst_list');
  const to = async (from: number, unit: 'event' | 'operation', by: number) =>
    (await frame({ at: { to: 'step', from: seq(from), unit, by } })).status;
  expect((await to(500, 'event', -1)).seq).toBe(499);
  expect((await to(0, 'event', -5)).seq).toBe(0);
  const next = await to(500, 'operation', 1);
  const after = await to(next.seq, 'operation', 1);
  expect(after.operations).toBe(next.operations + 1);
  expect((await to(after.seq, 'operation', -1)).seq).toBe(next.seq);
});
