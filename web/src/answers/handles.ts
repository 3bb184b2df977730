// Handles that nobody deleted: objects of JavaScript, made by the glue of embind or wasm-bindgen, whose objects in wasm still live.
//
//   handle ─ pointer ─▶ the block that it is in ─ live, and not younger than the handle? ─▶ held: class, line of JavaScript, bytes
//
//   handles.H1  A smart pointer and a pointer of wasm-bindgen lie anywhere in a block that is theirs alone, behind counts. A smart pointer
//               is an object itself, and holds that block too.
//   handles.H5  A plain pointer of embind may be to what C++ keeps, as a getter's is, and must not be deleted then. It holds its block when it
//               is the begin of it, and some handle of the block was made in the call in which it was allocated: no other handle was
//               made or deleted between the two.
//   handles.H2  A block that was born behind the handle is not its own: that one was freed by others, and the place was used again.
//   handles.H3  A block is counted once, for the first handle that points to it: its chunk with the header, and of a foreign heap what was
//               asked for. What it alone reaches is not counted.
//   handles.H4  A handle's line is that of the innermost frame outside of the glue, which is the script that the stack begins in. Where all is
//               one script, frames are passed over that have names of the glue.

import { fileName, frameParts } from '../base/frames.ts';
import { chunkContaining, chunkStateOf } from '../model/state/chunk_at.ts';
import type { HeapState } from '../model/state/heap_state.ts';
import type { Handle, HandleOrigin } from '../model/time/handles.ts';
import type { History } from '../model/time/history.ts';
import { EventKind, kWalkEvent } from '../protocol/event_layout.ts';
import type { HandleFigures, HandleGroup } from '../protocol/handles.ts';
import { ChunkState } from '../protocol/map_frames.ts';
import type { Trace } from '../trace/trace.ts';
import { kMostAnswerFrames, kMostAnswerSites } from './limits.ts';

const kMostAddresses = 10;

/** A part of the time of a trace: handles that were made in it, and what of them is open at its end. */
export interface HandleTime {
  readonly from: number;
  readonly to: number;
}

/** `state`: after `to` events. O(handles of the trace, log chunks each). */
export function handlesOf(history: History, state: HeapState, { from, to }: HandleTime): HandleFigures {
  const { handles } = history;
  const groups = new Groups(history);
  const owned = ownedBlocks(history, state, to);
  const counted = new Set<number>();
  const total = { handles: 0, blocks: 0, size_bytes: 0, without_block: 0 };
  for (const handle of handles.openAt(to, from)) {
    const blocks = blocksOf(history, state, handle, owned);
    if (blocks.length === 0) {
      total.without_block += 1;
      continue;
    }
    const own = blocks.filter(({ address }) => !counted.has(address)); // H3
    for (const { address } of own) counted.add(address);
    groups.add(handle, own);
    total.handles += 1;
    total.blocks += own.length;
    total.size_bytes += sizeOf(own);
  }
  const collected = new Groups(history);
  for (const handle of handles.collectedAt(to, from)) collected.add(handle, []);
  const rows = groups.rows();
  return {
    made: handles.countIn(from, to),
    ...total,
    collected: collected.handles,
    groups: rows.slice(0, kMostAnswerSites),
    all_groups: rows.length,
    collected_groups: collected.rows().slice(0, kMostAnswerSites),
  };
}

interface Block {
  readonly address: number; // as the program has it
  readonly size: number;
  readonly born: number | undefined;
}

const sizeOf = (blocks: readonly Block[]): number => blocks.reduce((sum, { size }) => sum + size, 0);

/** H1, H2, H5 */
function blocksOf(history: History, state: HeapState, handle: Handle, owned: ReadonlySet<number>): Block[] {
  const { pointsTo } = history.handles.origin(handle.origin);
  const main = blockAround(history, state, handle.address, handle.made);
  const smart = handle.smart === 0 ? undefined : blockAround(history, state, handle.smart, handle.made);
  const isOwn = pointsTo === 'inside' || (main?.address === handle.address && owned.has(main.address));
  return [isOwn ? main : undefined, smart].filter((block) => block !== undefined);
}

/** H5: where they begin. */
function ownedBlocks(history: History, state: HeapState, to: number): Set<number> {
  const owned = new Set<number>();
  for (const { address, origin, made, after } of history.handles.madeBy(to)) {
    if (history.handles.origin(origin).pointsTo !== 'pointer') continue;
    const block = blockAround(history, state, address, made);
    if (block?.address === address && (block.born === undefined || block.born >= after)) owned.add(address);
  }
  return owned;
}

