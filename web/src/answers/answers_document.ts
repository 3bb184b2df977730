// Answers as heapglass ask prints them: each question, its sentence, and what recording would say more.

import type { Answer, QuestionId } from '../protocol/answers.ts';
import { type Answers, kAnswersVersion } from './answers_types.ts';

/** For a terminal. One answer alone needs no question above it. */
export function answersText(answers: readonly Answer[]): string {
  const isOne = answers.length === 1;
  const text = answers.map(({ question, sentence, missing }) => {
    const lines = [sentence, ...(missing === '' ? [] : [missing])];
    return isOne ? lines.join('\n') : [question, ...lines.map((line) => `  ${line}`)].join('\n');
  });
  return `${text.join('\n\n').replaceAll('\u202f', ' ')}\n`; // a terminal may not have the narrow space
}

export function answersJson(name: string, events: number, answers: readonly Answer[]): Answers {
  const of = <Id extends QuestionId>(ask: Id) =>
    answers.find((one): one is Extract<Answer, { ask: Id }> => one.ask === ask) ?? null;
  return {
    answers_version: kAnswersVersion,
    trace: { name, events },
    answers: { holds: of('holds'), leaked: of('leaked'), grew: of('grew'), fits: of('fits'), pins: of('pins') },
  };
}
