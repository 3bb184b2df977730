// A question as a part of an address: holds   holds.load@load.cpp:12   through.main   leaked   grew   grew.2   fits.307200   pins   pins.0x41a30

import type { Question } from '../protocol/answers.ts';

/** undefined: it means nothing. */
export function readQuestion(text: string): Question | undefined {
  const site = /^(holds|through)\.(.+)$/s.exec(text);
  if (site !== null) return { ask: 'holds', site: site[2] ?? '', ...(site[1] === 'through' ? { through: true } : {}) };
  const [ask = '', ...rest] = text.split('.');
  const written = rest[0];
  const number = written !== undefined && /^(0x[\da-f]+|\d+)$/i.test(written) ? Number(written) : undefined;
  if (rest.length > 1 || (written !== undefined && (number === undefined || number > 0xffff_ffff))) return undefined;
  switch (ask) {
    case 'holds':
    case 'leaked':
      return written === undefined ? { ask } : undefined;
    case 'grew':
      return number === undefined ? { ask } : { ask, nth: number };
    case 'fits':
      return number === undefined ? { ask } : { ask, bytes: number };
    case 'pins':
      return number === undefined ? { ask } : { ask, address: number };
    default:
      return undefined;
  }
}

export function writeQuestion(question: Question): string {
  const { ask } = question;
  if (ask === 'holds' && question.site !== undefined)
    return `${question.through === true ? 'through' : 'holds'}.${question.site}`;
  if (ask === 'grew' && question.nth !== undefined && question.nth > 0) return `grew.${question.nth}`;
  if (ask === 'fits' && question.bytes !== undefined) return `fits.${question.bytes}`;
  if (ask === 'pins' && question.address !== undefined) return `pins.0x${question.address.toString(16)}`;
  return ask;
}

/** Whether its answer is of the moment that is shown, and changes with it; a growth keeps its own moment. */
export const followsMoment = ({ ask }: Question): boolean => ask !== 'grew';
