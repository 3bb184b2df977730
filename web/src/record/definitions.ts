// The texts, strings and sites that a trace has defined so far, some 80 bytes a site, and its handles (left_handles.ts): what begins late
// gets them again (record.K4).

import { EventKind } from '../protocol/event_layout.ts';
import { kEventWords } from '../trace/trace.ts';
import { makeLeftHandles } from './left_handles.ts';

const kHeaderBytes = 4; // of a chunk, in wasm

interface Definition {
  readonly at: number; // the number of its event
  readonly record: Uint32Array;
}

export function makeDefinitions() {
  const definitions: Definition[] = [];
  const handles = makeLeftHandles();
  let texts: Definition[] = []; // that nothing has taken yet
  let unread = 0; // the first record behind the last handle's mark, of the records that are taken

  return {
    /** Of records whose own ones begin with number `from`, behind `skipped` others. */
    take(words: Uint32Array, from: number, skipped: number): void {
      unread = 0;
      for (let i = skipped; i * kEventWords < words.length; ++i) {
        const kind = (words[i * kEventWords] as number) & 0xff;
        if (kind >= EventKind.text && kind <= EventKind.siteDefined) {
          texts.push({ at: from + i - skipped, record: words.slice(i * kEventWords, (i + 1) * kEventWords) });
        }
        if (kind === EventKind.text) continue;
        if (kind === EventKind.stringDefined || kind === EventKind.siteDefined) definitions.push(...texts);
        if (kind === EventKind.mark && texts.length > 0) {
          const mark = words.slice(i * kEventWords, (i + 1) * kEventWords);
          const begun = unread; // of what came in other packets nothing is known
          const isNew = (address: number) => isAllocated(words, begun, i, address);
          const taken = texts.map((one) => one.record);
          if (handles.take(taken, mark, from + i - skipped, isNew) === 'handle') unread = i + 1;
        }
        texts = [];
      }
    },

    /** Before event `first`. No snapshot stands between a text and what takes it. */
    before(first: number): Uint32Array[] {
      const sites = definitions.filter((one) => one.at < first).map((one) => one.record);
      return sites.concat(handles.before(first));
    },
  };
}

/** Whether records [from, to) allocate the chunk of a block. */
function isAllocated(words: Uint32Array, from: number, to: number, address: number): boolean {
  for (let i = to - 1; i >= from; --i) {
    const kind = (words[i * kEventWords] as number) & 0xff;
    if (kind !== EventKind.chunkTaken && kind !== EventKind.chunkReused) continue;
    if (words[i * kEventWords + 1] === address - kHeaderBytes) return true;
  }
  return false;
}
