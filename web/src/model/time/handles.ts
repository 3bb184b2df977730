// The handles of a trace: objects of JavaScript that stand for one in wasm, where they were made, and how they ended
// (trace/handle_marks.ts).
//
//   mark ─ read ─▶ origins: class and stack                    by number
//                  rows: made at, origin, pointer, ended at    in the order in which they were made
//
//   handles.T1  The table only grows, and an end is written once: what was open at any moment follows from it, as call sites do.
//   handles.T2  What comes again behind a loss (hm.2) changes nothing. A handle whose origin is not known has no class and no stack.

import { GrowingUint32 } from '../../base/growing.ts';
import { type HandleMark, isHandleText, type PointsTo, readHandleMark } from '../../trace/handle_marks.ts';
import { nameOfMark } from '../../trace/texts.ts';
import type { Trace } from '../../trace/trace.ts';

export interface HandleOrigin {
  readonly className: string;
  readonly pointsTo: PointsTo;
  /** Its stack in JavaScript, innermost frame first; each function@file:line. */
  readonly stack: readonly string[];
}

/** One handle, of its row. */
export interface Handle {
  readonly made: number; // its event
  /** The number behind the event before it at which a handle was made or ended; 0: none, or not known. */
  readonly after: number;
  readonly origin: number;
  readonly address: number;
  readonly smart: number; // 0: none
}

const kCollected = 2 ** 31; // beside the number behind the event of the end
const kMostFrames = 64; // of a stack that are taken

export class Handles {
  readonly #trace: Trace;
  readonly #origins = new Map<number, { className: string; pointsTo: PointsTo; readonly stack: string[] }>();
  readonly #made = new GrowingUint32();
  readonly #after = new GrowingUint32();
  readonly #origin = new GrowingUint32();
  readonly #address = new GrowingUint32();
  readonly #smart = new GrowingUint32();
  readonly #ended = new GrowingUint32(); // 0: not yet
  readonly #open = new Map<number, number>(); // rows by number
  #last = 0; // behind the last event that made or ended one

  constructor(trace: Trace) {
    this.#trace = trace;
  }

  /** Handles that were made, deleted ones too. */
  get count(): number {
    return this.#made.count;
  }

  /** A mark; false when it is no handle's. */
  note(event: number): boolean {
    const text = nameOfMark(this.#trace, event) ?? '';
    if (!isHandleText(text)) return false;
    const mark = readHandleMark(text);
    if (mark !== undefined) this.#take(mark, event);
    return true;
  }

  origin(number: number): HandleOrigin {
    return this.#origins.get(number) ?? { className: '', pointsTo: 'inside', stack: [] };
  }

  /** Made by the first `moment` events. */
  madeBy(moment: number): IterableIterator<Handle> {
    return this.#rows(0, moment, () => true);
  }

  /** Made by events [from, to) that nothing had ended after `moment` events, in that order. */
  openAt(moment: number, from = 0, to = moment): IterableIterator<Handle> {
    return this.#rows(from, Math.min(to, moment), (ended) => ended === 0 || (ended & ~kCollected) >>> 0 > moment);
  }

  /** Those of them that the engine's finalizer had deleted by then. */
  collectedAt(moment: number, from = 0, to = moment): IterableIterator<Handle> {
    const isCollected = (ended: number) => ended > kCollected && ended - kCollected <= moment;
    return this.#rows(from, Math.min(to, moment), isCollected);
  }

  /** How many were made by events [from, to). */
  countIn(from: number, to: number): number {
    return Math.max(0, this.#made.countBelow(to) - this.#made.countBelow(from));
  }

  *#rows(from: number, to: number, isWanted: (ended: number) => boolean): IterableIterator<Handle> {
    const end = this.#made.countBelow(to);
    for (let row = this.#made.countBelow(from); row < end; ++row)
      if (isWanted(this.#ended.at(row))) yield this.#at(row);
  }

  #at(row: number): Handle {
    return {
      made: this.#made.at(row),
      after: this.#after.at(row),
      origin: this.#origin.at(row),
      address: this.#address.at(row),
      smart: this.#smart.at(row),
    };
  }

  #take(mark: HandleMark, event: number): void {
    switch (mark.is) {
      case 'origin':
        if (this.#origins.has(mark.origin)) return;
        this.#origins.set(mark.origin, { className: mark.className, pointsTo: mark.pointsTo, stack: [] });
        return;
      case 'frame': {
        const stack = this.#origins.get(mark.origin)?.stack;
        if (stack !== undefined && mark.nth <= stack.length && mark.nth < kMostFrames) stack[mark.nth] = mark.frame;
        return;
      }
      case 'made':
        this.#make(mark, event);
        return;
      default: {
        const row = this.#open.get(mark.handle);
        if (row === undefined) return;
        this.#open.delete(mark.handle);
        this.#ended.set(row, event + 1 + (mark.is === 'collected' ? kCollected : 0));
        this.#last = event + 1;
      }
    }
  }

  #make({ handle, origin, address, smart, isEarlier }: HandleMark & { readonly is: 'made' }, event: number): void {
    if (this.#open.has(handle)) return; // T2
    this.#open.set(handle, this.#made.count);
    this.#made.push(event);
    this.#after.push(isEarlier ? 0 : this.#last);
    this.#last = event + 1;
    this.#origin.push(origin);
    this.#address.push(address);
    this.#smart.push(smart);
    this.#ended.push(0);
  }
}
