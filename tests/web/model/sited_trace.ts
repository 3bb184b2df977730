// A trace with call sites put into it: before each outermost operation what a recorder with stacks would have written.

import { EventKind } from '../../../web/src/protocol/event_layout.ts';
import { textRecords } from '../../../web/src/trace/texts.ts';
import { headOf, kEventWords, Trace } from '../../../web/src/trace/trace.ts';

/** Writes the definitions of stacks as they are needed. */
export class SiteWriter {
  readonly trace: Trace;
  readonly #strings = new Map<string, number>();
  readonly #sites = new Map<string, number>();

  constructor(trace: Trace) {
    this.trace = trace;
  }

  /** frames: outermost first. The site's number; 0 for none. */
  define(frames: readonly string[]): number {
    let site = 0;
    for (const frame of frames) {
      const key = `${site} ${frame}`;
      const known = this.#sites.get(key);
      if (known === undefined) {
        const string = this.#string(frame);
        const next = this.#sites.size + 1;
        this.#sites.set(key, next);
        this.trace.appendEvent(headOf(EventKind.siteDefined, 0), next, site, string);
        site = next;
      } else site = known;
    }
    return site;
  }

  enter(frames: readonly string[]): void {
    const site = this.define(frames);
    if (site !== 0) this.trace.appendEvent(headOf(EventKind.siteEntered, 0), site, 0, 0);
  }

  #string(text: string): number {
    const known = this.#strings.get(text);
    if (known !== undefined) return known;
    const number = this.#strings.size + 1;
    this.#strings.set(text, number);
    this.trace.append(textRecords(text));
    this.trace.appendEvent(headOf(EventKind.stringDefined, 0), number, 0, 0);
    return number;
  }
}

/** Outside every operation each is a whole one (operations.ts, O3). */
export const kWhole: ReadonlySet<number> = new Set([
  EventKind.nodeTaken,
  EventKind.nodeReturned,
  EventKind.chunkReused,
  EventKind.chunkCached,
]);

/** The trace with the stack that `stackOf` gives (outermost first) before each outermost operation. */
export function withSites(from: Trace, stackOf: (operation: number, seq: number) => readonly string[]): Trace {
  const writer = new SiteWriter(new Trace(from.version));
  let depth = 0;
  let operations = 0;
  for (let seq = 0; seq < from.count; ++seq) {
    const kind = from.kind(seq);
    if (kind === EventKind.opBegun && depth++ === 0) writer.enter(stackOf(operations++, seq));
    else if (kind === EventKind.opEnded) depth -= 1;
    else if (depth === 0 && kWhole.has(kind)) writer.enter(stackOf(operations++, seq));
    const words = new Uint32Array(kEventWords);
    words.set([from.head(seq), from.a(seq), from.b(seq), from.c(seq)]);
    writer.trace.append(words);
  }
  return writer.trace;
}
