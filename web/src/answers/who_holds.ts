// Who holds the memory: "index_word (words.cpp:41) holds 71 % of 45.6 KiB, in 397 blocks."

import { formatBytes } from '../base/format.ts';
import { spokenFrame } from '../base/frames.ts';
import { percent } from '../document/words.ts';
import type { AnswerSite, AnswerTo, HoldsFigures } from '../protocol/answers.ts';
import { plural, type Sentence, sentence, strong } from '../trace/sentence.ts';
import { type Known, missingEvents, missingSites, noEvidence, said, together } from './ask.ts';
import { blocksOfSites, heldByOwnFrame, sumBySite } from './held.ts';
import { kMostAnswerSites } from './limits.ts';

export function whoHolds(known: Known): AnswerTo<'holds'> {
  const { history, state, heap, event } = known;
  const sites = heldByOwnFrame(history, sumBySite(history, state, heap));
  const [first] = sites.filter(isKnown);
  const figures: HoldsFigures = {
    blocks: sites.reduce((sum, { blocks }) => sum + blocks, 0),
    size_bytes: sites.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
    site_blocks: first?.blocks ?? 0,
    site_bytes: first?.size_bytes ?? 0,
    site_share: 0,
    sites: sites.filter(isKnown).length,
  };
  const share = figures.size_bytes === 0 ? 0 : figures.site_bytes / figures.size_bytes;
  const blocks = first === undefined ? [] : blocksOfSites(history, state, heap, new Set(first.sites));
  return {
    ask: 'holds',
    figures: { ...figures, site_share: share },
    ...said(known, heap, 'holds', sentenceOf(figures, share, first), {
      answered: first !== undefined || figures.blocks === 0,
      missing: together(figures.blocks === 0 ? '' : missingSites(history), missingEvents(history)),
      evidence: {
        ...noEvidence(event),
        sites: sites.slice(0, kMostAnswerSites),
        blocks,
        from_event: first?.oldest_event ?? 0,
      },
    }),
  };
}

/** The program's own frame of the site is known. */
export const isKnown = ({ function: name }: AnswerSite): boolean => name !== '';

/** `load` (load.cpp:12). */
export const spokenSite = ({ function: name, file, line }: AnswerSite): string =>
  spokenFrame(file === '' ? name : `${name}@${file}${line === 0 ? '' : `:${line}`}`);

function sentenceOf(figures: HoldsFigures, share: number, first: AnswerSite | undefined): Sentence {
  const { blocks, size_bytes } = figures;
  if (blocks === 0) return sentence('nobody holds memory: no block is in use.');
  if (first === undefined)
    return sentence(
      '',
      strong(formatBytes(size_bytes)),
      ` in ${plural(blocks, 'block')} are in use, and the trace does not say whose.`,
    );
  return sentence(
    `${spokenSite(first)} holds `,
    strong(percent(share)),
    ` of ${formatBytes(size_bytes)}, in ${plural(first.blocks, 'block')}.`,
  );
}
