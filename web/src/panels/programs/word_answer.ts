// Where a word stands in the text: how often, at which bytes, and with what around it.

import { formatCount } from '../../base/format.ts';
import { make } from '../../dom/dom.ts';
import type { WordRow } from '../../protocol/messages.ts';

const kContexts = 6;
const kPositions = 8;
const kAround = 28; // bytes of text on each side of a word found

export function showAnswer(
  answer: HTMLElement,
  word: string,
  row: WordRow | undefined,
  text: Uint8Array | undefined,
): void {
  if (word === '') {
    answer.replaceChildren();
    return;
  }
  if (row === undefined) {
    answer.replaceChildren(make('p', { class: 'hg-note' }, `“${word}” is not in the text.`));
    return;
  }
  const shown = row.positions.slice(0, kContexts);
  answer.replaceChildren(
    make(
      'p',
      { class: 'hg-words__count' },
      make('strong', {}, row.word),
      ` ${formatCount(row.count)} ${row.count === 1 ? 'time' : 'times'}, at byte ${row.positions.slice(0, kPositions).map(formatCount).join(' · ')}${row.count > kPositions ? ' …' : ''}`,
    ),
    make('ol', { class: 'hg-words__contexts' }, ...shown.map((position) => contextAt(text, position, row.word))),
  );
}

function contextAt(text: Uint8Array | undefined, position: number, word: string): HTMLLIElement {
  const decoder = new TextDecoder();
  const part = (from: number, to: number) =>
    decoder.decode(text?.subarray(Math.max(0, from), Math.max(0, to)) ?? new Uint8Array()).replace(/[\s\uFFFD]+/g, ' ');
  const end = position + new TextEncoder().encode(word).length;
  return make(
    'li',
    {},
    make('span', { class: 'hg-words__before' }, part(position - kAround, position)),
    make('mark', {}, part(position, end)),
    part(end, end + kAround),
  );
}
