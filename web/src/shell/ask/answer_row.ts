// The answer to the question that is open: its sentence with the deciding number lit, what the trace cannot say, and where to go on.

import { formatBytes, formatCount } from '../../base/format.ts';
import { iconButton, make, markPage, setText } from '../../dom/dom.ts';
import {
  type Answer,
  type AnswerTopic,
  type GrewFigures,
  type Question,
  type ShownAnswer,
  topicOf,
} from '../../protocol/answers.ts';
import { questionIn } from '../../protocol/question_words.ts';
import { answerKey } from './answer_key.ts';
import { momentOf } from './lit.ts';

export interface AnswerRowCallbacks {
  ask(question: Question, at?: number): void;
  close(): void;
  more(answer: Answer): void;
}

const kClosePath = 'M4 3l4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4-4-4z';

/** The panel that shows more of an answer. */
const kMore: Readonly<Record<AnswerTopic, string>> = {
  holds: 'All sites',
  leaked: 'All sites',
  grew: 'Free lists',
  fits: 'Free lists',
  pins: 'All pins',
  held_by_size: 'All sizes',
  held_by_pool: 'All pools',
};

/** What stands between backticks is the name of a function. */
const withNames = (text: string): HTMLElement =>
  make('span', {}, ...text.split('`').map((part, nth) => (nth % 2 === 0 ? part : make('code', {}, part))));

/** The growth that is asked for, `nth` before the last one by then, among all of the heap; undefined: there is no other to go to. */
export function placeOfGrowth(
  { growths, later_growths }: Pick<GrewFigures, 'growths' | 'later_growths'>,
  nth: number,
): string | undefined {
  const all = growths + later_growths;
  return growths === 0 || all < 2 ? undefined : `${formatCount(growths - nth)} of ${formatCount(all)}`;
}

export function createAnswerRow(callbacks: AnswerRowCallbacks) {
  const sentence = make('p', { class: 'hg-answer__sentence', role: 'status' });
  const missing = make('p', { class: 'hg-note hg-answer__missing', hidden: true });
  const doors = make('div', { class: 'hg-answer__doors' });
  const close = iconButton(kClosePath, 'Close the answer', callbacks.close);
  close.classList.add('hg-answer__close');
  const key = make('div', { class: 'hg-answer__keys' });
  const of = make('p', { class: 'hg-note hg-answer__of' });
  const element = make('div', { class: 'hg-answer', hidden: true }, sentence, close, doors, key, missing);
  let drawn: Answer | undefined;

  function door(name: string, press: () => void, disabled = false): HTMLButtonElement {
    const button = make('button', { type: 'button', class: 'hg-button', disabled }, name);
    button.addEventListener('click', press);
    return button;
  }

  function doorsOf(answer: Answer, question: Question): readonly HTMLElement[] {
    const own =
      answer.ask === 'grew'
        ? growthDoors(answer.figures, question.ask === 'grew' ? (question.nth ?? 0) : 0, answer.event)
        : answer.ask === 'fits'
          ? [sizeField(answer.figures.request_bytes)]
          : [];
    return [...own, door(kMore[topicOf(answer)], () => callbacks.more(answer))];
  }

  /** Of all growths of the heap: those behind the moment are a later question. */
  function growthDoors({ growths, later_growths, next_event }: GrewFigures, nth: number, at: number) {
    const place = placeOfGrowth({ growths, later_growths }, nth);
    if (place === undefined) return [];
    const later = () =>
      nth > 0 || next_event === null
        ? callbacks.ask({ ask: 'grew', nth: nth - 1 }, at)
        : callbacks.ask({ ask: 'grew' }, next_event);
    return [
      door('Earlier growth', () => callbacks.ask({ ask: 'grew', nth: nth + 1 }, at), nth + 1 >= growths),
      door('Later growth', later, nth === 0 && next_event === null),
      make('span', { class: 'hg-dim' }, place),
    ];
  }

  /** To the moment that is lit, for who has left it. */
  function wayBack(answer: Answer, question: Question): readonly HTMLElement[] {
    if (answer.ask !== 'grew' || answer.figures.latest === null) return [];
    const back = make('button', { type: 'button', class: 'hg-link hg-answer__back' }, 'Show it on the map');
    back.addEventListener('click', () => callbacks.ask(question, answer.event));
    return [back];
  }

  function sizeField(bytes: number): HTMLElement {
    const field = make('input', { class: 'hg-input hg-answer__size', 'aria-label': 'Size', value: formatBytes(bytes) });
    field.addEventListener('change', () => {
      const meant = questionIn(`fits ${field.value}`);
      const size = meant.ok && meant.value.ask === 'fits' ? meant.value.bytes : undefined;
      field.setAttribute('aria-invalid', String(size === undefined));
      if (size !== undefined) callbacks.ask({ ask: 'fits', bytes: size });
    });
    return field;
  }

  return {
    element,
    update(question: Question | undefined, answer: ShownAnswer | undefined, shown: number): void {
      element.hidden = question === undefined || answer === undefined;
      markPage(element, 'answer', !element.hidden);
      if (question === undefined || answer === undefined) {
        drawn = undefined;
        return;
      }
      const elsewhere = answer.ask !== 'grew' && answer.event !== shown;
      element.classList.toggle('hg-answer--elsewhere', elsewhere);
      setText(of, `about event ${formatCount(answer.event)}`);
      element.classList.toggle('hg-answer--answered', answer.answered);
      element.classList.toggle('hg-answer--partly', !answer.answered && answer.evidence.blocks.length > 0);
      element.classList.toggle('hg-answer--unlit', momentOf(answer) !== shown);
      if (answer === drawn) return;
      drawn = answer;
      const [from, to] = answer.deciding;
      const text = answer.sentence;
      const strong = make('strong', {}, text.slice(from, to));
      sentence.replaceChildren(withNames(text.slice(0, from)), strong, withNames(text.slice(to)));
      missing.hidden = answer.missing === '';
      setText(missing, answer.missing);
      key.replaceChildren(answerKey(answer), ...wayBack(answer, question), of);
      doors.replaceChildren(...doorsOf(answer, question));
    },
  };
}
