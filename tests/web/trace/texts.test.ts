// Texts before the events that take them.

import { expect, test } from 'vitest';
import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { MarkCode, nameOfMark, textRecords } from '../../../web/src/trace/texts.ts';
import { headOf, Trace } from '../../../web/src/trace/trace.ts';

test('a mark that is named has the text before it as its name, and no other event has one', () => {
  for (const kind of Object.values(EventKind)) {
    for (const detail of [0, MarkCode.chapter, MarkCode.named, 16]) {
      const trace = new Trace();
      trace.append(textRecords('a name of some length, ÄÖ'));
      trace.appendEvent(headOf(kind, 0, detail), 0, 0, 0);
      const isNamed = kind === EventKind.mark && detail === MarkCode.named;
      const name = nameOfMark(trace, trace.count - 1);
      expect(name, `kind ${kind}, ${detail}`).toBe(isNamed ? 'a name of some length, ÄÖ' : undefined);
    }
  }
});
