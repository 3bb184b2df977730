// What a trace that begins late gets of the handles that came before it (record.K4, left_handles.1).

import { expect, test } from 'vitest';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import { makeDefinitions } from '../../web/src/record/definitions.ts';
import { makeLeftHandles } from '../../web/src/record/left_handles.ts';
import { type HandleMark, handleMarkText, readHandleMark } from '../../web/src/trace/handle_marks.ts';
import { MarkCode, textOfRecords, textRecords } from '../../web/src/trace/texts.ts';
import { headOf, kindOf } from '../../web/src/trace/trace.ts';

const kHeader = 4;
const marked = (mark: HandleMark): number[] => [
  ...textRecords(handleMarkText(mark)),
  ...[headOf(EventKind.mark, 0), MarkCode.named, 0, 0],
];
const allocated = (kind: EventKind, address: number) => [headOf(kind, 1), address - kHeader, 32, 24];
const origin = marked({ is: 'origin', origin: 1, pointsTo: 'pointer', className: 'Counter' });
const made = (handle: number, address: number) =>
  marked({ is: 'made', handle, origin: 1, address, smart: 0, isEarlier: false });

/** The handles that are given again behind these records. */
function handlesAfter(...records: readonly number[][]): number[] {
  const definitions = makeDefinitions();
  definitions.take(Uint32Array.from(records.flat()), 0, 0);
  const handles: number[] = [];
  let texts: Uint32Array[] = [];
  for (const packet of definitions.before(1_000_000)) {
    for (let at = 0; at < packet.length; at += 4) {
      const record = packet.subarray(at, at + 4);
      const kind = kindOf(record[0] ?? 0);
      if (kind === EventKind.text) texts.push(record);
      if (kind !== EventKind.mark) continue;
      const read = readHandleMark(textOfRecords(texts));
      if (read?.is === 'made') handles.push(read.handle);
      texts = [];
    }
  }
  return handles;
}

test('a handle with a plain pointer is kept when its block was allocated in the call before it, fresh or from a cache', () => {
  for (const kind of [EventKind.chunkTaken, EventKind.chunkReused])
    expect(handlesAfter(origin, allocated(kind, 0x1000), made(1, 0x1000))).toEqual([1]);
  expect(handlesAfter(origin, allocated(EventKind.chunkReleased, 0x1000), made(1, 0x1000)), 'freed').toEqual([]);
  expect(handlesAfter(origin, allocated(EventKind.chunkTaken, 0x2000), made(1, 0x1000)), 'another block').toEqual([]);
  expect(handlesAfter(origin, made(1, 0x1000))).toEqual([]);
});

test('what was allocated before the last handle is no block of the next one', () => {
  const blocks = [...allocated(EventKind.chunkTaken, 0x1000), ...allocated(EventKind.chunkTaken, 0x2000)];
  expect(handlesAfter(origin, blocks, made(1, 0x1000), made(2, 0x2000))).toEqual([1]);
  const fresh = allocated(EventKind.chunkTaken, 0x2000);
  expect(handlesAfter(origin, blocks, made(1, 0x1000), fresh, made(2, 0x2000))).toEqual([1, 2]);
});

const kBlock = allocated(EventKind.chunkTaken, 0x1000);
const ended = (is: 'deleted' | 'collected', handle: number) => marked({ is, handle });

test('a handle that was deleted or collected is given no more', () => {
  for (const is of ['deleted', 'collected'] as const) {
    expect(handlesAfter(origin, kBlock, made(1, 0x1000), ended(is, 1))).toEqual([]);
    expect(handlesAfter(origin, kBlock, made(1, 0x1000), ended(is, 2))).toEqual([1]);
  }
});

test('a second handle of a block is kept as the first one is, and outlives it', () => {
  const two = [kBlock, made(1, 0x1000), made(2, 0x1000)];
  expect(handlesAfter(origin, ...two)).toEqual([1, 2]);
  expect(handlesAfter(origin, ...two, ended('deleted', 1))).toEqual([2]);
  expect(handlesAfter(origin, ...two, ended('deleted', 1), made(3, 0x1000))).toEqual([2, 3]);
  const none = [...two, ended('deleted', 1), ended('deleted', 2), made(3, 0x2000)];
  expect(handlesAfter(origin, ...none, made(4, 0x1000)), 'all of its handles have ended').toEqual([]);
});

