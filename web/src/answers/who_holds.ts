// Who holds the memory: "index_word (words.cpp:41) holds 71 % of 45.6 KiB, in 397 blocks." Of one call site: how much, and where.
// Where no call stack says who: the pool or the sizes that hold the most (held_groups.ts).

import { formatBytes } from '../base/format.ts';
import { spokenFrame } from '../base/frames.ts';
import { percent } from '../document/words.ts';
import type { AnswerSite, AnswerTo, HoldsFigures, Question } from '../protocol/answers.ts';
import { plural, type Sentence, sentence, strong } from '../trace/sentence.ts';
import { type Known, missingBlocks, missingEvents, missingSites, noEvidence, said, together } from './ask.ts';
import { blocksOfSites, heldByOwnFrame, sumBySite } from './held.ts';
import { blocksOfGroup, groupSentence, largestGroup } from './held_groups.ts';
import { kMostAnswerSites } from './limits.ts';
import { type FoundSite, findSite, wantedOfSite } from './one_site.ts';

export function whoHolds(known: Known, question: Question & { readonly ask: 'holds' }): AnswerTo<'holds'> {
  const { history, state, heap, event } = known;
  const sums = sumBySite(history, state, heap);
  const all = heldByOwnFrame(history, sums);
  const asked =
    question.site === undefined ? undefined : findSite(known, question.site, question.through === true, sums);
  const sites = asked?.sites ?? all;
  const [first] = sites.filter(isKnown);
  const of = asked?.sites ?? (first === undefined ? [] : [first]);
  const group = asked === undefined && first === undefined ? largestGroup(state, heap) : null;
  const figures: HoldsFigures = {
    blocks: total(all, 'blocks'),
    size_bytes: total(all, 'size_bytes'),
    site_blocks: total(of, 'blocks'),
    site_bytes: total(of, 'size_bytes'),
    site_share: 0,
    sites: all.filter(isKnown).length,
    group,
  };
  const share = figures.size_bytes === 0 ? 0 : figures.site_bytes / figures.size_bytes;
  const isWanted = asked?.isWanted ?? (first === undefined ? undefined : wantedOfSite(history, first));
  const blocks =
    isWanted !== undefined
      ? blocksOfSites(history, state, heap, isWanted)
      : group === null
        ? []
        : blocksOfGroup(state, heap, group);
  const oldest = group?.oldest_event ?? first?.oldest_event ?? 0;
  const unknown = missingBlocks(history);
  const isNone = figures.blocks === 0 && unknown === '';
  const open = asked === undefined ? first === undefined && !isNone : asked.frames === 0;
  return {
    ask: 'holds',
    figures: { ...figures, site_share: share },
    ...said(
      known,
      heap,
      'holds',
      asked === undefined ? sentenceOf(figures, share, first, unknown !== '') : siteSentence(asked, figures),
      {
        answered: !open,
        ...(asked === undefined ? {} : { question: `What does ${asked.spoken} hold?` }),
        missing: together(figures.blocks === 0 ? '' : missingSites(history), missingEvents(history), unknown),
        evidence: {
          ...noEvidence(event),
          sites: sites.slice(0, kMostAnswerSites),
          blocks,
          from_event: of.reduce((least, site) => Math.min(least, site.oldest_event), oldest),
        },
      },
    ),
  };
}

const total = (sites: readonly AnswerSite[], of: 'blocks' | 'size_bytes'): number =>
  sites.reduce((sum, site) => sum + site[of], 0);

/** The program's own frame of the site is known. */
export const isKnown = ({ function: name }: AnswerSite): boolean => name !== '';

/** `load` (load.cpp:12). */
export const spokenSite = ({ function: name, file, line }: AnswerSite): string =>
  spokenFrame(file === '' ? name : `${name}@${file}${line === 0 ? '' : `:${line}`}`);

/** isPart: there are blocks that the trace does not have. */
function sentenceOf(figures: HoldsFigures, share: number, first: AnswerSite | undefined, isPart: boolean): Sentence {
  const { blocks, size_bytes, group } = figures;
  if (group !== null) return groupSentence(group, figures);
  if (blocks === 0 && isPart) return sentence('of the blocks that this trace has, none is in use.');
  if (first === undefined || blocks === 0) return sentence('nobody holds memory: no block is in use.');
  return sentence(
    `${spokenSite(first)} holds `,
    strong(percent(share)),
    ` of ${formatBytes(size_bytes)}, in ${plural(first.blocks, 'block')}.`,
  );
}

function siteSentence({ spoken, frames, through, isAll }: FoundSite, figures: HoldsFigures): Sentence {
  const { site_blocks, site_bytes, size_bytes, blocks } = figures;
  if (frames === 0) return sentence(`no call site of the trace is called ${spoken}.`);
  if (site_blocks === 0) return sentence(`${spoken} holds nothing here: no block of it is in use.`);
  const who = isAll
    ? `${spoken} holds nothing itself; what it calls holds `
    : through
      ? `${spoken} and what it calls hold `
      : `${spoken} holds `;
  const share =
    blocks === site_blocks ? 'all that is in use' : `${percent(site_bytes / size_bytes)} of ${formatBytes(size_bytes)}`;
  return sentence(who, strong(formatBytes(site_bytes)), ` in ${plural(site_blocks, 'block')}, ${share}.`);
}
