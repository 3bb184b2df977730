// The program's own frame of each call site (base/frames.ts).
//
//   own.O1  Where all frames of a stack are folded, the innermost one counts.
//   own.O2  A site's stack changes with the generation of frames only (sites.T1, T6), so what was found for it is kept.

import { hasPlace, isFolded } from '../../base/frames.ts';
import type { Sites } from './sites.ts';

/** Of a site's frame and all around it, the innermost that is not folded and the innermost such that says where it stands; '' for none. */
interface Unfolded {
  readonly any: string;
  readonly placed: string;
}

const kNone: Unfolded = { any: '', placed: '' };
/** What was found, of the generation of frames (sites.T6). */
interface Kept {
  readonly generation: number;
  readonly bySite: Map<number, Unfolded>;
}
const kKept = new WeakMap<Sites, Kept>();

/** '' when the site is not known. */
export function ownFrameAt(sites: Sites, site: number): string {
  const { any, placed } = unfoldedAt(sites, site);
  return placed || any || (sites.at(site)?.frame ?? ''); // O1
}

function keptOf(sites: Sites): Map<number, Unfolded> {
  const known = kKept.get(sites);
  if (known?.generation === sites.generation) return known.bySite;
  const bySite = new Map<number, Unfolded>();
  kKept.set(sites, { generation: sites.generation, bySite });
  return bySite;
}

/** O2 */
function unfoldedAt(sites: Sites, site: number): Unfolded {
  const kept = keptOf(sites);
  const path: number[] = []; // inward, up to one that is known
  let around: Unfolded | undefined;
  for (let at = site; around === undefined; ) {
    const found = sites.at(at);
    around = kept.get(at) ?? (found === undefined ? kNone : undefined);
    if (around !== undefined || found === undefined) break;
    path.push(at);
    at = found.parent;
  }
  let unfolded = around ?? kNone;
  for (const at of path.reverse()) {
    const frame = sites.at(at)?.frame ?? '';
    if (!isFolded(frame)) unfolded = { any: frame, placed: hasPlace(frame) ? frame : unfolded.placed };
    kept.set(at, unfolded);
  }
  return unfolded;
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
