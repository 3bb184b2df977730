// Which functions pass on what others ask of malloc, and that a stack's own frame is then the one that asked.

import { expect, test } from 'vitest';
import { History } from '../../../../web/src/model/time/history.ts';
import { ownFrameAt } from '../../../../web/src/model/time/own_frames.ts';
import { siteTreeOf } from '../../../../web/src/model/time/site_tree.ts';
import { type AskedFor, findWrappers, functionOf } from '../../../../web/src/model/time/wrappers.ts';
import { EventKind, Op } from '../../../../web/src/protocol/event_layout.ts';
import { headOf, Trace } from '../../../../web/src/trace/trace.ts';
import { SiteWriter } from '../sited_trace.ts';

/** Calls through `inner`, by `callers` functions for `sizes` sizes. */
const through = (inner: readonly string[], count: number, callers = 4, sizes = 8): AskedFor[] =>
  Array.from({ length: count }, (_, nth) => ({
    stack: ['malloc', ...inner, `asks_${nth % callers}@a.c:${nth}`, 'main@a.c:1'],
    bytes: 16 + (nth % sizes),
  }));
const others = (count: number): AskedFor[] =>
  Array.from({ length: count }, () => ({ stack: ['malloc', 'load@a.c:7', 'main@a.c:1'], bytes: 40 }));
const found = (calls: readonly AskedFor[]) => [...findWrappers(calls)];

test('what half of all calls and more come through, for several functions and sizes, and says so by its name', () => {
  expect(found(through(['xmalloc@x.c:3'], 200))).toEqual(['xmalloc@x.c']);
  expect(found([...through(['xmalloc@x.c:3'], 150), ...others(150)])).toEqual(['xmalloc@x.c']);
  expect(found([...through(['xmalloc@x.c:3'], 149), ...others(151)])).toEqual([]);
  expect(found(through(['xmalloc@x.c:3'], 199))).toEqual([]); // too few calls
  expect(found(through(['xmalloc@x.c:3'], 400, 2))).toEqual([]); // asks_0, asks_1, main
  expect(found(through(['xmalloc@x.c:3'], 400, 3))).toEqual(['xmalloc@x.c']);
  expect(found(through(['alloc_node@x.c:3'], 400, 4, 7))).toEqual([]);
  expect(found(through(['read_all@alloc.c:3'], 400))).toEqual([]);
  expect(found(through(['ns::Pool<Alloc>::take(int)@x.c:3'], 400))).toEqual([]);
  expect(found(through(['ns::Pool<int>::Alloc(int)@x.c:3'], 400))).toEqual(['ns::Pool<int>::Alloc(int)@x.c']);
});

test('a wrapper around a wrapper is one, whatever lines the frames name', () => {
  const calls = through(['raw_alloc@x.c:3', 'heap_alloc@y.c:9'], 400).map((call, nth) => ({
    ...call,
    stack: call.stack.map((frame) => frame.replace('x.c:3', `x.c:${nth % 3}`)),
  }));
  expect(found(calls)).toEqual(['raw_alloc@x.c', 'heap_alloc@y.c']);
  expect(functionOf('wasm-function[50]:0x785a')).toBe('wasm-function[50]@');
});

/** A trace whose calls all go through xmalloc, and one site more. */
function recorded(calls: number): { readonly trace: Trace; readonly writer: SiteWriter } {
  const writer = new SiteWriter(new Trace());
  more(writer, 0, calls);
  return { trace: writer.trace, writer };
}

function more(writer: SiteWriter, from: number, calls: number): void {
  for (let nth = from; nth < from + calls; ++nth) {
    writer.enter(['main@a.c:1', `asks_${nth % 5}@a.c:9`, 'xmalloc@x.c:3', 'malloc']);
    writer.trace.appendEvent(headOf(EventKind.opBegun, 0, Op.allocate), 0, 16 + (nth % 9), 0);
    writer.trace.appendEvent(headOf(EventKind.opEnded, 0, Op.allocate), 0, 0, 0);
  }
}

test('a stack has it marked, and its own frame is the one that asked; other tools get it as it was written', () => {
  const { trace } = recorded(300);
  const { sites, ...history } = folded(trace);
  expect(history.broken).toBeUndefined();
  expect(sites.stack(4)).toEqual(['malloc', '(wraps malloc) xmalloc@x.c:3', 'asks_0@a.c:9', 'main@a.c:1']);
  expect(sites.plainStack(4)).toEqual(['malloc', 'xmalloc@x.c:3', 'asks_0@a.c:9', 'main@a.c:1']);
  expect(ownFrameAt(sites, 4)).toBe('asks_0@a.c:9');
  const tree = siteTreeOf(sites, false);
  expect(tree.node(tree.of(4)).frame).toBe('asks_0@a.c:9');
});

test('while a trace grows it is looked for again, and what was derived from frames is derived anew', () => {
  const { trace, writer } = recorded(190);
  const history = folded(trace);
  const { sites } = history;
  expect(ownFrameAt(sites, 4)).toBe('xmalloc@x.c:3');
  const before = siteTreeOf(sites, false);
  expect(before.node(before.of(4)).frame).toBe('xmalloc@x.c:3');
  more(writer, 190, 20);
  history.fold();
  expect(ownFrameAt(sites, 4)).toBe('xmalloc@x.c:3'); // a tenth more is not looked at
  history.settle();
  expect(ownFrameAt(sites, 4)).toBe('asks_0@a.c:9');
  const after = siteTreeOf(sites, false);
  expect(after.node(after.of(4)).frame).toBe('asks_0@a.c:9');
  const { generation } = sites;
  more(writer, 210, 100);
  history.fold();
  expect(sites.generation).toBe(generation); // the same ones
});

function folded(trace: Trace): History {
  const history = new History(trace);
  history.fold();
  return history;
}
