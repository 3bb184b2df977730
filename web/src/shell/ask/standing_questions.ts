// The five standing questions as buttons, each with its number below: what the page says before anyone asks.

import { formatBytes } from '../../base/format.ts';
import { make, setText } from '../../dom/dom.ts';
import type { StandingNumbers } from '../../moment/standing.ts';
import type { Question, QuestionId } from '../../protocol/answers.ts';
import { kStanding } from '../../protocol/question_words.ts';

const kNoNumber = '–';

const nameOf = (question: Question): string => {
  switch (question.ask) {
    case 'holds':
      return 'Who holds it?';
    case 'leaked':
      return 'What leaked?';
    case 'grew':
      return 'Why did it grow?';
    case 'fits':
      return question.bytes === undefined ? 'Will it fit?' : `Will ${formatBytes(question.bytes)} fit?`;
    case 'pins':
      return 'What pins it?';
  }
};

/** The button whose number the answer has; undefined: the question is about one call site or one address, and its number is another. */
export function pressedBy(question: Question | undefined): QuestionId | undefined {
  if (question?.ask === 'holds' && question.site !== undefined) return undefined;
  if (question?.ask === 'pins' && question.address !== undefined) return undefined;
  return question?.ask;
}

export function createStandingQuestions(ask: (question: Question) => void) {
  let standing: readonly Question[] = kStanding;
  const buttons = kStanding.map(({ ask: id }) => {
    const name = make('span', { class: 'hg-ask__name' });
    const number = make('span', { class: 'hg-ask__number' }, kNoNumber);
    const button = make('button', { type: 'button', class: 'hg-button hg-ask__question', 'aria-pressed': 'false' });
    button.append(name, ' ', number);
    button.addEventListener('click', () => {
      const question = standing.find((one) => one.ask === id);
      if (question !== undefined) ask(question);
    });
    return { id, button, name, number };
  });
  const element = make(
    'div',
    { class: 'hg-ask__questions', role: 'group', 'aria-label': 'Questions' },
    ...buttons.map(({ button }) => button),
  );

  let seen: QuestionId | undefined;
  return {
    element,
    update({ questions, numbers, isNow }: StandingNumbers, pressed: QuestionId | undefined): void {
      standing = questions;
      element.classList.toggle('hg-ask__questions--before', !isNow);
      for (const { id, button, name, number } of buttons) {
        const question = questions.find((one) => one.ask === id);
        const text = numbers[id] || kNoNumber;
        if (question !== undefined) setText(name, nameOf(question));
        setText(number, text);
        number.ariaHidden = String(text === kNoNumber);
        button.setAttribute('aria-pressed', String(id === pressed));
        if (id === pressed && id !== seen) keepInSight(element, button);
      }
      seen = pressed;
    },
  };
}

/** On a low and narrow screen the questions are a line that scrolls. */
function keepInSight(line: HTMLElement, button: HTMLElement): void {
  const [around, box] = [line.getBoundingClientRect(), button.getBoundingClientRect()];
  if (box.left < around.left) line.scrollLeft += box.left - around.left;
  else if (box.right > around.right) line.scrollLeft += box.right - around.right;
}
