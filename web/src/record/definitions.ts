// The texts, strings and sites that a trace has defined so far, some 80 bytes a site: what begins late gets them again (record.K4).

import { EventKind } from '../protocol/event_layout.ts';
import { kEventWords } from '../trace/trace.ts';

interface Definition {
  readonly at: number; // the number of its event
  readonly record: Uint32Array;
}

export function makeDefinitions() {
  const definitions: Definition[] = [];
  let texts: Definition[] = []; // that nothing has taken yet

  return {
    /** Of records whose own ones begin with number `from`, behind `skipped` others. */
    take(words: Uint32Array, from: number, skipped: number): void {
      for (let i = skipped; i * kEventWords < words.length; ++i) {
        const kind = (words[i * kEventWords] as number) & 0xff;
        if (kind >= EventKind.text && kind <= EventKind.siteDefined) {
          texts.push({ at: from + i - skipped, record: words.slice(i * kEventWords, (i + 1) * kEventWords) });
        }
        if (kind === EventKind.text) continue;
        if (kind === EventKind.stringDefined || kind === EventKind.siteDefined) definitions.push(...texts);
        texts = []; // or a mark took them
      }
    },

    /** Before event `first`. No snapshot stands between a text and what takes it. */
    before: (first: number): Uint32Array[] => definitions.filter((one) => one.at < first).map((one) => one.record),
  };
}
