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

/** Takes each new node of the tree, parents first. */
export type DefineSite = (site: number, parent: number, frame: string) => void;

/** More frames than this are not asked of the engine. */
export const kDeepest = 1024;

const kFrame = /(?:^\s*at (?:.*\()?|@)(.*):wasm-function\[(\d+)\]:0x([0-9a-f]+)\)?$/;

export class SiteBook {
  private readonly placeOf: PlaceOf;
  private readonly define: DefineSite;
  private readonly sites = new Map<string, number>();

  constructor(placeOf: PlaceOf, define: DefineSite) {
    this.placeOf = placeOf;
    this.define = define;
  }

  /** The site of a stack, as Error().stack gives it: on its top the recorder's frames, then those of the module. */
  siteOf(stack: string): number {
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
      if (call !== undefined && call.function >= 0) site = this.child(site, call);
    }
    return site;
  }

  private child(parent: number, call: PlacedCall): number {
    const key = `${parent} ${call.at}`;
    const known = this.sites.get(key);
    if (known !== undefined) return known;
    const site = this.sites.size + 1;
    this.sites.set(key, site);
    this.define(site, parent, frameOf(call));
    return site;
  }
}

const frameOf = ({ function: index, original }: PlacedCall): string =>
  original < 0 ? `wasm-function[${index}]` : `wasm-function[${index}]:0x${original.toString(16)}`;

/** The stack here, of all that JavaScript and wasm have on it up to kDeepest frames. */
export function stackHere(): string {
  const errors = Error as { stackTraceLimit?: number }; // only V8 has one
  const limit = errors.stackTraceLimit ?? kDeepest;
  errors.stackTraceLimit = kDeepest;
  const stack = new Error().stack ?? '';
  errors.stackTraceLimit = limit;
  return stack;
}
