// What leaked, as far as a trace can say it: what is still held, and which call sites keep adding to it.
//
//   births of a site's blocks that are still held, by quarter of the time since the first of them:
//
//       ▂▂▂▂▂▂▂▂  keeps growing: some of each quarter were never freed         █▁▁▁▁▁▁▁  made once and kept
//       ▁▁▁▁▁▁▁█  in use now: all are young
//
//   how many blocks of a site are held, at half of the time, at three quarters, now:
//
//       ▄▆█  keeps growing           ███  replaced: each new block takes the place of one that was freed (a cache, a line of a text)
//
//   leak.L1  A block held at the end was not freed; whether the program still needed it, the events do not say. So the sentence says
//            "still held" and "keeps growing", and never that a block is lost.
//   leak.L2  A site keeps growing when blocks of it that are still held were born in each quarter of the time since the first
//            of them, and that time is at least half of what was recorded.
//   leak.L3  And it holds more of them at three quarters of what was recorded than at half, and more now, a sixteenth of all at least.

import { formatBytes, formatCount } from '../base/format.ts';
import { percent } from '../document/words.ts';
import type { AnswerSite, AnswerTo, LeakedFigures } from '../protocol/answers.ts';
import { plural, type Sentence, sentence, strong } from '../trace/sentence.ts';
import {
  type Asked,
  type Known,
  kNotWhose,
  known,
  missingBlocks,
  missingEvents,
  missingSites,
  noEvidence,
  said,
  together,
} from './ask.ts';
import { blocksOfSites, forEachBlock, heldByOwnFrame, sumBySite } from './held.ts';
import { blocksOfOld, oldBlocks } from './held_long.ts';
import { kMostAnswerSites } from './limits.ts';
import { wantedOfSite } from './one_site.ts';
import { isKnown, spokenSite } from './who_holds.ts';

const kQuarters = 4;
const kLeastRise = 1 / 16; // L3

export function whatLeaked(asked: Asked): AnswerTo<'leaked'> {
  const seen = known(asked);
  const { history, heap, event } = seen;
  const sites = heldByOwnFrame(history, sumBySite(history, seen.state, heap));
  const growing = risingSites(seen, bornInEachQuarter(seen, sites));
  const here = known(asked); // back from the moments before
  const [first] = growing.length > 0 ? growing : sites.filter(isKnown);
  const old = first === undefined ? oldBlocks(here.state, heap) : null;
  const figures: LeakedFigures = {
    blocks: sum(sites, 'blocks'),
    size_bytes: sum(sites, 'size_bytes'),
    growing_sites: growing.length,
    growing_blocks: sum(growing, 'blocks'),
    growing_bytes: sum(growing, 'size_bytes'),
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
    ...said(here, heap, 'leaked', sentenceOf(figures, growing[0], first, unknown !== ''), {
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

/** L2. Most bytes first. */
function bornInEachQuarter(
  { history, state, heap, event }: Known,
  sites: readonly AnswerSite[],
): readonly AnswerSite[] {
  const candidates = sites.filter((site) => isKnown(site) && event - site.oldest_event >= event / 2);
  const rowOf = new Map<number, number>();
  candidates.forEach(({ sites: numbers }, row) => {
    for (const number of numbers) rowOf.set(number, row);
  });
  if (rowOf.size === 0) return [];
  const quarters = new Uint8Array(candidates.length); // a bit for each quarter with a birth
  forEachBlock(state, heap, (_, __, born) => {
    const row = rowOf.get(history.sites.ofEvent(born, history.operations));
    const oldest = row === undefined ? 0 : (candidates[row]?.oldest_event ?? 0);
    if (row === undefined) return;
    const quarter = Math.floor(((born + 1 - oldest) / Math.max(1, event - oldest)) * kQuarters);
    quarters[row] = (quarters[row] ?? 0) | (1 << Math.min(quarter, kQuarters - 1));
  });
  return candidates.filter((_, row) => quarters[row] === (1 << kQuarters) - 1);
}

/** L3. Goes to two moments before. */
function risingSites({ model, history, heap, event }: Known, sites: readonly AnswerSite[]): readonly AnswerSite[] {
  if (sites.length === 0) return [];
  const heldAt = (moment: number): ReadonlyMap<string, number> => {
    const { state } = model.at(moment);
    return new Map(
      heldByOwnFrame(history, sumBySite(history, state, heap)).map((site) => [spokenSite(site), site.blocks]),
    );
  };
  const [half, later] = [event / 2, (3 * event) / 4].map((moment) => heldAt(Math.floor(moment)));
  return sites.filter((site) => {
    const [atHalf, atLater] = [half?.get(spokenSite(site)) ?? 0, later?.get(spokenSite(site)) ?? 0];
    return atHalf < atLater && atLater < site.blocks && site.blocks - atHalf >= kLeastRise * site.blocks;
  });
}

/** isPart: there are blocks that the trace does not have. */
function sentenceOf(
  figures: LeakedFigures,
  growing: AnswerSite | undefined,
  first: AnswerSite | undefined,
  isPart: boolean,
): Sentence {
  const { blocks, size_bytes, is_end, old } = figures;
  const when = is_end ? 'at the end' : 'here';
  if (blocks === 0 && isPart) return sentence(`of the blocks that this trace has, none is held ${when}.`);
  if (blocks === 0) return sentence(`nothing leaked: ${when} no block is held.`);
  if (growing !== undefined)
    return sentence(
      `${spokenSite(growing)} keeps growing: `,
      strong(plural(growing.blocks, 'block')),
      ` of it, ${formatBytes(growing.size_bytes)}, made from event ${formatCount(growing.oldest_event)} to ${formatCount(growing.newest_event)}, are still held ${when}.`,
    );
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
