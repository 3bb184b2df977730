// A question about a trace, answered. The page, its panels, the report and heapglass ask all come here.

import type { Answer, BlockRanges, Question } from '../protocol/answers.ts';
import { kNoCalls } from '../trace/no_calls.ts';
import type { Trace } from '../trace/trace.ts';
import { type Asked, known } from './ask.ts';
import { holesOf } from './free_space.ts';
import { rangesOfGroup } from './held_groups.ts';
import { rangesOfOld } from './held_long.ts';
import { kMostAnswerBlocks, kMostAnswerHoles } from './limits.ts';
import { rangesOf } from './one_site.ts';
import { whatLeaked } from './what_leaked.ts';
import { whatPins } from './what_pins.ts';
import { whoHolds } from './who_holds.ts';
import { whyGrew } from './why_grew.ts';
import { willFit } from './will_fit.ts';

/** Goes to other moments of the model where the question needs it. O(chunks of the heap, and events to the nearest keyframe). */
export function answer(asked: Asked, question: Question): Answer {
  const made = answerOf(asked, question);
  const { head, trace } = asked.model.history;
  return head.seq > 0 ? made : { ...made, ...nothingRecorded(trace) };
}

/** A file of which no event can be read says nothing, and so not that nothing leaked. */
const nothingRecorded = ({ count }: Trace): Pick<Answer, 'sentence' | 'deciding' | 'answered' | 'missing'> => ({
  sentence: 'The trace has no event.',
  deciding: [0, 0],
  answered: false,
  missing: count > 0 ? '' : `If its file is whole, ${kNoCalls}.`,
});

function answerOf(asked: Asked, question: Question): Answer {
  switch (question.ask) {
    case 'holds':
      return whoHolds(known(asked), question);
    case 'leaked':
      return whatLeaked(asked);
    case 'grew':
      return whyGrew(asked, question.nth);
    case 'fits':
      return willFit(known(asked), question.bytes);
    case 'pins':
      return whatPins(known(asked), question.address);
  }
}

/** All blocks that the map lights for an answer about what holds memory; undefined: the answer names each of them. O(chunks of the heap). */
export function allBlocks(asked: Asked, question: Question, made: Answer): BlockRanges | undefined {
  const { evidence } = made;
  if (evidence.blocks.length < kMostAnswerBlocks) return undefined;
  const group = made.ask === 'holds' ? made.figures.group : null;
  if (group !== null) return rangesOfGroup(known(asked).state, asked.heap, group);
  const old = made.ask === 'leaked' ? made.figures.old : null;
  if (old !== null) return rangesOfOld(known(asked).state, asked.heap, old);
  return rangesOf(known(asked), question, evidence.sites[0]);
}

/** All holes that the map lights for an answer; undefined: the answer names each of them. O(chunks of the heap). */
export function allHoles(asked: Asked, made: Answer): BlockRanges | undefined {
  const { ask, event, heap, evidence } = made;
  if (evidence.holes.length < kMostAnswerHoles) return undefined;
  const { state, entry } = known({ ...asked, heap, event: ask === 'grew' ? evidence.event : event });
  if (entry === undefined) return undefined;
  const least = made.ask === 'fits' && made.figures.fits === 'yes' ? made.figures.needed_bytes : 0; // as holesFor of will_fit.ts
  const holes = holesOf(state, entry)
    .filter(({ size_bytes }) => size_bytes >= least)
    .sort((one, two) => one.address - two.address);
  return {
    address: Uint32Array.from(holes, ({ address }) => address),
    size: Uint32Array.from(holes, ({ size_bytes }) => size_bytes),
  };
}
