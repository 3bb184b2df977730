// The operation around a moment: what it is called, which of its events are listed, and what stands outside of every operation.

import { expect, test } from 'vitest';
import { History } from '../../../../web/src/model/time/history.ts';
import { explainOperation } from '../../../../web/src/model/words/explain.ts';
import { EventKind, Op, Status } from '../../../../web/src/protocol/event_layout.ts';
import { MarkCode, textRecords } from '../../../../web/src/trace/texts.ts';
import { headOf } from '../../../../web/src/trace/trace.ts';
import { begin, cache, done, kSixChunks, reuse } from '../cached_events.ts';
import { type Line, traceOf } from '../small_events.ts';

const kFirst = kSixChunks.length; // the number behind them
const mem = '0x0001_0010'; // of the first chunk: its address and a word

function told(...lines: readonly Line[]): History {
  const history = new History(traceOf([...kSixChunks, ...lines]));
  history.fold();
  expect(history.broken).toBeUndefined();
  return history;
}
const plain = (text: string | undefined) => text?.replaceAll('\u202f', ' ');
const titleAt = (history: History, at: number) => plain(explainOperation(history, at)?.title);
const titleOf = (...lines: readonly Line[]) => titleAt(told(...lines), kFirst + lines.length);
const ended = (op: Op, address: number, received = 0, status: number = Status.ok): Line => [
  EventKind.opEnded,
  op,
  address,
  received,
  status,
];

test('a call is called by what it asked, where it gives a block by that, and by how it ended', () => {
  const ask = begin(Op.allocate, 0, 60);
  expect(titleOf(ask, ended(Op.allocate, 0x10010, 68))).toBe(`allocate 60 B: ${mem}`);
  expect(titleOf(ask, ended(Op.allocate, 0))).toBe('allocate 60 B');
  expect(titleOf(ask, ended(Op.allocate, 0, 0, Status.outOfMemory))).toBe('allocate 60 B: failed');
  expect(titleOf(ask)).toBe('allocate 60 B (under way)');
  const trim = titleOf(begin(Op.trim), ended(Op.trim, 0x10010));
  expect(trim).not.toContain(mem); // it gives no block
});

test('amid a call it is under way, though the trace goes on', () => {
  const history = told(
    begin(Op.allocate, 0, 60),
    [EventKind.binSearched, 6, 72, 72, 1],
    ended(Op.allocate, 0x10010, 68),
  );
  expect([1, 2, 3].map((more) => titleAt(history, kFirst + more))).toEqual([
    'allocate 60 B (under way)',
    'allocate 60 B (under way)',
    `allocate 60 B: ${mem}`,
  ]);
});

test("what malloc does alone with its cache is a call of one event, by the block's own address", () => {
  expect(titleOf(cache(0))).toBe(`free the block at ${mem}`);
  expect(titleOf(cache(0), reuse(0, 50))).toBe(`allocate 50 B: ${mem}`);
});

test('between two calls the one before is explained, and before the first none', () => {
  const history = told(begin(Op.trim), done(Op.trim), cache(0), begin(Op.allocate, 0, 60));
  expect(titleAt(history, kFirst + 3)).toBe(`free the block at ${mem}`);
  expect(titleAt(history, kFirst + 4)).toBe('allocate 60 B (under way)');
  expect(explainOperation(history, 0)).toBeUndefined();
});

test('the lines of a call are its events, each as deep as the calls around it', () => {
  const lines: readonly Line[] = [
    begin(Op.mallocFlush),
    begin(Op.trim),
    [EventKind.binSearched, 6, 72, 72, 1],
    done(Op.trim),
    done(Op.mallocFlush),
  ];
  const explain = explainOperation(told(...lines), kFirst + 3);
  expect(explain?.lines.map(({ seq, depth }) => [seq - kFirst, depth])).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 1],
    [5, 0],
  ]);
});

test('of a call of many events 160 are listed, those around the moment', () => {
  const search: Line = [EventKind.binSearched, 6, 72, 72, 1];
  const history = told(begin(Op.trim), ...Array.from({ length: 398 }, () => search), done(Op.trim));
  const listed = (at: number) => {
    const lines = explainOperation(history, kFirst + at)?.lines ?? [];
    return [(lines[0]?.seq ?? 0) - kFirst, (lines.at(-1)?.seq ?? 0) - kFirst, lines[0]?.depth, lines.at(-1)?.depth];
  };
  expect(listed(1)).toEqual([1, 160, 0, 1]);
  expect(listed(81)).toEqual([1, 160, 0, 1]);
  expect(listed(200)).toEqual([120, 279, 1, 1]);
  expect(listed(400)).toEqual([241, 400, 1, 0]);
});

test('a mark with a name and what a host did are told alone, and a mark without a name is not', () => {
  const trace = traceOf([...kSixChunks, begin(Op.trim), done(Op.trim)]);
  trace.append(textRecords('half way'));
  trace.appendEvent(headOf(EventKind.mark, 0, MarkCode.named), 0, 0, 0);
  const named = trace.count;
  trace.appendEvent(headOf(EventKind.stateKept, 0), 1, 0, 0);
  trace.appendEvent(headOf(EventKind.mark, 0), 1, 0, 0);
  const history = new History(trace);
  history.fold();
  const at = (moment: number) => {
    const explain = explainOperation(history, moment);
    return [explain?.title, explain?.lines.map(({ seq }) => seq), explain?.prose[0]?.text];
  };
  expect(at(named)).toEqual(['mark: half way', [named], expect.stringContaining('changes nothing in the heap')]);
  expect(at(named + 1)).toEqual([expect.any(String), [named + 1], expect.stringContaining('kept a copy')]);
  expect(explainOperation(history, named + 2)?.lines.map(({ seq }) => seq)).not.toEqual([named + 2]);
});
