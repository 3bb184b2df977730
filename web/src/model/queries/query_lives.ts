// Address against time: which blocks lived where, and how long, in a window of both.
//
//   address
//    ▲  ┌────────┐  ┌──       one rectangle a life: as high as the block, as long as it lived
//    │  └──┬───┐─┘  │
//    │     └───┘    └──
//    └──────────────▶ events     the state is looked at once a column
//
//   LV1  A life begins at its event exactly (the model knows it), and ends before the first column that does not have it. With
//        one column an event both are exact; a life that no column sees is not there: nearer it is.
//   LV2  An address used again is another life, and so is a block that became larger, smaller or began elsewhere: that one begins
//        behind the last column that did not have it.
//   LV3  More than kMostAtOnce blocks at one moment are a density: of each cell the share in use, in each column.
//   LV4  The addresses are cut to those that heaps had at some moment of the window.
//   LV5  O(events of the window + columns * blocks): asked for when the window rests, not while time runs.

import { addr, bytes, seq } from '../../base/brand.ts';
import { GrowingUint32 } from '../../base/growing.ts';
import { ChunkState } from '../../protocol/map_frames.ts';
import type { LivesFrame, LivesWindow } from '../../protocol/whole_trace.ts';
import { chunkAfter, chunkStateOf, countStarts, firstChunkBehind } from '../state/chunk_at.ts';
import type { HeapState } from '../state/heap_state.ts';
import { beginOf } from '../state/slabs.ts';
import type { Model, Moment } from '../time/model.ts';
import { queryCells } from './query_cells.ts';

const kMostAtOnce = 3_000;
const kMostLives = 40_000;
const kLeastCell = 16;
/** Moments at which it is looked how many blocks there are and how far the heaps reach. */
const kLooks = 16;

export function queryLives(model: Model, window: LivesWindow): LivesFrame {
  const head = model.history.head.seq;
  const to = Math.min(window.to, head);
  const from = Math.max(0, Math.min(window.from, to));
  const columns = Math.max(1, Math.min(window.columns, to - from + 1));
  const eventAt = (column: number) => (columns === 1 ? to : from + Math.round(((to - from) * column) / (columns - 1)));
  let [most, low, high] = [0, 2 ** 32, 0];
  for (let look = 0; look <= kLooks; ++look) {
    const { state } = model.at(eventAt(Math.round(((columns - 1) * look) / kLooks)));
    most = Math.max(most, countStarts(state, window.low, window.high));
    for (const { base, size } of state.segments) {
      low = Math.min(low, base);
      high = Math.max(high, base + size);
    }
  }
  low = Math.max(low, window.low);
  high = Math.max(Math.min(high, window.high), low);
  const shown = { ...window, from: seq(from), to: seq(to), low: addr(low), high: addr(high), columns };
  if (most > kMostAtOnce) return { window: shown, lives: undefined, shares: density(model, shown, eventAt) };
  return { window: shown, lives: livesOf(model, shown, eventAt), shares: undefined };
}

function livesOf(model: Model, window: LivesWindow, eventAt: (column: number) => number) {
  const lives = new Lives();
  let living = new Map<number, number>(); // address to life
  let previous = 0; // the event of the column before
  for (let column = 0; column < window.columns; ++column) {
    const event = eventAt(column);
    const now = new Map<number, number>();
    const { state } = model.at(event);
    forEachBlock(state, window.low, window.high, (at, size, born, pool) => {
      const before = living.get(at);
      const same = before !== undefined && lives.isSame(before, size, born);
      now.set(at, same ? before : lives.add(at, size, born, Math.max(born, previous), pool));
    });
    for (const [at, life] of living) if (now.get(at) !== life) lives.end(life, event);
    living = now;
    previous = event;
    if (lives.count > kMostLives) break;
  }
  return lives.frame();
}

class Lives {
  readonly address = new GrowingUint32();
  readonly #born = new GrowingUint32();
  readonly #begun = new GrowingUint32();
  readonly #size = new GrowingUint32();
  readonly #pool = new GrowingUint32();
  readonly #ends = new Map<number, number>();

  get count(): number {
    return this.address.count;
  }

  isSame(life: number, size: number, born: number): boolean {
    return this.#size.at(life) === size && this.#born.at(life) === born;
  }

  add(at: number, size: number, born: number, begun: number, pool: boolean): number {
    this.address.push(at);
    this.#size.push(size);
    this.#born.push(born);
    this.#begun.push(begun);
    this.#pool.push(pool ? 1 : 0);
    return this.count - 1;
  }

  end(life: number, event: number): void {
    this.#ends.set(life, event);
  }

  frame() {
    const ended = new Uint32Array(this.count);
    for (const [life, event] of this.#ends) ended[life] = event;
    return {
      count: this.count,
      address: this.address.slice(),
      size: this.#size.slice(),
      begun: this.#begun.slice(),
      ended,
      pool: Uint8Array.from(this.#pool.slice()),
    };
  }
}

/** In use, pool blocks too; what malloc caches was freed. */
function forEachBlock(
  state: HeapState,
  low: number,
  high: number,
  visit: (at: number, size: number, born: number, pool: boolean) => void,
): void {
  for (const segment of state.segments) {
    const stop = Math.min(segment.base + segment.size - state.wordSize, high);
    for (let at = firstChunkBehind(state, segment, low, stop); at < stop; at = chunkAfter(state, at, stop)) {
      const granule = state.granuleAt(at);
      const kind = chunkStateOf(state, granule);
      if (kind !== ChunkState.inUse && kind !== ChunkState.poolBlock) continue;
      visit(
        beginOf(state, at, granule),
        state.bytesOf(granule),
        state.born[granule] ?? 0,
        kind === ChunkState.poolBlock,
      );
    }
  }
}

/** LV3 */
function density(model: Model, window: LivesWindow, eventAt: (column: number) => number) {
  const rows = Math.max(1, Math.min(window.rows, Math.floor((window.high - window.low) / kLeastCell)));
  const cell = Math.ceil((window.high - window.low) / rows / kLeastCell) * kLeastCell;
  const viewport = { origin: addr(window.low), bytesPerRow: bytes(cell), rows, columns: 1 };
  const inUse = new Uint8Array(window.columns * rows);
  const pool = new Uint8Array(window.columns * rows);
  for (let column = 0; column < window.columns; ++column) {
    const { state, pages }: Moment = model.at(eventAt(column));
    const cells = queryCells(state, pages, viewport);
    inUse.set(cells.inUse, column * rows);
    pool.set(cells.pool, column * rows);
  }
  return { rows, cellBytes: bytes(cell), inUse, pool };
}
