// Questions in words, as a person types them on the page or at a command line: "who holds", "leak", "why did it grow", "will 300 KiB fit",
// "what pins 0x00104000", "largest free".
//
//   words.A1  A question is known by a word that only it has; the first row of the table whose words occur is it. What else is typed does
//             not count, so that a whole sentence is understood.
//   words.A2  A size without a unit is in bytes. "what fits" without a size asks for the most that does.
//   words.A3  An address stands behind 0x, with or without the underscore that addresses are shown with.
//   words.A4  "who holds load" and "how much does load hold" are about the call sites that are called so, "who holds through main" about
//             what it calls, too. Words that name no call site (the memory, it, most ...) do not count.
//   words.A5  Whether memory can go back is none of the five: a sentence about it is not taken for one of them.

import { failure, type Result, success } from '../base/result.ts';
import type { Question, QuestionId } from '../protocol/answers.ts';

interface Form {
  readonly ask: QuestionId;
  readonly words: RegExp;
  readonly example: string;
}

/** In the order in which they are tried. */
const kForms: readonly Form[] = [
  { ask: 'fits', words: /\b(fit|fits|fitting|space for|place for)\b/, example: 'will 300 KiB fit' },
  {
    ask: 'pins',
    words: /\b(pin|pins|pinned|pinning|hole|holes|fragment\w*|largest(?! blocks?\b))\b/,
    example: 'what pins',
  },
  { ask: 'grew', words: /\b(grow|grows|grew|grown|growing|growth|growths)\b/, example: 'why grow' },
  {
    ask: 'leaked',
    words: /\b(leak|leaks|leaked|leaking|lost|not freed|never freed|still held)\b/,
    example: 'what leaked',
  },
  { ask: 'holds', words: /\b(who|whose|holds|hold|held|owns|owner|most memory|memory)\b/, example: 'who holds' },
];

/** A5 */
export const isAboutGoingBack = (text: string): boolean =>
  /^\s*(can|could|what|how|why|does|do|will|would|when|is)\b.*\b((go|goes|going|gives?|given|comes?) back|shrinks?|returns?|returned)\b/i.test(
    text,
  );

/** All five, each in a form that is understood, in the order in which they are shown. */
export const kExamples: readonly string[] = ['who holds', 'what leaked', 'why grow', 'will 300 KiB fit', 'what pins'];

/** Asked when nothing else is. */
export const kStanding: readonly Question[] = [
  { ask: 'holds' },
  { ask: 'leaked' },
  { ask: 'grew' },
  { ask: 'fits' },
  { ask: 'pins' },
];

export function questionIn(text: string): Result<Question, string> {
  const site = siteIn(text);
  if (site !== undefined) return success(site);
  const said = text.toLowerCase().trim();
  const goesBack = isAboutGoingBack(said);
  const form = goesBack ? undefined : kForms.find(({ words }) => words.test(said));
  if (form === undefined) {
    const known = kExamples.map((one) => `"${one}"`).join(', ');
    return failure(
      `"${text}" is none of the questions: ${known}${goesBack ? '; "heapglass report" says what could go back' : ''}`,
    );
  }
  switch (form.ask) {
    case 'fits': {
      const bytes = sizeIn(said);
      return success(bytes === undefined ? { ask: 'fits' } : { ask: 'fits', bytes });
    }
    case 'pins': {
      const address = addressIn(said);
      return success(address === undefined ? { ask: 'pins' } : { ask: 'pins', address });
    }
    default:
      return success({ ask: form.ask });
  }
}

const kUnits: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  byte: 1,
  bytes: 1,
  k: 1024,
  kb: 1000,
  kib: 1024,
  m: 1024 ** 2,
  mb: 1000 ** 2,
  mib: 1024 ** 2,
  g: 1024 ** 3,
  gb: 1000 ** 3,
  gib: 1024 ** 3,
};

const kSaysNothing =
  /^(the|this|that|these|it|its|all|most|more|much|of|my|our|heap|program|app|memory|blocks?|bytes?|now|here|there|please)$/i;

/** A4 */
function siteIn(text: string): Question | undefined {
  const [, through, name] =
    /^\s*who\s+holds\s+(through\s+)?(.+?)\s*\??\s*$/is.exec(text) ??
    /^\s*(?:how\s+much|what)(?:\s+memory)?\s+do(?:es)?\s+()(.+?)\s+(?:hold|own|use|take|have)\s*\??\s*$/is.exec(text) ??
    [];
  if (name === undefined || name.split(/[\s,]+/).every((word) => kSaysNothing.test(word))) return undefined;
  return { ask: 'holds', site: name, ...(!through ? {} : { through: true }) };
}

/** A2 */
function sizeIn(said: string): number | undefined {
  const found = /(\d[\d,_]*(?:\.\d+)?)[\s\u202f]*(bytes?|[kmg]i?b|[kmgb])?(?![\w.])/.exec(said);
  if (found === null) return undefined;
  const [, number = '', unit = ''] = found;
  return Math.ceil(Number(number.replace(/[,_]/g, '')) * (kUnits[unit] ?? 1));
}

/** A3 */
function addressIn(said: string): number | undefined {
  const found = /0x([0-9a-f_]+)/.exec(said)?.[1];
  return found === undefined ? undefined : Number.parseInt(found.replaceAll('_', ''), 16);
}
