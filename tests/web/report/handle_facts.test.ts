// Handles in a report: as many groups of collected ones as a table has rows.

import { expect, test } from 'vitest';
import { Model } from '../../../web/src/model/time/model.ts';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { handleFacts } from '../../../web/src/report/handle_facts.ts';
import { kMostRows } from '../../../web/src/report/limits.ts';
import { type HandleMark, handleMarkText } from '../../../web/src/trace/handle_marks.ts';
import { MarkCode, textRecords } from '../../../web/src/trace/texts.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';

test('a report has no more groups of collected handles than rows', () => {
  const trace = new Trace();
  const mark = (handle: HandleMark) => {
    trace.append(textRecords(handleMarkText(handle)));
    trace.appendEvent(headOf(EventKind.mark, 0, MarkCode.named), 0, 0, 0);
  };
  const classes = kMostRows + 5;
  for (let origin = 1; origin <= classes; ++origin) {
    mark({ is: 'origin', origin, pointsTo: 'inside', className: `Class${origin}` });
    for (const handle of [origin, origin + 1000])
      mark({ is: 'made', handle, origin, address: 0x1000 * handle, smart: 0, isEarlier: false });
    mark({ is: 'collected', handle: origin });
  }
  const model = new Model(trace);
  model.history.fold();
  expect(model.history.broken).toBeUndefined();
  const { collected, collected_groups } = handleFacts(model, undefined);
  expect([collected, collected_groups.length]).toEqual([classes, kMostRows]);
});
