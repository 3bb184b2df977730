// What pins a hole: "Freeing 3 blocks of `cache_put` would join 212 KiB."

import { formatAddress, formatBytes } from '../base/format.ts';
import type { HeapState } from '../model/state/heap_state.ts';
import { blocksInUse, slabAround } from '../model/state/slab_around.ts';
import type { PinsPart } from '../panels/pins/part.ts';
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
  const blocks = freedBlocks(state, pins);
  const joined = pins?.releases[pins.releases.length - 1]?.joined ?? 0;
  const figures: PinsFigures = {
    hole_bytes: pins?.hole.size ?? 0,
    free_bytes: free.bytes,
    free_pieces: free.pieces,
    top_bytes: free.top,
    pin_blocks: blocks.length,
    joined_bytes: joined,
  };
  const evidence = blocks.map(({ address, size, born }): AnswerBlock => {
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

/** The blocks of the largest release that the panel has too; of a slab those in use. */
function freedBlocks(state: HeapState, pins: PinsPart | undefined): readonly FreedBlock[] {
  const release = pins?.releases[pins.releases.length - 1];
  if (pins === undefined || release === undefined) return [];
  return pins.pins
    .filter(({ side, nth }) => nth <= (side === 'before' ? release.before : release.after))
    .flatMap(({ address, size, age, state: kind }): FreedBlock[] => {
      const slab = slabAround(state, address);
      const whole = { address, size, born: state.seq - age, isCached: kind === ChunkState.cached };
      if (slab === undefined || slab.free === slab.blocks) return [whole];
      return blocksInUse(state, slab).map(([at, granule]) => {
        return { address: at, size: slab.blockBytes, born: state.born[granule] ?? 0, isCached: false };
      });
    });
}

interface FreedBlock {
  readonly address: number;
  readonly size: number;
  readonly born: number;
  readonly isCached: boolean;
}

function sentenceOf(
  { history, state, entry }: Known,
  { free_bytes, top_bytes, joined_bytes }: PinsFigures,
  pins: PinsPart | undefined,
  blocks: readonly FreedBlock[],
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
  const inWords = blocksInWords(history, blocks);
  const last = pins.releases[pins.releases.length - 1];
  const freed = pins.pins.filter(({ side, nth }) => nth <= ((side === 'before' ? last?.before : last?.after) ?? 0));
  const freeNow = joined_bytes - freed.reduce((sum, { size }) => sum + size, 0);
  return sentence(
    `freeing ${inWords} would join `,
    strong(formatBytes(joined_bytes)),
    `, ${formatBytes(freeNow)} of which are free now: ${which}.`,
  );
}
