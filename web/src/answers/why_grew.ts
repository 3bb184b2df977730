// Why memory grew: "At event 26,204 `push_back` asked for 44 KiB; 52 KiB were free, but in 19 pieces, the largest 8 KiB."

import { formatCount } from '../base/format.ts';
import { frameParts } from '../base/frames.ts';
import type { History } from '../model/time/history.ts';
import type { AnswerBlock, AnswerSite, AnswerTo } from '../protocol/answers.ts';
import { decodeEvent } from '../trace/decode.ts';
import { sentence } from '../trace/sentence.ts';
import { type Asked, known, missingEvents, missingFreeLists, missingSites, noEvidence, said, together } from './ask.ts';
import { growthSentence } from './growth_sentence.ts';
import { type Growth, growthOf, growthPlaces, momentInCall } from './growths.ts';
import { ownFrameOf } from './held.ts';
import { kMostAnswerBlocks, kMostAnswerFrames } from './limits.ts';

/**
 * nth: so many growths before the latest, of the heap that is asked about. A growth is before the moment when its call has begun: the page
 * goes into that call, and the question asked again there has the same answer.
 */
export function whyGrew(asked: Asked, nth = 0): AnswerTo<'grew'> {
  const { model, heap } = asked;
  const { history, trace } = model;
  const moment = Math.max(0, Math.min(asked.event, history.head.seq));
  const steps = history.growthSteps;
  const own = [...steps.slice(0, steps.count)].filter((step) => heap === 0 || decodeEvent(trace, step).heap === heap);
  const all = growthPlaces(history.operations, own);
  const places = all.filter(({ begin }) => begin < moment);
  const count = places.length;
  const next = all[count]?.first;
  const others = { later_growths: all.length - count, next_event: next === undefined ? null : next + 1 };
  const place = places[count - 1 - nth];
  if (place === undefined) {
    const here = known(asked);
    const text =
      nth > 0 ? `there are only ${formatCount(count)} growths before this moment.` : 'no heap has grown yet.';
    return {
      ask: 'grew',
      figures: { growths: count, ...others, latest: null },
      ...said(here, 0, 'grew', sentence(text), { missing: missingEvents(history) }),
    };
  }
  const before = known({ ...asked, event: place.begin });
  const growth = growthOf(history, before.state, place);
  const { figures } = growth;
  const missing = together(missingFreeLists(before.state), missingSites(history), missingEvents(history));
  return {
    ask: 'grew',
    figures: { growths: count, ...others, latest: figures },
    ...said({ ...before, event: moment }, figures.heap, 'grew', growthSentence(history, growth), {
      answered: growth.free !== undefined || figures.cause === 'begins',
      missing,
      evidence: {
        ...noEvidence(momentInCall(history, place)),
        sites: asker(history, growth),
        blocks: pinningBlocks(history, growth),
        holes: growth.free?.holes ?? [],
        from_event: place.begin,
        to_event: place.end,
      },
    }),
  };
}

/** Who asked: one site without blocks of its own. */
function asker(history: History, { site, figures }: Growth): readonly AnswerSite[] {
  const frame = ownFrameOf(history, site);
  if (frame === '') return [];
  const { name, file, line } = frameParts(frame);
  const at = { oldest_event: figures.event, newest_event: figures.event };
  const stack = history.sites.stack(site).slice(0, kMostAnswerFrames);
  return [{ function: name, file, line, blocks: 0, size_bytes: 0, ...at, stack, sites: [site] }];
}

function pinningBlocks(history: History, { release }: Growth): readonly AnswerBlock[] {
  return blocksOf(history, release?.blocks ?? []);
}

export function blocksOf(
  { sites, operations }: History,
  blocks: readonly { readonly address: number; readonly size: number; readonly born: number }[],
): readonly AnswerBlock[] {
  return blocks.slice(0, kMostAnswerBlocks).map(({ address, size, born }) => ({
    address,
    size_bytes: size,
    born_event: born + 1,
    site: sites.areEntered ? sites.ofEvent(born, operations) : 0,
  }));
}
