// A growth in one sentence: what was asked, what was free just before, in how many pieces, by how much the heap grew for it, and who
// keeps the pieces apart.
//
//   say.S1  The event named is the one that the page goes to and lights: that of the call, where a call grew the heap.

import { formatBytes, formatCount } from '../base/format.ts';
import { spokenFrame } from '../base/frames.ts';
import type { History } from '../model/time/history.ts';
import type { GrowthFigures } from '../protocol/answers.ts';
import { plural, type Sentence, type Strong, sentence, strong } from '../trace/sentence.ts';
import type { Growth } from './growths.ts';
import { ownFrameOf } from './held.ts';

export function growthSentence(history: History, growth: Growth): Sentence {
  const { figures, site } = growth;
  const at = `At event ${formatCount(saidEvent(figures))}`;
  if (figures.cause === 'begins')
    return sentence(`${at} heap ${figures.heap} begins, with `, strong(formatBytes(figures.footprint_to_bytes)), '.');
  if (figures.call === 'none')
    return sentence(`${at} the heap grew to `, strong(formatBytes(figures.footprint_to_bytes)), ' outside every call.');
  const who = whoOf(history, site);
  const where = growth.isOneOfMany ? ` of heap ${figures.heap}` : '';
  return sentence(
    `${at} ${who} asked for ${askedText(growth)}${where}; `,
    ...foundText(growth),
    grewText(growth),
    inTheWayText(history, growth),
    endText(figures),
    '.',
  );
}

/** S1 */
export const saidEvent = ({ call, event, call_event }: Pick<GrowthFigures, 'call' | 'event' | 'call_event'>): number =>
  call === 'none' ? event : call_event + 1;

/** The program's own function, or the program. */
export function whoOf(history: History, site: number): string {
  const frame = ownFrameOf(history, site);
  return frame === '' ? 'the program' : spokenFrame(frame);
}

function askedText({ figures, slab }: Growth): string {
  const { request_bytes, request_blocks, needed_bytes, largest_free_bytes, cause } = figures;
  const asked =
    request_blocks === 1
      ? formatBytes(request_bytes)
      : `${plural(request_blocks, 'block')}${request_bytes === 0 ? '' : ` of ${formatBytes(request_bytes)}`}`;
  const isMore = needed_bytes > request_bytes + Math.max(request_bytes / 8, 64);
  if (slab !== undefined)
    return `${asked}, for which malloc makes a slab of ${plural(slab.blocks, 'block')} of ${formatBytes(slab.blockBytes)}, and so looks for ${formatBytes(needed_bytes)} in one piece`;
  if (isMore) return `${asked}, which takes ${formatBytes(needed_bytes)} in one piece`;
  const looksEnough = cause !== 'in_place' && request_bytes <= largest_free_bytes;
  return looksEnough ? `${asked}, a chunk of ${formatBytes(needed_bytes)}` : asked;
}

/** What the heap had. */
function foundText({ figures, free }: Growth): readonly (string | Strong)[] {
  if (free === undefined) return ['how much was free is not known, as the trace has no free lists'];
  const { cause, free_bytes, free_pieces, largest_free_bytes } = figures;
  const largest = strong(formatBytes(largest_free_bytes));
  switch (cause) {
    case 'fragmented':
      return [`${formatBytes(free_bytes)} were free, but in ${plural(free_pieces, 'piece')}, the largest `, largest];
    case 'in_place':
      return ['', largest, ' were free in one piece, but not behind the block that was to grow where it lies'];
    case 'too_little_free':
      if (free_bytes === 0) return ['', strong('nothing'), ' was free'];
      return [
        'only ',
        strong(formatBytes(free_bytes)),
        free_pieces === 1
          ? ` were free${tooFew(figures.needed_bytes, free_bytes)}`
          : ` were free, in ${plural(free_pieces, 'piece')}, the largest ${formatBytes(largest_free_bytes)}`,
      ];
    default:
      return ['', largest, ' were free in one piece, but the search did not come to it'];
  }
}

/** The effect; '' where nothing was granted. */
function grewText({ figures: { footprint_from_bytes, footprint_to_bytes }, free }: Growth): string {
  const by = footprint_to_bytes - footprint_from_bytes;
  return by <= 0 ? '' : `${free === undefined ? '; ' : ', so '}the heap grew by ${formatBytes(by)}`;
}

const inTheWayText = (history: History, { release }: Growth): string =>
  release === undefined ? '' : `; ${blocksInWords(history, release.blocks)} stood in the way`;

/** Blocks in the way, by whose they are: one function's, where call stacks say it, others, and those that only malloc still has. */
export function blocksInWords(
  history: History,
  blocks: readonly { readonly born: number; readonly isCached: boolean }[],
): string {
  const cached = blocks.filter(({ isCached }) => isCached).length;
  const [frame, most] = mostOften(history, blocks);
  const others = blocks.length - cached - most;
  const own = most === 0 ? [] : [`${plural(most, 'block')} of ${spokenFrame(frame)}`];
  const rest = others === 0 ? [] : [most === 0 ? plural(others, 'block') : plural(others, 'other')];
  const named = [...own, ...rest];
  const inCache =
    cached === 0 ? [] : [`${named.length === 0 ? plural(cached, 'block') : formatCount(cached)} that malloc caches`];
  const parts = [...named, ...inCache];
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts[parts.length - 1]}`;
}

/** The program's own function that made most of the blocks in use, and how many of them. */
function mostOften(
  history: History,
  blocks: readonly { readonly born: number; readonly isCached: boolean }[],
): readonly [frame: string, count: number] {
  const { sites, operations } = history;
  const counts = new Map<string, number>();
  if (!sites.areEntered) return ['', 0];
  for (const { born, isCached } of blocks) {
    if (isCached) continue;
    const frame = ownFrameOf(history, sites.ofEvent(born, operations));
    counts.set(frame, (counts.get(frame) ?? 0) + 1);
  }
  const [most = ['', 0] as const] = [...counts].sort(([, one], [, two]) => two - one);
  return most[0] === '' ? ['', 0] : most;
}

/** Where both numbers are written the same. */
const tooFew = (needed: number, free: number): string =>
  formatBytes(needed) === formatBytes(free) ? `, ${formatBytes(needed - free)} too few` : '';

function endText({ cached_bytes, refused, footprint_from_bytes, footprint_to_bytes }: GrowthFigures): string {
  const cached = cached_bytes === 0 ? '' : `; malloc had ${formatBytes(cached_bytes)} cached`;
  if (!refused) return cached;
  return `${cached}; ${footprint_to_bytes > footprint_from_bytes ? 'the first request for memory' : 'more memory'} was refused`;
}