/** H2 */
function blockAround(history: History, state: HeapState, address: number, made: number): Block | undefined {
  const chunk = chunkContaining(state, address);
  if (chunk === undefined) return undefined;
  const granule = state.granuleAt(chunk);
  const begin = state.isForeign ? chunk : chunk + state.wordSize;
  if (chunkStateOf(state, granule) !== ChunkState.inUse || address < begin) return undefined;
  const born = birthOf(history.trace, state.born[granule] ?? 0);
  if (born !== undefined && born > made) return undefined;
  return { address: begin, size: state.bytesOf(granule), born };
}

/** undefined: a snapshot found the block. */
function birthOf(trace: Trace, born: number): number | undefined {
  const kind = born < trace.count ? trace.kind(born) : 0;
  return kind >= kWalkEvent || kind === EventKind.snapshotEnded ? undefined : born;
}

type Growing = { -readonly [Key in keyof HandleGroup]: HandleGroup[Key] } & { addresses: number[] };

class Groups {
  readonly #history: History;
  readonly #byOrigin = new Map<number, Growing>();
  readonly #groups = new Map<string, Growing>();
  handles = 0;

  constructor(history: History) {
    this.#history = history;
  }

  add({ made, origin }: Handle, blocks: readonly Block[]): void {
    const group = this.#of(origin);
    this.handles += 1;
    group.handles += 1;
    group.blocks += blocks.length;
    group.size_bytes += sizeOf(blocks);
    if (group.first_event === 0) group.first_event = made + 1;
    group.last_event = made + 1;
    for (const { address } of blocks) if (group.addresses.length < kMostAddresses) group.addresses.push(address);
  }

  rows(): HandleGroup[] {
    const order = (one: HandleGroup, two: HandleGroup) =>
      two.size_bytes - one.size_bytes || two.handles - one.handles || one.first_event - two.first_event;
    return [...this.#groups.values()].sort(order);
  }

  #of(number: number): Growing {
    const known = this.#byOrigin.get(number);
    if (known !== undefined) return known;
    const origin = this.#history.handles.origin(number);
    const frame = callerIn(origin);
    const key = `${origin.className}\n${frame}`;
    const group = this.#groups.get(key) ?? emptyGroup(origin, frame);
    this.#groups.set(key, group);
    this.#byOrigin.set(number, group);
    return group;
  }
}

function emptyGroup({ className, stack }: HandleOrigin, frame: string): Growing {
  const { name, file, line } = frameParts(frame);
  return {
    class: className,
    function: name,
    file,
    line,
    stack: stack.slice(0, kMostAnswerFrames),
    handles: 0,
    blocks: 0,
    size_bytes: 0,
    first_event: 0,
    last_event: 0,
    addresses: [],
  };
}

/** Of embind and of wasm-bindgen, behind the name of a class or alone. */
const kGlueName =
  /(?:^|\.)(?:makeClassHandle|makeDefaultHandle|\w*fromWireType|\w*Pointer_\w+|ClassHandle_\w+|createNamedFunction|craftInvoker\w*|invoker|__wrap|__construct|implement|clone)$/;

/** H4; '' where the stack is not known. */
export function callerIn({ className, stack }: HandleOrigin): string {
  const glue = frameParts(stack[0] ?? '').file;
  const outside = stack.find((frame) => {
    const { name, file } = frameParts(frame);
    return file !== glue && name !== `new ${className}`; // the constructor of a class that JavaScript derives
  });
  const isOfGlue = (frame: string) => {
    const name = frameParts(frame).name.replace(/^new /, '');
    return kGlueName.test(name) || name === className || name.startsWith(`${className}.`);
  };
  return outside ?? stack.find((frame) => !isOfGlue(frame)) ?? stack[0] ?? '';
}

/** `Counter` of main (app.ts:12), for a line of text. */
export function spokenGroup({ class: name, function: maker, file, line }: HandleGroup): string {
  const who = name === '' ? 'a class without a name' : `\`${name}\``;
  if (maker === '') return who;
  return `${who} made by ${maker}${file === '' ? '' : ` (${fileName(file)}${line === 0 ? '' : `:${line}`})`}`;
}
