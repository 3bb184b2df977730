// The program's own frame of each call site: the innermost one that is no library's and no allocator's (base/frames.ts).
//
//   own.O1  Where no frame of a stack is the program's own, the innermost one counts.
//   own.O2  A site's stack never changes (sites.T1), so what was found for it is kept.

import { isFolded } from '../../base/frames.ts';
import type { Sites } from './sites.ts';

const kKept = new WeakMap<Sites, Map<number, string>>();

/** '' when the site is not known. */
export function ownFrameAt(sites: Sites, site: number): string {
  const kept = kKept.get(sites) ?? new Map<number, string>();
  kKept.set(sites, kept);
  const known = kept.get(site);
  if (known !== undefined) return known;
  const innermost = sites.at(site);
  if (innermost === undefined) return '';
  let at = innermost;
  while (isFolded(at.frame)) {
    const caller = sites.at(at.parent);
    if (caller === undefined) break;
    at = caller;
  }
  const own = isFolded(at.frame) ? innermost.frame : at.frame; // O1
  kept.set(site, own);
  return own;
}

/** The sites whose stack has such a frame anywhere. */
export function sitesThrough(sites: Sites, isWanted: (frame: string) => boolean): ReadonlySet<number> {
  const wanted = new Map<string, boolean>();
  const found = new Set<number>();
  for (const { site, parent, frame } of sites.all()) {
    if (!wanted.has(frame)) wanted.set(frame, isWanted(frame));
    if (found.has(parent) || wanted.get(frame) === true) found.add(site); // a parent comes before its child
  }
  return found;
}
