// The answers to standing questions that the page asks for: computed when asked, never for a frame, and kept while nothing changes.
//
//   kept.1  What was answered is kept until the trace grows, as "at the end" is no longer so then, or another one is opened.
//   kept.2  A question that needs another moment (why did it grow) goes there by the second state of the model, which the next frame
//           brings back: as a step of the visitor's in time costs.
//   kept.3  A reply gives its arrays away: what is kept has arrays of its own.

import { allBlocks, allHoles, answer } from '../answers/answer.ts';
import type { Asked } from '../answers/ask.ts';
import type { BlockRanges, Question, ShownAnswer } from '../protocol/answers.ts';
import type { Session } from './session.ts';

const kMostKept = 64;

export class KeptAnswers {
  #session: Session | undefined;
  #head = 0;
  readonly #kept = new Map<string, ShownAnswer>();

  of(session: Session, question: Question, at: number, heap: number): ShownAnswer {
    if (session !== this.#session || session.head !== this.#head) this.#kept.clear(); // kept.1
    this.#session = session;
    this.#head = session.head;
    const event = Math.max(0, Math.min(at, session.head));
    const key = JSON.stringify([question, event, heap]);
    const made = this.#kept.get(key) ?? shownAnswer({ model: session.model, event, heap }, question);
    this.#kept.delete(key); // the last asked is the last to go
    this.#kept.set(key, made);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > kMostKept && oldest !== undefined) this.#kept.delete(oldest);
    return withOwnArrays(made);
  }
}

function shownAnswer(asked: Asked, question: Question): ShownAnswer {
  const made = answer(asked, question);
  return { ...made, all: allBlocks(asked, question, made), allHoles: allHoles(asked, made) };
}

/** kept.3 */
const withOwnArrays = (made: ShownAnswer): ShownAnswer => ({
  ...made,
  all: copyOf(made.all),
  allHoles: copyOf(made.allHoles),
});

const copyOf = (ranges: BlockRanges | undefined): BlockRanges | undefined =>
  ranges && { address: ranges.address.slice(), size: ranges.size.slice() };
