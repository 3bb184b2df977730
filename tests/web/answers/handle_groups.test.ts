// Handles that nobody deleted, by the class and the line that made them: their order, and what a line of text calls them.

import { expect, test } from 'vitest';
import { handlesOf, spokenGroup } from '../../../web/src/answers/handles.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import { EventKind, Op } from '../../../web/src/protocol/event_layout.ts';
import { type HandleMark, handleMarkText } from '../../../web/src/trace/handle_marks.ts';
import { MarkCode, textRecords } from '../../../web/src/trace/texts.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';

/** A program that allocates a block of each handle, and makes the handle then. */
function modelOf(classes: readonly (readonly [className: string, sizes: readonly number[]])[]): Model {
  const trace = new Trace();
  const add = (kind: EventKind, detail: number, a: number, b: number, c = 0) =>
    trace.appendEvent(headOf(kind, 1, detail), a, b, c);
  const mark = (handle: HandleMark) => {
    trace.append(textRecords(handleMarkText(handle)));
    trace.appendEvent(headOf(EventKind.mark, 0, MarkCode.named), 0, 0, 0);
  };
  add(EventKind.heapCreated, 0, 0, 8);
  add(EventKind.segmentAdded, 0, 0, 1 << 20);
  let handle = 0;
  for (const [nth, [className, sizes]] of classes.entries()) {
    const origin = nth + 1;
    mark({ is: 'origin', origin, pointsTo: 'inside', className });
    for (const size of sizes) {
      handle += 1;
      const address = 4096 * handle;
      add(EventKind.opBegun, Op.allocate, 0, size);
      add(EventKind.blockAllocated, 0, address, size, 8);
      add(EventKind.opEnded, Op.allocate, address, size);
      mark({ is: 'made', handle, origin, address, smart: 0, isEarlier: false });
    }
  }
  const model = new Model(trace);
  model.history.fold();
  expect(model.history.broken).toBeUndefined();
  return model;
}

/** A handle to a block, and whether another block takes its place before the end. */
function modelOfOne(isReplaced: boolean): Model {
  const trace = new Trace();
  const add = (kind: number, detail: number, a: number, b: number, c = 0) =>
    trace.appendEvent(headOf(kind as EventKind, 1, detail), a, b, c);
  const mark = (handle: HandleMark) => {
    trace.append(textRecords(handleMarkText(handle)));
    trace.appendEvent(headOf(EventKind.mark, 0, MarkCode.named), 0, 0, 0);
  };
  const allocate = () => {
    add(EventKind.opBegun, Op.allocate, 0, 100);
    add(EventKind.blockAllocated, 0, 4096, 100, 8);
    add(EventKind.opEnded, Op.allocate, 4096, 100);
  };
  add(EventKind.heapCreated, 0, 0, 8);
  add(EventKind.segmentAdded, 0, 0, 1 << 20);
  allocate();
  mark({ is: 'origin', origin: 1, pointsTo: 'inside', className: 'One' });
  mark({ is: 'made', handle: 1, origin: 1, address: 4096, smart: 0, isEarlier: false });
  if (isReplaced) {
    add(EventKind.opBegun, Op.deallocate, 4096, 0);
    add(EventKind.blockFreed, 0, 4096, 100, 8);
    add(EventKind.opEnded, Op.deallocate, 4096, 0);
    allocate();
  }
  const model = new Model(trace);
  model.history.fold();
  expect(model.history.broken).toBeUndefined();
  return model;
}

const figuresOf = (model: Model) => {
  const to = model.history.trace.count;
  return handlesOf(model.history, model.at(to).state, { from: 0, to });
};

test('groups are in the order of their bytes, then of their handles, then of their first event', () => {
  const model = modelOf([
    ['One', [100]],
    ['Large', [300]],
    ['Later', [100]],
    ['Two', [50, 50]],
    ['Small', [20, 20, 20]],
    ['Largest', [301]],
  ]);
  const { groups, handles, size_bytes } = figuresOf(model);
  expect(groups.map(({ class: name, handles: of, size_bytes: bytes }) => [name, of, bytes])).toEqual([
    ['Largest', 1, 301],
    ['Large', 1, 300],
    ['Two', 2, 100],
    ['One', 1, 100],
    ['Later', 1, 100],
    ['Small', 3, 60],
  ]);
  expect([handles, size_bytes]).toEqual([9, 961]);
});

test('a class is called by its name, and one without a name is said to have none', () => {
  const { groups } = figuresOf(
    modelOf([
      ['Counter', [40]],
      ['', [20]],
    ]),
  );
  const [named, nameless] = groups;
  if (named === undefined || nameless === undefined) throw new Error('there are two groups');
  expect(groups.map(spokenGroup)).toEqual(['`Counter`', 'a class without a name']);
  const made = { ...nameless, function: 'main', file: 'src/app.ts', line: 12 };
  expect(spokenGroup(made)).toBe('a class without a name made by main (app.ts:12)');
  expect(spokenGroup({ ...named, function: 'main' })).toBe('`Counter` made by main');
});

test("a block that took the place of a handle that was left is not the handle's", () => {
  const blocksOf = (isReplaced: boolean) => figuresOf(modelOfOne(isReplaced)).groups.map(({ blocks }) => blocks);
  expect([blocksOf(false), blocksOf(true)]).toEqual([[1], []]);
});
