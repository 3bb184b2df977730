// Marks of handles are no marks of the program: the time line has the others alone.

import { expect, test } from 'vitest';
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
