// Marks of handles are no marks of the program: the time line has the others alone.

import { expect, test } from 'vitest';
import { createRandom } from '../../../../web/src/base/random.ts';
import { History } from '../../../../web/src/model/time/history.ts';
import { EventKind } from '../../../../web/src/protocol/event_layout.ts';
import { type HandleMark, handleMarkText } from '../../../../web/src/trace/handle_marks.ts';
import { MarkCode, nameOfMark, textRecords } from '../../../../web/src/trace/texts.ts';
import { headOf, Trace } from '../../../../web/src/trace/trace.ts';

test('a mark of a handle is not among the marks, and a named one is', () => {
  const trace = new Trace();
  const mark = (text: string) => {
    trace.append(textRecords(text));
    trace.appendEvent(headOf(EventKind.mark, 0, MarkCode.named), 0, 0, 0);
  };
  const handles: readonly HandleMark[] = [
    { is: 'origin', origin: 1, pointsTo: 'inside', className: 'Counter' },
    { is: 'made', handle: 1, origin: 1, address: 0x1000, smart: 0, isEarlier: false },
    { is: 'deleted', handle: 1 },
  ];
  mark('first');
  for (const handle of handles) mark(handleMarkText(handle));
  mark('last');
  const history = new History(trace);
  history.fold();
  expect(history.broken).toBeUndefined();
  expect([...history.marks.slice()].map((event) => nameOfMark(trace, event))).toEqual(['first', 'last']);
});

test('which handles were made, open and collected at any moment is what a list of them says', () => {
  const { below } = createRandom(9);
  const trace = new Trace();
  const mark = (handle: HandleMark) => {
    trace.append(textRecords(handleMarkText(handle)));
    trace.appendEvent(headOf(EventKind.mark, 0, MarkCode.named), 0, 0, 0);
  };
  interface Listed {
    readonly made: number;
    readonly origin: number;
    readonly address: number;
    ended: number; // so many events lie before the moment behind its end
    isCollected: boolean;
  }
  const all: Listed[] = [];
  for (let origin = 1; origin <= 3; ++origin)
    mark({ is: 'origin', origin, pointsTo: 'inside', className: `C${origin}` });
  for (let step = 0; step < 150; ++step) {
    const open = [...all.entries()].filter(([, { ended }]) => ended === Number.POSITIVE_INFINITY);
    const [nth, one] = open[below(open.length || 1)] ?? [];
    if (nth === undefined || one === undefined || below(5) < 3) {
      const [origin, address] = [1 + below(3), 16 * below(90)];
      mark({ is: 'made', handle: all.length + 1, origin, address, smart: 0, isEarlier: false });
      all.push({ made: trace.count - 1, origin, address, ended: Number.POSITIVE_INFINITY, isCollected: false });
    } else {
      one.isCollected = below(2) === 0;
      mark({ is: one.isCollected ? 'collected' : 'deleted', handle: nth + 1 });
      one.ended = trace.count;
    }
  }
  const history = new History(trace);
  history.fold();
  const { handles } = history;
  const listed = (rows: Iterable<{ readonly made: number; readonly origin: number; readonly address: number }>) =>
    Array.from(rows, ({ made, origin, address }) => ({ made, origin, address }));
  for (let moment = 0; moment <= trace.count; ++moment) {
    const from = below(trace.count);
    const made = all.filter((one) => one.made < moment);
    expect(listed(handles.madeBy(moment))).toEqual(listed(made));
    const open = made.filter(({ ended }) => ended > moment);
    expect(listed(handles.openAt(moment))).toEqual(listed(open));
    expect(listed(handles.openAt(moment, from))).toEqual(listed(open.filter((one) => one.made >= from)));
    const collected = made.filter(({ ended, isCollected }) => isCollected && ended <= moment);
    expect(listed(handles.collectedAt(moment))).toEqual(listed(collected));
    expect(handles.countIn(from, moment)).toBe(made.filter((one) => one.made >= from).length);
  }
});

test('a handle whose origin is not known has no class and no stack', () => {
  const { handles } = new History(new Trace());
  expect(handles.origin(9)).toEqual({ className: '', pointsTo: 'inside', stack: [] });
});
