// What is asked of a whole trace, apart from its frames: the standing questions, what was freed almost at once, a stretch of time.
// A view that shows one moment only (<hg-heap-map>) goes without, and its worker does not carry them.

import { answer } from '../answers/answer.ts';
import { standingNumber } from '../answers/standing.ts';
import { queryStack } from '../model/queries/query_stack.ts';
import type { Question } from '../protocol/answers.ts';
import type { Reply, Request } from '../protocol/messages.ts';
import { KeptAnswers } from './answers.ts';
import { RangeSites } from './range_sites.ts';
import type { Session } from './session.ts';
import { Temporaries } from './temporaries.ts';

/** The requests that it answers. */
export type WholeRequest = Extract<Request, { type: 'temporaries' | 'rangeSites' | 'stack' | 'answer' | 'standing' }>;

export class WholeQuestions {
  readonly #temporaries = new Temporaries();
  readonly #rangeSites = new RangeSites();
  readonly #answers = new KeptAnswers();

  /** pause: between slices of what reads all events. */
  async answer(session: Session, request: WholeRequest, pause: () => Promise<void>): Promise<Reply> {
    switch (request.type) {
      case 'temporaries':
        return this.#countTemporaries(session, request.within, pause);
      case 'rangeSites':
        return this.#sumRange(session, request, pause);
      case 'stack': {
        const { model, head } = session;
        const { state } = model.at(Math.max(0, Math.min(request.at, head)));
        return { type: 'stack', stack: queryStack(model.history, state, request.address) ?? [] };
      }
      case 'answer':
        return this.#answer(session, request);
      case 'standing':
        return { type: 'standing', number: numberOf(session, request) };
    }
  }

  async #countTemporaries(session: Session, within: number, pause: () => Promise<void>): Promise<Reply> {
    if (!Number.isInteger(within) || within < 1)
      throw new Error(`within is ${within}; it is a number of allocations, 1 or more`);
    return { type: 'temporaries', temporaries: await this.#temporaries.of(session, within, pause) };
  }

  async #sumRange(
    session: Session,
    range: Extract<WholeRequest, { type: 'rangeSites' }>,
    pause: () => Promise<void>,
  ): Promise<Reply> {
    const { from, to } = range;
    if (!(from >= 0 && from <= to)) throw new Error(`events ${from} to ${to} are no stretch of time`);
    return { type: 'rangeSites', range: await this.#rangeSites.of(session, range, pause) };
  }

  #answer(session: Session, { question, at, heap }: Extract<WholeRequest, { type: 'answer' }>): Reply {
    checkSize(question);
    return { type: 'answered', answer: this.#answers.of(session, question, at, heap) };
  }
}

/** The state that is shown is there again behind it, so that the next step in time is a short one (kept.2). */
function numberOf({ model, head }: Session, request: Extract<WholeRequest, { type: 'standing' }>): string {
  const { question, at, heap } = request;
  checkSize(question);
  const event = Math.max(0, Math.min(at, head));
  const number = standingNumber(question, answer({ model, event, heap }, question));
  model.at(event);
  return number;
}

function checkSize(question: Question): void {
  if (question.ask === 'fits' && question.bytes !== undefined && !(question.bytes >= 0))
    throw new Error(`${question.bytes} is no number of bytes`);
}
