// Call sites of a trace: a tree of frames, and which operation came from which node of it (rule P5 of event.h).
//
//   text ... string_defined 1 │ site_defined 1, parent 0, string 1 │ site_entered 1 │ op_begun ... op_ended
//            "main@app.c:9"     a node of the tree                   └─ of the next outermost operation ─┘
//
//   sites.T1  The table only grows: a number means the same at every sequence number, so no keyframe holds it.
//   sites.T2  A block's site is that of the operation in which it was born. `born` of the model's chunk is that event, so
//       the state keeps no further word, and time travel is right in both directions.
//   sites.T3  A parent is defined before its child, else it is unknown (events were lost): the tree has no cycle.
//   sites.T4  A number defined again must say the same: a recorder repeats definitions behind a loss.
//   sites.T6  A frame that wraps malloc is marked where it is read (wrappers.ts). Which ones are is looked for when the trace has ended, and as it
//       grows by a quarter; what was derived from frames is derived anew then: `generation`.
//   sites.T5  An operation takes the last site entered before its begin. A second operation finds none.

import { kWrapperMark } from '../../base/frames.ts';
import { GrowingUint32 } from '../../base/growing.ts';
import { EventKind } from '../../protocol/event_layout.ts';
import type { OperationIndex } from '../../trace/operations.ts';
import { textBefore } from '../../trace/texts.ts';
import { kindOf, type Trace } from '../../trace/trace.ts';
import { contradict } from '../state/contradiction.ts';
import { type AskedFor, findWrappers, functionOf, kMostLooked } from './wrappers.ts';

/** Frames of a stack that are read; the outermost ones beyond it are left out. */
export const kMostFrames = 256;

const kUnknownName = '(name lost)';

export interface Site {
  readonly site: number;
  readonly parent: number; // 0: outermost
  readonly frame: string; // function, or function@file:line
}

export class Sites {
  readonly #trace: Trace;
  readonly #strings = new Map<number, string>();
  readonly #sites = new Map<number, { readonly parent: number; readonly string: number }>();
  readonly #entered = new GrowingUint32(); // events site_entered, and losses, which end what was entered
  readonly #enteredSites = new GrowingUint32(); // 0: a loss. Kept, as blocks ask in the order of addresses, not of events

  #wrappers: ReadonlySet<string> = new Set();
  #looked = 0; // sites entered when wrappers were looked for
  readonly #marked = new Map<number, string>(); // by string, those that are not as they were written
  /** It changes when frames read otherwise than before. */
  generation = 0;

  constructor(trace: Trace) {
    this.#trace = trace;
  }

  /** T6. `isWhole`: nothing more is expected. O(calls looked at) when it is due. */
  learn(isWhole: boolean): void {
    const { count } = this.#entered;
    if (count === this.#looked || (!isWhole && count * 4 < this.#looked * 5)) return;
    this.#looked = count;
    const found = findWrappers(this.#calls());
    if (found.size === this.#wrappers.size && [...found].every((each) => this.#wrappers.has(each))) return;
    this.#wrappers = found;
    this.#marked.clear();
    ++this.generation;
  }

  /** Of the sites entered, evenly spread, those whose operation follows. */
  #calls(): AskedFor[] {
    const { count } = this.#entered;
    const calls: AskedFor[] = [];
    const stacks = new Map<number, readonly string[]>();
    for (let nth = 0, step = Math.max(1, Math.floor(count / kMostLooked)); nth < count; nth += step) {
      const site = this.#enteredSites.at(nth);
      const bytes = askedBy(this.#trace, this.#entered.at(nth) + 1);
      if (site === 0 || bytes === undefined) continue;
      const stack = stacks.get(site) ?? this.plainStack(site);
      stacks.set(site, stack);
      calls.push({ stack, bytes });
    }
    return calls;
  }

  /** Sites defined. */
  get count(): number {
    return this.#sites.size;
  }

  /** Some operation says where it came from. */
  get areEntered(): boolean {
    return this.#entered.count > 0;
  }

  /** An event of the kinds string_defined, site_defined and site_entered, before it is applied. */
  note(kind: number, event: number): void {
    const trace = this.#trace;
    if (kind === EventKind.siteEntered) this.#enter(event, trace.a(event));
    else if (kind === EventKind.stringDefined) this.#defineString(trace.a(event), textBefore(trace, event));
    else if (kind === EventKind.siteDefined) this.#defineSite(trace.a(event), trace.b(event), trace.c(event));
  }

  /** Events were lost: an operation may be among them. */
  noteLoss(event: number): void {
    if (this.areEntered) this.#enter(event, 0);
  }

  #enter(event: number, site: number): void {
    this.#entered.push(event);
    this.#enteredSites.push(site);
  }

  at(site: number): Site | undefined {
    const found = this.#sites.get(site);
    return found === undefined ? undefined : { site, parent: found.parent, frame: this.#nameOf(found.string) };
  }

  /** In the order of their definition, each behind its parent. */
  *all(): IterableIterator<Site> {
    for (const [site, { parent, string }] of this.#sites) yield { site, parent, frame: this.#nameOf(string) };
  }

  /** The frames of a site, innermost first; none when it is not known. */
  stack(site: number): string[] {
    return this.#path(site).map((string) => this.#nameOf(string));
  }

  /** The same without marks: as it was written. */
  plainStack(site: number): string[] {
    return this.#path(site).map((string) => this.#plainNameOf(string));
  }

  #path(site: number): number[] {
    const strings: number[] = [];
    for (
      let at = this.#sites.get(site);
      at !== undefined && strings.length < kMostFrames;
      at = this.#sites.get(at.parent)
    )
      strings.push(at.string);
    return strings;
  }

  /** The site of the operation around an event; 0 when it told none. O(log events). */
  ofEvent(event: number, operations: OperationIndex): number {
    const begin = operations.around(event)?.[0];
    const nth = begin === undefined ? -1 : this.#entered.countBelow(begin) - 1;
    if (begin === undefined || nth < 0) return 0;
    const entered = this.#entered.at(nth);
    if (operations.begunBefore(entered) !== operations.begunBefore(begin)) return 0; // T5
    return this.#enteredSites.at(nth);
  }

  #nameOf(string: number): string {
    const plain = this.#plainNameOf(string);
    if (this.#wrappers.size === 0) return plain;
    const known = this.#marked.get(string);
    if (known !== undefined) return known;
    const name = this.#wrappers.has(functionOf(plain)) ? `${kWrapperMark}${plain}` : plain;
    this.#marked.set(string, name);
    return name;
  }

  #plainNameOf(string: number): string {
    return this.#strings.get(string) ?? kUnknownName;
  }

  #defineString(string: number, text: string): void {
    const known = this.#strings.get(string);
    if (known !== undefined && known !== text) contradict(`string ${string} is defined twice`);
    this.#strings.set(string, text);
  }

  #defineSite(site: number, parent: number, string: number): void {
    if (site === 0) contradict('site 0 stands for no site');
    const known = this.#sites.get(site);
    if (known !== undefined) {
      if (known.parent !== parent || known.string !== string) contradict(`site ${site} is defined twice`);
      return;
    }
    this.#sites.set(site, { parent: this.#sites.has(parent) ? parent : 0, string }); // T3
  }
}

/** The bytes that an event asks for; undefined: it asks for none. */
function askedBy(trace: Trace, event: number): number | undefined {
  if (event >= trace.count) return undefined;
  const kind = kindOf(trace.head(event));
  if (kind === EventKind.opBegun || kind === EventKind.blockAllocated) return trace.b(event);
  return kind === EventKind.chunkReused ? trace.c(event) : undefined;
}
