// Handles that the glue of modules makes, written into the traces of those modules: where each was made in JavaScript, what it points to,
// and how it ended. The marks are those of trace/handle_marks.ts.
//
//   glue_hooks.ts ─ made, deleted, collected ─▶ whose handle? ─▶ marks into that recorder's trace, by the call that programs have too
//
//  watch.1  One for all copies of this file in a realm: what the language has can be replaced once.
//  watch.2  A handle is a recorder's when its glue, by the address of the script, is the one that instantiated the module. Where no glue is
//           (bundlers do it in a script of their own), it is one of the recorders that no glue was found for; of several, of the one
//           whose allocator was called before each handle of the class. As long as that leaves more than one, its marks wait.
//  watch.3  A stack costs the engine some 10 µs. Its frames are read and written once: handles of the same stack and class have one origin.
//  watch.4  Nothing is thrown into the glue: what a recorder refuses, as inside a listener, is not recorded.
//
// It is linked into programs too (tools/build_recorder.mjs): no classes, no destructuring.

import { type HandleMark, handleMarkText } from '../trace/handle_marks.ts';
import { hookGlue, type Pointer } from './glue_hooks.ts';
import { framesOf, type StackFrame, stackText } from './stack_frames.ts';

/** What is needed of a recorder. */
export interface Marked {
  /** Events written so far. */
  readonly count: number;
  mark(text: string): void;
}

/** Says where a frame really is, at once or later, when it finds a source map. */
export type Resolve = (frame: StackFrame, found: (place: StackFrame) => void) => void;

export interface HandleWatch {
  /** Of a module that is instantiated now; `glue`: the script that does so, '' where that is not known. */
  add(recorder: Marked, glue: string): void;
  /** From here on, and for all frames that were written before. */
  resolveBy(resolve: Resolve): void;
  /** Where a frame really is, if that is known at once. */
  placed(frame: StackFrame): StackFrame;
}

const kMostFrames = 16; // of a stack
const kMostLetters = 200; // of a frame: linked programs take marks of 240 bytes
const kMostWaiting = 100_000; // marks of a class whose module is not known: then it stays unknown

interface Watched {
  readonly recorder: Marked;
  readonly glue: string;
  readonly origins: Map<string, number>;
  handles: number;
  count: number; // of the recorder, when a handle came last
  isMatched: boolean; // some handle was found by its glue
}

/** Whose the handles of a class are: watch.2. */
interface Owner {
  candidates: readonly Watched[];
  readonly waiting: ((watched: Watched) => void)[];
}

interface Followed {
  readonly owner: Owner;
  number: number; // 0: its mark waits
  isEnded: boolean;
}

/** A frame that was written. */
interface Written {
  readonly watched: Watched;
  readonly origin: number;
  readonly nth: number;
  readonly frame: StackFrame;
}

const kKey = Symbol.for('heapglass.handles');
const place = globalThis as unknown as { [kKey]?: HandleWatch };

/** Undefined: no recorder of this realm follows handles. */
export const knownHandleWatch = (): HandleWatch | undefined => place[kKey];

/** Hooks the glue that comes from here on, if that was not done yet. */
export function handleWatch(): HandleWatch {
  const known = place[kKey];
  if (known !== undefined) return known;
  const made = makeWatch();
  place[kKey] = made;
  return made;
}

/** The script `above` frames outward: 0 is who calls this. */
export function scriptAbove(above: number): string {
  const frame = framesOf(stackText(above + 1), 1)[0];
  return frame === undefined ? '' : frame.file;
}

