// What pins a hole: "Freeing 3 blocks of `cache_put` would join 212 KiB."

import { formatAddress, formatBytes } from '../base/format.ts';
import type { PinningBlock, PinsPart } from '../panels/pins/part.ts';
import type { AnswerBlock, AnswerTo, PinsFigures } from '../protocol/answers.ts';
import { ChunkState } from '../protocol/map_frames.ts';
import { type Sentence, sentence, strong } from '../trace/sentence.ts';
import { type Known, missingEvents, missingFreeLists, missingSites, noEvidence, said, together } from './ask.ts';
import { type FreeSpace, freeSpaceOf } from './free_space.ts';
import { blocksInWords } from './growth_sentence.ts';
import { pinsOf } from './pins.ts';

const kNoFree: FreeSpace = { bytes: 0, pieces: 0, largest: 0, top: 0, largestHole: 0, holes: [] };

/** selected: an address in the hole, or in a block beside it; undefined: the largest hole. */
export function whatPins(known: Known, selected: number | undefined): AnswerTo<'pins'> {
  const { history, state, entry, event } = known;
  const isKnown = entry !== undefined && !state.isForeign;
  const free = isKnown ? freeSpaceOf(state, entry) : kNoFree;
  const pins = pinsOf(history, state, entry, selected);
  const blocks = freedBlocks(pins);
  const joined = pins?.releases[pins.releases.length - 1]?.joined ?? 0;
  const figures: PinsFigures = {
    hole_bytes: pins?.hole.size ?? 0,
    free_bytes: free.bytes,
    free_pieces: free.pieces,
    top_bytes: free.top,
    pin_blocks: blocks.length,
    joined_bytes: joined,
  };
  const evidence = blocks.map(({ address, size, age }): AnswerBlock => {
    const born = state.seq - age;
    const site = history.sites.areEntered ? history.sites.ofEvent(born, history.operations) : 0;
    return { address, size_bytes: size, born_event: born + 1, site };
  });
  return {
    ask: 'pins',
    figures,
    ...said(known, entry?.id ?? 0, 'pins', sentenceOf(known, figures, pins, blocks), {
      answered: isKnown,
      missing: together(
        missingFreeLists(state),
        state.isForeign || pins === undefined ? '' : missingSites(history),
        missingEvents(history),
      ),
      evidence: {
        ...noEvidence(event),
        blocks: evidence,
        holes:
          pins === undefined ? free.holes : [{ address: pins.hole.address, size_bytes: pins.hole.size, is_top: false }],
      },
    }),
  };
}

/** The blocks of the largest release that the panel has too. */
function freedBlocks(pins: PinsPart | undefined): readonly PinningBlock[] {
  const release = pins?.releases[pins.releases.length - 1];
  if (pins === undefined || release === undefined) return [];
  const after = release.blocks - release.before;
  return pins.pins.filter(({ side, nth }) => nth <= (side === 'before' ? release.before : after));
}

function sentenceOf(
  { history, state, entry }: Known,
  { free_bytes, top_bytes, joined_bytes }: PinsFigures,
  pins: PinsPart | undefined,
  blocks: readonly PinningBlock[],
): Sentence {
  if (entry === undefined) return sentence('there is no heap at this moment.');
  if (state.isForeign) return sentence('what is free is not known, as the trace has no free lists.');
  if (pins === undefined)
    return free_bytes === 0
      ? sentence('', strong('nothing'), ' is free, so there is no hole.')
      : sentence('there is no hole: all that is free is top, ', strong(formatBytes(top_bytes)), '.');
  const { selected, hole } = pins;
  const which = `the ${selected ? '' : 'largest '}hole has ${formatBytes(hole.size)}, at ${formatAddress(hole.address)}`;
  if (blocks.length === 0) return sentence(`${which}, and no block lies beside it.`);
  const inWords = blocksInWords(
    history,
    blocks.map(({ age, state: kind }) => ({ born: state.seq - age, isCached: kind === ChunkState.cached })),
  );
  const freeNow = joined_bytes - blocks.reduce((sum, { size }) => sum + size, 0);
  return sentence(
    `freeing ${inWords} would join `,
    strong(formatBytes(joined_bytes)),
    `, ${formatBytes(freeNow)} of which are free now: ${which}.`,
  );
}
