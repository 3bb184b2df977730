// Which addresses each row of the map shows: a slot, or a fold. Pure arithmetic, from address to row and back.
//
//   slot s   [origin + s * bytesPerRow, + bytesPerRow), s any whole number
//   fold     the slots that lie wholly inside one run of emptiness, when they are kLeastFolded or more
//
//   slots    |  0  |  1  |  2  |  3  |  4  |  5  |  6  |  7  |
//   run               . . . . . . . . . . . . . . . .              begins in slot 1, ends in slot 6
//   rows     |  0  |  1  |           2           |  3  |  4  |     slots 2 to 5 are one row
//
//   rows.1  Every address lies in exactly one row, and rows ascend with addresses.
//   rows.2  A slot in which something begins or ends is a row of its own.
//   rows.3  Row 0 holds the origin.

import type { EmptyRuns } from '../protocol/map_frames.ts';
import { rangeAt } from './map_marks.ts';

export const kLeastFolded = 4;

export const kNothingEmpty: EmptyRuns = {
  count: 0,
  address: new Uint32Array(0),
  size: new Uint32Array(0),
  kind: new Uint8Array(0),
};

/** Where slots begin. */
export interface SlotGrid {
  readonly origin: number;
  readonly bytesPerRow: number;
}

export class MapRows {
  readonly runs: EmptyRuns;
  readonly #origin: number;
  readonly #bytesPerRow: number;
  // fold by fold: its slots, how many rows of the slots before it are saved, and the run it is of
  readonly #first: number[] = [];
  readonly #end: number[] = [];
  readonly #saved: number[] = [];
  readonly #run: number[] = [];
  readonly #rowOfOrigin: number;

  constructor(runs: EmptyRuns, { origin, bytesPerRow }: SlotGrid) {
    this.runs = runs;
    this.#origin = origin;
    this.#bytesPerRow = bytesPerRow;
    let saved = 0;
    for (let run = 0; run < runs.count; run++) {
      const address = runs.address[run] ?? 0;
      const size = runs.size[run] ?? 0;
      if (size < kLeastFolded * bytesPerRow) continue;
      const first = Math.ceil((address - origin) / bytesPerRow);
      const end = Math.floor((address + size - origin) / bytesPerRow);
      if (end - first < kLeastFolded) continue;
      this.#first.push(first);
      this.#end.push(end);
      this.#saved.push(saved);
      this.#run.push(run);
      saved += end - first - 1;
    }
    this.#rowOfOrigin = this.#countedRow(0);
  }

  rowOfSlot(slot: number): number {
    return this.#countedRow(slot) - this.#rowOfOrigin;
  }

  /** The row's first slot. */
  slotOf(row: number): number {
    const counted = row + this.#rowOfOrigin;
    const fold = this.#lastFold((each) => (this.#first[each] ?? 0) - (this.#saved[each] ?? 0) <= counted);
    if (fold < 0) return counted;
    const [first = 0, end = 0, saved = 0] = [this.#first[fold], this.#end[fold], this.#saved[fold]];
    const behind = counted - (first - saved);
    return behind === 0 ? first : end + behind - 1;
  }

  start(row: number): number {
    return this.#origin + this.slotOf(row) * this.#bytesPerRow;
  }

  /** Where the row after it starts. */
  end(row: number): number {
    return this.start(row + 1);
  }

  rowOf(address: number): number {
    return this.rowOfSlot(Math.floor((address - this.#origin) / this.#bytesPerRow));
  }

  /** Which of the runs the row is a fold of; undefined when it is a slot. */
  foldAt(row: number): number | undefined {
    const slot = this.slotOf(row);
    const fold = this.#lastFold((each) => (this.#first[each] ?? 0) <= slot);
    return fold >= 0 && this.#first[fold] === slot ? this.#run[fold] : undefined;
  }

  /** The row from the first fold on, in whose count nothing depends on the origin. */
  #countedRow(slot: number): number {
    const fold = this.#lastFold((each) => (this.#first[each] ?? 0) <= slot);
    if (fold < 0) return slot;
    const [first = 0, end = 0, saved = 0] = [this.#first[fold], this.#end[fold], this.#saved[fold]];
    return slot < end ? first - saved : slot - saved - (end - first - 1);
  }

  /** The last fold for which `holds`, -1: none. It holds for the first ones and not for the others. */
  #lastFold(holds: (fold: number) => boolean): number {
    let low = 0;
    let high = this.#first.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(middle)) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** The runs without those that hold one of the addresses. */
export function withoutRunsAt(runs: EmptyRuns, addresses: Iterable<number>): EmptyRuns {
  const left = new Set<number>();
  for (const address of addresses) {
    const run = rangeAt(runs, address);
    if (run !== undefined) left.add(run);
  }
  if (left.size === 0) return runs;
  const keeps = (_: number, index: number): boolean => !left.has(index);
  return {
    count: runs.count - left.size,
    address: runs.address.filter(keeps),
    size: runs.size.filter(keeps),
    kind: runs.kind.filter(keeps),
  };
}
