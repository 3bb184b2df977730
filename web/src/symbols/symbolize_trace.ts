// The sites of a trace, with names: the strings that the recorder wrote are replaced by functions, files and lines.
//
//   text "wasm-function[12]:0x1a2b" │ string_defined │ site_defined 5 (parent 3)
//      ─▶ text "draw@map.cpp:40" │ string_defined │ site_defined 7 (parent 4)     and one site more for each inlined call
//
//   Z1  Two sites with the same parent and the same frame become one: two calls in a line, or a template's that look alike.
//   Z2  Strings and sites get new numbers; every other event is copied. So the trace has other sequence numbers than before.
//   Z3  A frame that is no raw one keeps its text: a trace can be symbolized twice.

import { EventKind } from '../protocol/event_layout.ts';
import { textBefore, textRecords } from '../trace/texts.ts';
import { headOf, kindOf, Trace } from '../trace/trace.ts';
import type { Symbolizer } from './symbolizer.ts';

export interface Symbolized {
  readonly trace: Trace;
  /** Sites of the trace as it was, and how many of them have a name or a line now. */
  readonly sites: number;
  readonly named: number;
}

const kRaw = /^wasm-function\[(\d+)\](?::0x([0-9a-f]+))?$/;

export function symbolizeTrace(trace: Trace, symbolizer: Pick<Symbolizer, 'frames'>): Symbolized {
  const out = new Trace(trace.version);
  const tree = new SiteTree(out);
  const rawStrings = new Map<number, string>();
  const sites = new Map<number, number>([[0, 0]]);
  let named = 0;
  let pending = 0; // text events that nothing has taken yet
  for (let event = 0; event < trace.count; ++event) {
    const head = trace.head(event);
    const kind = kindOf(head);
    const [a, b, c] = [trace.a(event), trace.b(event), trace.c(event)];
    if (kind === EventKind.text) {
      ++pending;
      continue;
    }
    if (kind === EventKind.stringDefined) rawStrings.set(a, textBefore(trace, event));
    else if (kind === EventKind.siteDefined) {
      const raw = rawStrings.get(c) ?? '';
      const frames = framesOf(raw, symbolizer);
      if (frames[0] !== raw || !kRaw.test(raw)) ++named;
      sites.set(a, tree.path(sites.get(b) ?? 0, frames));
    } else if (kind === EventKind.siteEntered) {
      const site = sites.get(a);
      if (site !== undefined) out.appendEvent(head, site, b, c);
    } else {
      for (let text = event - pending; text < event; ++text) {
        out.appendEvent(trace.head(text), trace.a(text), trace.b(text), trace.c(text));
      }
      out.appendEvent(head, a, b, c);
    }
    pending = 0;
  }
  return { trace: out, sites: sites.size - 1, named };
}

function framesOf(raw: string, symbolizer: Pick<Symbolizer, 'frames'>): readonly string[] {
  const match = kRaw.exec(raw);
  if (match === null) return [raw];
  const [, index = '', offset] = match;
  return symbolizer.frames(Number(index), offset === undefined ? undefined : Number.parseInt(offset, 16));
}

/** Writes strings and sites as they become known. */
class SiteTree {
  private readonly out: Trace;
  private readonly strings = new Map<string, number>();
  private readonly sites = new Map<string, number>();

  constructor(out: Trace) {
    this.out = out;
  }

  path(parent: number, frames: readonly string[]): number {
    return frames.reduce((site, frame) => this.child(site, frame), parent);
  }

  private child(parent: number, frame: string): number {
    const string = this.string(frame);
    const key = `${parent} ${string}`;
    const known = this.sites.get(key);
    if (known !== undefined) return known;
    const site = this.sites.size + 1;
    this.sites.set(key, site);
    this.out.appendEvent(headOf(EventKind.siteDefined, 0), site, parent, string);
    return site;
  }

  private string(text: string): number {
    const known = this.strings.get(text);
    if (known !== undefined) return known;
    const string = this.strings.size + 1;
    this.strings.set(text, string);
    this.out.append(textRecords(text));
    this.out.appendEvent(headOf(EventKind.stringDefined, 0), string, 0, 0);
    return string;
  }
}
