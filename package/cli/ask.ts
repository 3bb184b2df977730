// heapglass ask ["question"] trace: one of the five standing questions, or all of them, in a sentence each.
//
//   ask.Z1  Exit code 0: answered. 2: there is no answer, because the trace does not say it, nobody knows the question, or the file
//           cannot be read. Without a question all five are printed, and what is not known among them is not an error. 3: answered
//           from what is known of a trace that is not whole.
//   ask.Z2  The page's question line and the report have the same sentences (web/src/answers).

import { answer } from '../../web/src/answers/answer.ts';
import { answersJson, answersText } from '../../web/src/answers/answers_document.ts';
import { Model } from '../../web/src/model/time/model.ts';
import { kExamples, kStanding, questionIn } from '../../web/src/protocol/question_words.ts';
import { knownPart } from '../../web/src/report/verdict.ts';
import { print, printJson } from './output.ts';
import { kNoAnswer, Problem } from './problem.ts';
import { readTrace } from './traces.ts';
import { sayVerdict } from './verdict.ts';

export interface AskOptions {
  readonly at?: number;
  readonly heap?: number;
  readonly json?: boolean;
}

export const kAskHelp = `
Questions:
${kExamples.map((example) => `  ${example}`).join('\n')}
`;

/** words: of the question, and the trace behind them. */
export async function ask(words: readonly string[], { at, heap, json }: AskOptions): Promise<number> {
  const path = words[words.length - 1] ?? '';
  const said = words.slice(0, -1).join(' ');
  const question = said === '' ? undefined : questionIn(said);
  if (question?.ok === false) throw new Problem(question.error, kNoAnswer);
  const { name, file: whole } = await readTrace(path, kNoAnswer);
  const { file, verdict } = knownPart(whole);
  const model = new Model(file.trace);
  model.history.fold();
  const asked = { model, event: at ?? file.trace.count, heap: heap ?? 0 };
  const answers = (question === undefined ? kStanding : [question.value]).map((one) => answer(asked, one));
  if (json === true) printJson(answersJson(name, file.trace.count, answers));
  else print(answersText(answers).trimEnd());
  const code = sayVerdict(path, verdict);
  return question === undefined || answers[0]?.answered === true ? code : kNoAnswer;
}
