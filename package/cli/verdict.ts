// The verdict on a trace (web/src/report/verdict.ts) as every command gives it: sentences on standard error, and one exit code.
//
//   V3  A command that has an answer from a trace that is not whole ends with kNotWhole. Where something worse is to be said (no answer,
//       a condition that does not hold) that comes first.

import type { Verdict } from '../../web/src/report/verdict.ts';
import { say } from './output.ts';

export const kNotWhole = 3;

/** The exit code of a command that has done all else well. */
export function sayVerdict(path: string, { isWhole, sentences }: Verdict): number {
  for (const sentence of sentences) say(`${path}: ${sentence}`);
  return isWhole ? 0 : kNotWhole;
}
