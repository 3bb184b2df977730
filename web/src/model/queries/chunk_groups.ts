// What the chunks in view are coloured by, when not by age: the size of each, the thread that made it, or the call site.
//
//   group 0      everything that is in none of the named groups: rarer ones, unknown ones, and what is not in use
//   group 1 ...  at most kMostGroups, each with a name
//
//   groups.1  Sizes have fixed groups. Of threads and sites those with the most bytes in view are named.
//   groups.2  A name keeps its number as long as it is among those: a colour does not change hands while time moves.

import { fileName, frameParts, spokenName } from '../../base/frames.ts';
import { type ChunkGroups, type ChunkMarks, ChunkState, type Colouring } from '../../protocol/map_frames.ts';
import type { HeapState } from '../state/heap_state.ts';
import type { History } from '../time/history.ts';
import { ownFrameAt } from '../time/own_frames.ts';

const kMostGroups = 7;
const kSizeBits = [6, 8, 10, 12, 14, 16]; // up to 64 B, 256 B, ... 64 KiB, more
const kSizeNames = ['to 64 B', 'to 256 B', 'to 1 KiB', 'to 4 KiB', 'to 16 KiB', 'to 64 KiB', 'larger'];

/** Who has which number, by what is coloured: kept as long as the trace is. */
const kSlots = new WeakMap<History, Map<Colouring, (string | undefined)[]>>();

export function groupChunks(
  history: History,
  state: HeapState,
  chunks: ChunkMarks,
  by: Exclude<Colouring, 'age'>,
): ChunkGroups {
  if (by === 'size') return groupSizes(chunks);
  const nameOf = by === 'thread' ? threadNames(history) : siteNames(history);
  const names: (string | undefined)[] = [];
  const sums = new Map<string, number>();
  for (let index = 0; index < chunks.count; ++index) {
    const name = isInUse(chunks, index)
      ? nameOf(state.born[state.granuleAt(chunks.address[index] ?? 0)] ?? 0)
      : undefined;
    names.push(name);
    if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + (chunks.size[index] ?? 0));
  }
  const slots = settle(history, by, sums);
  const numbers = new Map(slots.map((name, slot) => [name, slot + 1]));
  const group = Uint8Array.from(names, (name) => (name === undefined ? 0 : (numbers.get(name) ?? 0)));
  return { by, group, names: slots.map((name) => name ?? '') };
}

function groupSizes(chunks: ChunkMarks): ChunkGroups {
  const group = new Uint8Array(chunks.count);
  for (let index = 0; index < chunks.count; ++index) {
    if (!isInUse(chunks, index)) continue;
    const size = chunks.size[index] ?? 0;
    const found = kSizeBits.findIndex((power) => size <= 2 ** power);
    group[index] = (found < 0 ? kSizeBits.length : found) + 1;
  }
  return { by: 'size', group, names: kSizeNames };
}

const isInUse = (chunks: ChunkMarks, index: number): boolean => chunks.state[index] === ChunkState.inUse;

/** groups.2 */
function settle(history: History, by: Colouring, sums: ReadonlyMap<string, number>): readonly (string | undefined)[] {
  const known = kSlots.get(history) ?? new Map<Colouring, (string | undefined)[]>();
  kSlots.set(history, known);
  const slots = known.get(by) ?? new Array<string | undefined>(kMostGroups).fill(undefined);
  known.set(by, slots);
  const wanted = [...sums]
    .sort(([one, x], [two, y]) => y - x || one.localeCompare(two))
    .slice(0, kMostGroups)
    .map(([name]) => name);
  for (const name of wanted) {
    if (slots.includes(name)) continue;
    const unused = slots.indexOf(undefined);
    slots[unused < 0 ? slots.findIndex((other) => !wanted.includes(other ?? '')) : unused] = name;
  }
  return slots;
}

/** Who acted at an event. */
function threadNames({ threadChanges, threadsActing, trace }: History): (event: number) => string {
  const first = threadChanges.count > 0 ? trace.b(threadChanges.at(0)) || 1 : 1;
  return (event) => {
    const changes = threadChanges.countBelow(event + 1);
    return `thread ${changes > 0 ? threadsActing.at(changes - 1) : first}`;
  };
}

/** The program's own function, with its file; undefined where the trace does not tell. */
function siteNames({ sites, operations }: History): (event: number) => string | undefined {
  const names = new Map<number, string | undefined>();
  return (event) => {
    const site = sites.ofEvent(event, operations);
    if (!names.has(site)) {
      const { name, file } = frameParts(ownFrameAt(sites, site));
      const place = file === '' ? '' : ` (${fileName(file)})`;
      names.set(site, name === '' ? undefined : `${spokenName(name)}${place}`);
    }
    return names.get(site);
  };
}
