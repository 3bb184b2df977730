// Sites: the tree of all stacks in which something was allocated, filled by the engine's own stacks.
//
//   context ──known?──▶ site
//      └─ no ─▶ Error().stack ─▶ calls of this module, outermost first ─▶ a path in the tree ─▶ site
//
//   B1  A node is a call: where it stands in the original, and its parent, the call of the function that it stands in. Number 0 is
//       outside: JavaScript.
//   B2  Only frames of the instrumented module count. JavaScript between them is left out: the frame below an import is the one that
//       called it.
//   B3  A stack of more than kDeepest calls keeps the innermost ones. So a look at a stack takes a bounded time.
//   B4  Frames are written as engines print them, with the numbers of the original: wasm-function[12]:0x1a2b. symbols/ makes names of them.

import type { PlaceOf } from './place_map.ts';
import type { PlacedCall } from './site_table.ts';

/** The number of a node of the tree; it is asked for parents first. */
export type NumberOfSite = (parent: number, call: PlacedCall) => number;

/** More frames than this are not asked of the engine. */
export const kDeepest = 1024;

const kMostStacks = 10_000;
const kFrame = /(?:^\s*at (?:.*\()?|@)(.*):wasm-function\[(\d+)\]:0x([0-9a-f]+)\)?$/;

export class SiteBook {
  private readonly placeOf: PlaceOf;
  private readonly siteBelow: NumberOfSite;
  private readonly stacks = new Map<string, number>(); // a sampled stack is often one that was seen

  constructor(placeOf: PlaceOf, siteBelow: NumberOfSite) {
    this.placeOf = placeOf;
    this.siteBelow = siteBelow;
  }

  /** The site of a stack, as Error().stack gives it: on its top the recorder's frames, then those of the module. */
  siteOf(stack: string): number {
    const known = this.stacks.get(stack);
    if (known !== undefined) return known;
    const site = this.read(stack);
    if (this.stacks.size < kMostStacks) this.stacks.set(stack, site);
    return site;
  }

  private read(stack: string): number {
    const frames = stack
      .split('\n')
      .map((line) => kFrame.exec(line))
      .filter((match) => match !== null);
    const recorder = frames[0]?.[1];
    const module = frames.find(([, url]) => url !== recorder)?.[1];
    let site = 0;
    for (const [, url, index, offset] of frames.reverse()) {
      if (url !== module) continue;
      const call = this.placeOf(Number(index), Number.parseInt(offset ?? '', 16));
      if (call !== undefined && call.function >= 0) site = this.siteBelow(site, call);
    }
    return site;
  }
}

/** Of V8. */
export interface Frame {
  getScriptNameOrSourceURL(): string | null | undefined;
  /** Of wasm: the offset in the module. */
  getPosition(): number;
}

/** What V8 has beside the standard. */
interface Traced {
  stackTraceLimit?: number;
  prepareStackTrace?: ((error: Error, frames: readonly Frame[]) => unknown) | undefined;
}

/** What `read` makes of the frames here, of at most so many; undefined where the engine has none. */
export function withFrames<T>(most: number, read: (frames: readonly Frame[]) => T): T | undefined {
  const errors = Error as unknown as Traced;
  const { stackTraceLimit: limit = kDeepest, prepareStackTrace: prepare } = errors;
  let made: T | undefined;
  errors.stackTraceLimit = most;
  errors.prepareStackTrace = (_, frames) => {
    // the program's own, and Node's, read source maps
    made = read(frames);
    return '';
  };
  void new Error().stack;
  errors.prepareStackTrace = prepare;
  errors.stackTraceLimit = limit;
  return made;
}

/** The stack here, of all that JavaScript and wasm have on it up to kDeepest frames. */
export const stackHere = (): string => withFrames(kDeepest, plainly) ?? new Error().stack ?? '';

/** Whether a script is wasm. Where a call of JavaScript stands is expensive to say, and of no use here. */
const isWasm = new Map<string, boolean>();

export function isOfWasm(frame: Frame): boolean {
  const script = frame.getScriptNameOrSourceURL() ?? '';
  const known = isWasm.get(script);
  if (known !== undefined) return known;
  const is = String(frame).includes(':wasm-function[');
  if (script !== '' && isWasm.size < kMostStacks) isWasm.set(script, is);
  return is;
}

const plainly = (frames: readonly Frame[]): string =>
  frames
    .filter(isOfWasm)
    .map((frame) => `    at ${String(frame)}`)
    .join('\n');
