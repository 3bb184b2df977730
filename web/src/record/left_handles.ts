// What a trace that begins late must have of handles: their origins for good, and the handles that nobody has deleted yet
// (trace/handle_marks.ts, hm.2).
//
//   left_handles.1  Of handles with a plain pointer only those are kept whose block was allocated in the call that made a handle of it, as
//                   whoever begins late cannot see that (answers/handles.ts, H5). A class that JavaScript derives ends the handle of its
//                   base and makes its own of the same block at once.
//
// It is linked into programs too (tools/build_recorder.mjs): no classes, no destructuring.

import { type HandleMark, handleMarkText, readHandleMark } from '../trace/handle_marks.ts';
import { textOfRecords, textRecords } from '../trace/texts.ts';
import { kEventWords } from '../trace/trace.ts';

type Made = HandleMark & { readonly is: 'made' };

/** A mark with the text before it, to be written again. */
interface Kept {
  readonly at: number; // the number of its event, 0 where that is of no account
  readonly records: readonly Uint32Array[];
}

interface Open extends Kept {
  readonly address: number; // 0: not that of a plain pointer
}

/** What a mark was: a handle was made or ended; of handles, but neither; no handle's. */
export type Taken = 'handle' | 'origin' | undefined;

export interface LeftHandles {
  /** A mark of the trace. `isNew`: whether the block there was allocated since the last call of this that gave 'handle'. */
  take(texts: readonly Uint32Array[], mark: Uint32Array, at: number, isNew: (address: number) => boolean): Taken;
  /** To be written anew, of those that came before an event. */
  before(first: number): Uint32Array[];
  copy(): LeftHandles;
}

export const makeLeftHandles = (): LeftHandles => leftHandles([], new Set(), new Map(), new Map());

/** plain: origins of plain pointers; owned: how many handles are open to a block. */
function leftHandles(
  origins: Kept[],
  plain: Set<number>,
  open: Map<number, Open>,
  owned: Map<number, number>,
): LeftHandles {
  let given = 0; // the address of the block whose only handle ended last, until a handle is made

  function make(read: Made, mark: Uint32Array, at: number, isNew: boolean): void {
    const isPlain = plain.has(read.origin);
    const handles = owned.get(read.address) || 0;
    const isGiven = read.address === given;
    given = 0;
    if (isPlain && handles === 0 && !isNew && !isGiven) return; // left_handles.1
    if (isPlain) owned.set(read.address, handles + 1);
    open.set(read.handle, { at, records: earlier(read, mark), address: isPlain ? read.address : 0 });
  }

  function end(handle: number): void {
    const it = open.get(handle);
    if (it === undefined) return;
    open.delete(handle);
    const handles = owned.get(it.address) || 0;
    if (handles > 1) owned.set(it.address, handles - 1);
    else owned.delete(it.address);
    given = handles > 1 ? 0 : it.address;
  }

  return {
    take(texts, mark, at, isNew) {
      const read = readHandleMark(textOfRecords(texts));
      if (read === undefined) return undefined;
      if (read.is === 'made') make(read, mark, at, read.isEarlier || isNew(read.address));
      else if (read.is === 'deleted' || read.is === 'collected') end(read.handle);
      else origins.push({ at, records: texts.concat([mark]) });
      if (read.is === 'origin' && read.pointsTo === 'pointer') plain.add(read.origin);
      return read.is === 'origin' || read.is === 'frame' ? 'origin' : 'handle';
    },
    before(first) {
      const all = (origins as readonly Kept[]).concat(Array.from(open.values())).filter((kept) => kept.at < first);
      return ([] as Uint32Array[]).concat(...all.map((kept) => kept.records));
    },
    copy: () => leftHandles(origins.slice(), new Set(plain), new Map(open), new Map(owned)),
  };
}

function earlier(made: Made, mark: Uint32Array): Uint32Array[] {
  const text = textRecords(handleMarkText(Object.assign({}, made, { isEarlier: true })));
  const all: Uint32Array[] = [];
  for (let at = 0; at < text.length; at += kEventWords) all.push(text.slice(at, at + kEventWords));
  return all.concat([mark]);
}
