// What leaked, as far as a trace can say it: what is still held, and which call sites keep adding to it (keeps_growing.ts).
//
//   leak.L1  A block held at the end was not freed; whether the program still needed it, the events do not say. So the sentence says
//            "still held" and "keeps growing", and never that a block is lost.
//   leak.L2  What grows in a part of the time only is said with that part.

import { formatBytes, formatCount } from '../base/format.ts';
import { percent } from '../document/words.ts';
import type { AnswerSite, AnswerTo, LeakedFigures } from '../protocol/answers.ts';
import { plural, type Sentence, sentence, strong } from '../trace/sentence.ts';
import {
  type Asked,
  kNotWhose,
  known,
  missingBlocks,
  missingEvents,
  missingSites,
  noEvidence,
  said,
  together,
} from './ask.ts';
import { blocksOfSites, heldByOwnFrame, sumBySite } from './held.ts';
import { blocksOfOld, oldBlocks } from './held_long.ts';
import { growingSites } from './keeps_growing.ts';
import { kMostAnswerSites } from './limits.ts';
import { wantedOfSite } from './one_site.ts';
import { isKnown, spokenSite } from './who_holds.ts';

export function whatLeaked(asked: Asked): AnswerTo<'leaked'> {
  const seen = known(asked);
  const { history, heap, event } = seen;
  const sites = heldByOwnFrame(history, sumBySite(history, seen.state, heap));
  const grown = growingSites(seen, sites);
  const growing = grown.map(({ site }) => site);
  const here = known(asked); // back from the moments before
  const [first] = growing.length > 0 ? growing : sites.filter(isKnown);
  const old = first === undefined ? oldBlocks(here.state, heap) : null;
  const figures: LeakedFigures = {
    blocks: sum(sites, 'blocks'),
    size_bytes: sum(sites, 'size_bytes'),
    growing_sites: growing.length,
    growing_blocks: sum(growing, 'blocks'),
    growing_bytes: sum(growing, 'size_bytes'),
    growing_since_event: grown[0]?.from ?? 0,
    growing_until_event: grown[0]?.until ?? event,
    is_end: event === history.trace.count,
    old,
  };
  const unknown = missingBlocks(history);
  const rest = sites.filter((site) => !growing.includes(site));
  const blocks =
    first !== undefined
      ? blocksOfSites(history, here.state, heap, wantedOfSite(history, first))
      : old === null
        ? []
        : blocksOfOld(here.state, heap, old);
  return {
    ask: 'leaked',
    figures,
    ...said(here, heap, 'leaked', sentenceOf(figures, event, growing[0], first, unknown !== ''), {
      answered: first !== undefined || (figures.blocks === 0 && unknown === ''),
      missing: together(figures.blocks === 0 ? '' : missingSites(history), missingEvents(history), unknown),
      evidence: {
        ...noEvidence(event),
        sites: [...growing, ...rest].slice(0, kMostAnswerSites),
        blocks: [...blocks].sort((one, two) => one.born_event - two.born_event),
        from_event: first?.oldest_event ?? old?.oldest_event ?? 0,
        to_event: first?.newest_event ?? old?.until_event ?? event,
      },
    }),
  };
}

const sum = (sites: readonly AnswerSite[], of: 'blocks' | 'size_bytes'): number =>
  sites.reduce((total, site) => total + site[of], 0);

/** isPart: there are blocks that the trace does not have. */
function sentenceOf(
  figures: LeakedFigures,
  event: number,
  growing: AnswerSite | undefined,
  first: AnswerSite | undefined,
  isPart: boolean,
): Sentence {
  const { blocks, size_bytes, is_end, old } = figures;
  const when = is_end ? 'at the end' : 'here';
  if (blocks === 0 && isPart) return sentence(`of the blocks that this trace has, none is held ${when}.`);
  if (blocks === 0) return sentence(`nothing leaked: ${when} no block is held.`);
  if (growing !== undefined) {
    const made = `made from event ${formatCount(growing.oldest_event)} to ${formatCount(growing.newest_event)}`;
    return sentence(
      `${growthOf(figures, event, spokenSite(growing))}: `,
      strong(plural(growing.blocks, 'block')),
      ` of it, ${formatBytes(growing.size_bytes)}, ${made}, are still held ${when}.`,
    );
  }
  const all = `${plural(blocks, 'block is', 'blocks are')} still held ${when}, ${formatBytes(size_bytes)}`;
  if (old !== null)
    return sentence(
      `${all}; `,
      strong(percent(old.share)),
      ` of that was made in the first half of the time, up to event ${formatCount(old.until_event)}; ${kNotWhose}.`,
    );
  if (first === undefined) return sentence('', strong(all), `; ${kNotWhose}.`);
  const most = `most by ${spokenSite(first)}, ${plural(first.blocks, 'block')} of ${formatBytes(first.size_bytes)}`;
  return sentence('no call site keeps growing; ', strong(all), `, ${most}.`);
}

/** L2 */
function growthOf({ growing_since_event, growing_until_event }: LeakedFigures, event: number, site: string): string {
  if (growing_since_event === 0) return `${site} keeps growing`;
  if (growing_until_event < event) return `${site} grew, and not since`;
  return `in the last ${percent((event - growing_since_event) / event)} of the time, ${site} keeps growing`;
}
