// The number of an answer that stands on the question's button before anyone presses it: "Who holds it? 80 %", "What leaked? ≤ 37 blocks".
//
//   stand.1  It is part of the answer's sentence, or a word for what the sentence denies: whoever presses finds it again.
//   stand.2  '': the trace has no answer.
//   stand.3  A number that could be read as another one says which it is: what is only held is the most that can have leaked, and what was
//            asked for is not by how much the heap grew. A share without a holder is nobody's: where no call stack says who, the button
//            says what the answer goes by.

import { formatBytes } from '../base/format.ts';
import { percent } from '../document/words.ts';
import type { Answer, AnswerTo, FitsFigures, GrowthFigures, PinsFigures, Question } from '../protocol/answers.ts';
import { plural } from '../trace/sentence.ts';

export function standingNumber(question: Question, answer: Answer): string {
  switch (answer.ask) {
    case 'holds':
      return holdsNumber(answer);
    case 'leaked': {
      const { blocks, growing_sites } = answer.figures;
      if (blocks === 0) return answer.answered ? 'nothing' : '';
      if (growing_sites > 0) return plural(answer.evidence.sites[0]?.blocks ?? 0, 'block');
      return `≤ ${plural(blocks, 'block')}`;
    }
    case 'grew':
      if (answer.figures.latest === null) return answer.answered ? 'not yet' : '';
      return growthNumber(answer.figures.latest);
    case 'fits':
      return answer.answered ? fitsNumber(answer.figures, question.ask === 'fits' && question.bytes === undefined) : '';
    case 'pins':
      return answer.answered ? pinsNumber(answer.figures) : '';
  }
}

function holdsNumber({ answered, figures: { blocks, site_share, group } }: AnswerTo<'holds'>): string {
  if (blocks === 0) return answered ? 'nobody' : '';
  if (group !== null) return group.by === 'pool' ? `pool ${group.pool}` : 'by size'; // stand.3
  return site_share === 0 ? '' : percent(site_share);
}

/** What was asked for; outside every call, and of a heap that begins, what it then had. */
function growthNumber({ cause, call, request_bytes, request_blocks, footprint_to_bytes }: GrowthFigures): string {
  if (cause === 'begins' || call === 'none') return `to ${formatBytes(footprint_to_bytes)}`;
  return `for ${request_blocks === 1 ? formatBytes(request_bytes) : plural(request_blocks, 'block')}`;
}

function fitsNumber({ fits, request_bytes }: FitsFigures, isMost: boolean): string {
  if (!isMost) return fits;
  return fits === 'yes' || (fits === 'perhaps' && request_bytes > 0) ? `≤ ${formatBytes(request_bytes)}` : 'nothing';
}

function pinsNumber({ hole_bytes, pin_blocks, joined_bytes }: PinsFigures): string {
  if (hole_bytes === 0) return 'no hole';
  return formatBytes(pin_blocks === 0 ? hole_bytes : joined_bytes);
}