function makeWatch(): HandleWatch {
  const all: Watched[] = [];
  const owners = new WeakMap<object, Owner>();
  const followed = new WeakMap<object, Followed>();
  const places = makePlaces();

  function ownerOf(handle: object, stack: string): Owner {
    const kind = Object.getPrototypeOf(handle) as object;
    const known = owners.get(kind);
    if (known !== undefined) return known;
    const owner: Owner = { candidates: candidatesFor(all, stack), waiting: [] };
    owners.set(kind, owner);
    return owner;
  }

  function end(it: Followed, is: 'deleted' | 'collected'): void {
    if (it.isEnded) return;
    it.isEnded = true;
    whenOwned(it.owner, (watched) => putMark(watched, { is, handle: it.number }));
  }

  hookGlue({
    made(handle, pointer, above) {
      if (all.length === 0) return;
      const stack = stackText(above + 1);
      const owner = ownerOf(handle, stack);
      narrow(owner, all);
      if (owner.candidates.length === 0) return;
      const it: Followed = { owner, number: 0, isEnded: false };
      followed.set(handle, it);
      whenOwned(owner, (watched) => {
        it.number = ++watched.handles;
        const origin = originOf(watched, pointer, stack, places.write);
        const address = pointer.address;
        putMark(watched, { is: 'made', handle: it.number, origin, address, smart: pointer.smart, isEarlier: false });
        watched.count = watched.recorder.count;
      });
    },
    deleted(handle) {
      const it = followed.get(handle);
      if (it !== undefined) end(it, 'deleted');
    },
    endOf(handle) {
      const it = followed.get(handle);
      return it === undefined ? undefined : () => end(it, 'collected');
    },
  });
  return {
    add(recorder, glue) {
      all.push({ recorder, glue, origins: new Map(), handles: 0, count: 0, isMatched: false });
    },
    resolveBy: places.resolveBy,
    placed: places.placed,
  };
}

/** Frames, and what source maps say of them. */
function makePlaces() {
  const waiting: Written[] = []; // for what resolves them
  let resolve: Resolve | undefined;
  const put = (written: Written, frame: StackFrame): void => {
    putMark(written.watched, { is: 'frame', origin: written.origin, nth: written.nth, frame: frameText(frame) });
  };
  return {
    write(written: Written): void {
      if (resolve === undefined) waiting.push(written);
      let frame = written.frame;
      let isWritten = false;
      if (resolve !== undefined) {
        resolve(written.frame, (found) => {
          frame = found;
          if (isWritten) put(written, found);
        });
      }
      put(written, frame);
      isWritten = true;
    },
    placed(frame: StackFrame): StackFrame {
      let place = frame;
      if (resolve !== undefined) {
        resolve(frame, (found) => {
          place = found;
        });
      }
      return place;
    },
    resolveBy(how: Resolve): void {
      if (resolve !== undefined) return;
      resolve = how;
      for (const written of waiting.splice(0)) how(written.frame, (found) => put(written, found));
    },
  };
}

/** watch.2 */
function candidatesFor(all: readonly Watched[], stack: string): readonly Watched[] {
  const frame = framesOf(stack, 1)[0];
  const glue = frame === undefined ? '' : frame.file;
  const same = all.filter((watched) => glue !== '' && watched.glue === glue);
  for (const watched of same) watched.isMatched = true;
  return same.length > 0 ? same : all.filter((watched) => !watched.isMatched);
}

/** Of several candidates those whose allocator was called since the last handle, where some were. */
function narrow(owner: Owner, all: readonly Watched[]): void {
  if (owner.candidates.length < 2) return;
  const called = owner.candidates.filter((watched) => watched.recorder.count !== watched.count);
  if (called.length > 0) owner.candidates = called;
  for (const watched of all) watched.count = watched.recorder.count;
}

function whenOwned(owner: Owner, write: (watched: Watched) => void): void {
  owner.waiting.push(write);
  const only = owner.candidates[0];
  if (owner.waiting.length > kMostWaiting) owner.candidates = [];
  if (owner.candidates.length === 0) owner.waiting.length = 0;
  if (owner.candidates.length !== 1 || only === undefined) return;
  for (const waiting of owner.waiting.splice(0)) waiting(only);
}

function originOf(watched: Watched, pointer: Pointer, stack: string, write: (written: Written) => void): number {
  const className = pointer.className;
  const pointsTo = pointer.pointsTo;
  const key = `${pointsTo} ${className}\n${stack}`;
  const known = watched.origins.get(key);
  if (known !== undefined) return known;
  const origin = watched.origins.size + 1;
  watched.origins.set(key, origin);
  putMark(watched, { is: 'origin', origin, pointsTo, className: className.slice(0, kMostLetters) });
  framesOf(stack, kMostFrames).forEach((frame, nth) => {
    write({ watched, origin, nth, frame });
  });
  return origin;
}

/** As frames of call sites are written: base/frames.ts. The end of a long address says more than its begin. */
export function frameText(frame: StackFrame): string {
  const name = (frame.name || '(anonymous)').slice(0, kMostLetters / 4);
  const place = `${frame.file}:${frame.line}`;
  return `${name}@${place.slice(-(kMostLetters - name.length))}`;
}

/** watch.4 */
function putMark(watched: Watched, mark: HandleMark): void {
  try {
    watched.recorder.mark(handleMarkText(mark));
  } catch (_) {}
}
