// What an answer has lit on the map, beside the sign that it is drawn with: what the orange is.

import { formatCount } from '../../base/format.ts';
import { make } from '../../dom/dom.ts';
import type { ShownAnswer } from '../../protocol/answers.ts';

/** The signs of draw_lit.ts: blocks keep their colours, causes have an outline, holes a dashed one. */
type Sign = 'lit' | 'cause' | 'hole';

interface Meaning {
  readonly sign: Sign;
  readonly text: string;
}

const plural = (count: number, one: string): string => `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`;

function holesText(answer: ShownAnswer, holes: number): string {
  if (answer.ask === 'grew') return plural(holes, 'free piece');
  if (holes === 1) return 'the hole';
  return `${plural(holes, 'hole')}${answer.ask === 'fits' && answer.figures.fits === 'yes' ? ' large enough' : ''}`;
}

/** Nothing: the answer lights nothing. */
export function meaningsOf(answer: ShownAnswer): readonly Meaning[] {
  const { evidence, all, allHoles } = answer;
  const together = answer.ask === 'holds' ? answer.figures.group : answer.ask === 'leaked' ? answer.figures.old : null;
  const counted = together?.blocks ?? evidence.sites[0]?.blocks ?? 0; // neighbours are one range in `all`
  const blocks = all === undefined ? evidence.blocks.length : counted;
  const holes = allHoles?.address.length ?? evidence.holes.length;
  const meanings: readonly [number, Sign, string][] =
    answer.ask === 'holds' || answer.ask === 'leaked'
      ? [[blocks, 'lit', `${plural(blocks, 'block')}, the rest fades`]]
      : [
          [holes, 'hole', holesText(answer, holes)],
          [
            blocks,
            'cause',
            `${plural(blocks, 'block')} ${answer.ask === 'fits' ? 'that would have to go' : 'in the way'}`,
          ],
        ];
  return meanings.filter(([count]) => count > 0).map(([, sign, text]) => ({ sign, text }));
}

export function answerKey(answer: ShownAnswer): HTMLElement {
  const meanings = meaningsOf(answer);
  return make(
    'ul',
    { class: 'hg-answer__key', 'aria-label': 'On the map', hidden: meanings.length === 0 },
    ...meanings.map(({ sign, text }) =>
      make('li', {}, make('i', { class: `hg-answer__sign hg-answer__sign--${sign}`, 'aria-hidden': 'true' }), text),
    ),
  );
}