test('a class that JavaScript derives passes the block from the handle of its base to its own, at once', () => {
  const base = [kBlock, made(1, 0x1000), ended('deleted', 1)];
  expect(handlesAfter(origin, ...base, made(2, 0x1000))).toEqual([2]);
  expect(handlesAfter(origin, ...base, made(2, 0x2000), made(3, 0x1000)), 'not at once').toEqual([]);
  expect(handlesAfter(origin, ...base, made(2, 0x2000)), 'another block').toEqual([]);
});

test('an origin or a frame of it between a block and its handle does not part them', () => {
  const other = marked({ is: 'origin', origin: 2, pointsTo: 'inside', className: 'Other' });
  const frame = marked({ is: 'frame', origin: 1, nth: 0, frame: 'main@app.js:1' });
  expect(handlesAfter(origin, kBlock, other, frame, made(1, 0x1000))).toEqual([1]);
});

test('a handle that points inside its block is kept, whenever the block was allocated', () => {
  const inside = marked({ is: 'origin', origin: 1, pointsTo: 'inside', className: 'Shared' });
  expect(handlesAfter(inside, made(1, 0x1000), made(2, 0x1000), ended('deleted', 1))).toEqual([2]);
});

test('a copy stays as it was when the original goes on', () => {
  const handles = makeLeftHandles();
  const take = (mark: HandleMark, at: number) =>
    handles.take(
      [textRecords(handleMarkText(mark))],
      Uint32Array.of(headOf(EventKind.mark, 0), 0, 0, 0),
      at,
      () => true,
    );
  take({ is: 'origin', origin: 1, pointsTo: 'pointer', className: 'Counter' }, 0);
  take({ is: 'made', handle: 1, origin: 1, address: 0x1000, smart: 0, isEarlier: false }, 1);
  const copy = handles.copy();
  const before = [...copy.before(100)];
  take({ is: 'origin', origin: 2, pointsTo: 'pointer', className: 'Other' }, 2);
  take({ is: 'made', handle: 2, origin: 2, address: 0x2000, smart: 0, isEarlier: false }, 3);
  take({ is: 'deleted', handle: 1 }, 4);
  expect(copy.before(100)).toEqual(before);
  expect(handles.before(100)).not.toEqual(before);
});

test('a name is given to a trace that begins behind it, and not to one that has it itself', () => {
  const name = [...textRecords('grow'), headOf(EventKind.stringDefined, 0), 1, 0, 0];
  const site = [headOf(EventKind.siteDefined, 0), 1, 0, 1];
  const other = [...allocated(EventKind.chunkTaken, 0x1000), ...allocated(EventKind.chunkTaken, 0x2000)];
  const definitions = makeDefinitions();
  definitions.take(Uint32Array.from([...other, ...name, ...site]), 98, 2); // two of others before: the name begins at 98
  const given = (first: number) => definitions.before(first).map((record) => kindOf(record[0] ?? 0));
  expect(given(98)).toEqual([]);
  expect(given(98 + name.length / 4)).toEqual([EventKind.text, EventKind.stringDefined]);
  expect(given(1000)).toEqual([EventKind.text, EventKind.stringDefined, EventKind.siteDefined]);
});

test('an origin of handles, and a handle, are given to a trace that begins behind their marks', () => {
  const records = [...allocated(EventKind.chunkTaken, 0x1000), ...origin, ...kBlock, ...made(1, 0x1000)];
  const definitions = makeDefinitions();
  definitions.take(Uint32Array.from(records), 98, 1); // one of others before
  const ofOrigin = 98 + origin.length / 4 - 1;
  const ofHandle = 98 + records.length / 4 - 2;
  const marks = (first: number) =>
    definitions.before(first).filter((record) => kindOf(record.at(-4) ?? 0) === EventKind.mark).length;
  expect([ofOrigin, ofOrigin + 1, ofHandle, ofHandle + 1].map(marks)).toEqual([0, 1, 1, 2]);
});
