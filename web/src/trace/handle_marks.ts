// Handles in a trace: JavaScript objects that stand for an object in wasm, made by embind's and wasm-bindgen's glue. Named marks with a
// first letter that no program's marks have; a time line leaves them out.
//
//   ␁o3 i Counter         origin 3 of handles: what they point to, and their class
//   ␁f3 0 main@app.js:12  a frame of its stack in JavaScript; 0 is the innermost
//   ␁f3 0 main@app.ts:9   the same frame, by a source map that was read later
//   ␁m7 3 1f4c            handle 7 is made: its origin, its pointer (hexadecimal)
//   ␁m7 3 1f4c 1f00       the same with a smart pointer, an object of its own in wasm
//   ␁r7 3 1f4c            it was made before this trace begins, or before a loss (hm.2)
//   ␁d7   ␁c7             handle 7 is deleted; or it was collected, and the engine's finalizer has deleted it, late
//
//  hm.1  Numbers begin with 1 and are never reused. An origin is defined before its handles.
//  hm.2  Behind lost events, what is needed may come again, with the same numbers.
//
// It is linked into programs too (tools/build_recorder.mjs): no classes, no destructuring.

const kSign = '\u0001';

/** pointer: the begin of a block, or of none that is the handle's; inside: anywhere in its block, behind a count of references. */
export type PointsTo = 'pointer' | 'inside';

export type HandleMark =
  | { readonly is: 'origin'; readonly origin: number; readonly pointsTo: PointsTo; readonly className: string }
  | { readonly is: 'frame'; readonly origin: number; readonly nth: number; readonly frame: string }
  | {
      readonly is: 'made';
      readonly handle: number;
      readonly origin: number;
      readonly address: number;
      readonly smart: number; // 0: none
      readonly isEarlier: boolean; // ␁r
    }
  | { readonly is: 'deleted' | 'collected'; readonly handle: number };

export function handleMarkText(mark: HandleMark): string {
  switch (mark.is) {
    case 'origin':
      return `${kSign}o${mark.origin} ${mark.pointsTo === 'pointer' ? 'p' : 'i'} ${mark.className}`;
    case 'frame':
      return `${kSign}f${mark.origin} ${mark.nth} ${mark.frame}`;
    case 'made': {
      const smart = mark.smart === 0 ? '' : ` ${mark.smart.toString(16)}`;
      return `${kSign}${mark.isEarlier ? 'r' : 'm'}${mark.handle} ${mark.origin} ${mark.address.toString(16)}${smart}`;
    }
    case 'deleted':
      return `${kSign}d${mark.handle}`;
    case 'collected':
      return `${kSign}c${mark.handle}`;
  }
}

/** Whether the name of a mark is a handle's, though it may say nothing that can be read. */
export const isHandleText = (name: string): boolean => name.charAt(0) === kSign;

const kOrigin = /^.o([1-9]\d{0,9}) ([pi]) (.*)$/s;
const kFrame = /^.f([1-9]\d{0,9}) (\d{1,3}) (.*)$/s;
const kMade = /^.([mr])([1-9]\d{0,9}) ([1-9]\d{0,9}) ([0-9a-f]{1,8})(?: ([0-9a-f]{1,8}))?$/;
const kEnded = /^.([dc])([1-9]\d{0,9})$/;

/** undefined: it is no handle's, or cannot be read. */
export function readHandleMark(text: string): HandleMark | undefined {
  if (!isHandleText(text)) return undefined;
  const made = kMade.exec(text);
  if (made !== null) {
    const smart = made[5] === undefined ? 0 : Number.parseInt(made[5], 16);
    const address = Number.parseInt(made[4] as string, 16);
    const isEarlier = made[1] === 'r';
    return { is: 'made', handle: Number(made[2]), origin: Number(made[3]), address, smart, isEarlier };
  }
  const ended = kEnded.exec(text);
  if (ended !== null) return { is: ended[1] === 'd' ? 'deleted' : 'collected', handle: Number(ended[2]) };
  return readDefinition(text);
}

function readDefinition(text: string): HandleMark | undefined {
  const origin = kOrigin.exec(text);
  if (origin !== null) {
    const pointsTo = origin[2] === 'p' ? 'pointer' : 'inside';
    return { is: 'origin', origin: Number(origin[1]), pointsTo, className: origin[3] as string };
  }
  const frame = kFrame.exec(text);
  if (frame === null) return undefined;
  return { is: 'frame', origin: Number(frame[1]), nth: Number(frame[2]), frame: frame[3] as string };
}
