// The question line: what stands above the map, always. Typing asks a question, goes somewhere or finds something; the five standing
// questions are buttons beside it, and the answer stands below.
//
//   ┌───────────────────────────────────────────────────────────────────────────────────────────┐
//   │ [Ask, or go to ...    ‹ ›]  [Who holds it] [What leaked] [Why it grew] [Will it fit  ] [What pins it]     │
//   │                             [80 %        ] [37 blocks  ] [44 KiB     ] [≤ 311 KiB    ] [212 KiB     ]     │
//   │ At event 26,204 push_back asked for 44 KiB; 52 KiB were free, but in 19 pieces ...      ×  │
//   └───────────────────────────────────────────────────────────────────────────────────────────┘
//
//   Enter does what is written, or the suggestion that is chosen, or the first one where no event mentions what is written; Shift Enter finds backward; Escape empties and leaves the field.

import './ask.css';
import { focusedBeside, iconButton, make, setText } from '../../dom/dom.ts';
import type { StandingNumbers } from '../../moment/standing.ts';
import type { Answer, Question, ShownAnswer } from '../../protocol/answers.ts';
import { isAboutGoingBack, questionIn } from '../../protocol/question_words.ts';
import { createAnswerRow } from './answer_row.ts';
import { keepExamples, kShortest } from './examples.ts';
import { createFinding, type FindingCallbacks } from './finding.ts';
import { meaningIn } from './meanings.ts';
import { createStandingQuestions, pressedBy } from './standing_questions.ts';
import { createSuggestions, type Suggestion } from './suggestions.ts';
import { kConditions, meantBy, meantText } from './wanted_of.ts';

export interface AskLineCallbacks extends FindingCallbacks {
  ask(question: Question, at?: number): void;
  closeAnswer(): void;
  /** Open what shows more of an answer. */
  more(answer: Answer): void;
  /** What can be chosen by its name: panels, actions, chapters, stories. */
  suggestions(): readonly Suggestion[];
}

export interface AskLineState {
  readonly question: Question | undefined;
  readonly answer: ShownAnswer | undefined;
  /** The event that is shown. */
  readonly shown: number;
  readonly standing: StandingNumbers;
  /** What could go back to the system. */
  readonly goesBack: string;
}

const kBackPath = 'M10.5 3 5.5 8l5 5z';
const kOnPath = 'M5.5 3l5 5-5 5z';

/** What is written, where it is a question and nothing that can be gone to: the next growth is found, why it grew is answered. */
function questionOf(written: string): Question | undefined {
  const meant = meantBy(written);
  if (meant?.go !== 'find' || meant.wanted.by !== 'text') return undefined;
  const question = questionIn(written);
  return question.ok ? question.value : undefined;
}

/** What a word means, what could go back, or what Enter does. */
function hintOf(written: string, goesBack: string, named: string | undefined): string {
  const said = saidAtOnce(written, goesBack);
  if (said !== undefined) return said;
  if (questionOf(written) !== undefined) return 'Enter: asks that';
  const meant = meantBy(written);
  if (meant === undefined) return '';
  if (meant.go === 'event') return `Enter: ${meantText(meant)}`;
  const other = meant.wanted.by === 'text' && named !== undefined ? `, else ${named}` : '';
  return `Enter: the next event that ${meantText(meant)}${other}`;
}

/** What needs no Enter: what a word means, and what could go back. */
const saidAtOnce = (written: string, goesBack: string): string | undefined =>
  meaningIn(written) ?? (isAboutGoingBack(written) ? goesBack : undefined);

export function createAskLine(parent: Element, callbacks: AskLineCallbacks) {
  const field = make('input', {
    type: 'search',
    class: 'hg-input hg-ask__field',
    'aria-label': 'Ask, or go to an event, an address, a size or words',
    placeholder: kShortest,
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const said = make('p', { class: 'hg-note hg-ask__said', role: 'status', hidden: true });
  const finding = createFinding(callbacks, say);
  const questions = createStandingQuestions(callbacks.ask);
  const answerRow = createAnswerRow({ ask: callbacks.ask, close: callbacks.closeAnswer, more: callbacks.more });
  const suggestions = createSuggestions(field, callbacks.suggestions, take);

  function say(text: string): void {
    setText(said, text);
    said.hidden = text === '';
  }

  function take({ run }: Suggestion): void {
    field.value = '';
    say('');
    run();
  }

  let goesBack = '';

  const hint = (): string => hintOf(field.value, goesBack, suggestions.first());

  async function find(by: 1 | -1): Promise<void> {
    if (!(await finding.go(field.value, by))) suggestions.takeFirst();
  }

  /** What is written is done. */
  function go(by: 1 | -1): void {
    const question = questionOf(field.value);
    if (saidAtOnce(field.value, goesBack) !== undefined) say(hint());
    else if (question === undefined) void find(by);
    else {
      say('');
      suggestions.close();
      callbacks.ask(question);
    }
  }

  const untilRow = makeUntilRow(callbacks.selected, (text) => {
    if (text === undefined) return say('Select a block first: then this goes to the next event that touches it.');
    field.value = text;
    void finding.go(text, 1);
  });
  let before: Element | null = null;
  const search = makeSearch(field, suggestions, go, () => {
    field.value = '';
    say('');
    suggestions.close();
    field.blur();
    if (before instanceof HTMLElement) before.focus();
  });
  const element = make(
    'section',
    { class: 'hg-ask', 'aria-label': 'Ask the heap' },
    make('div', { class: 'hg-ask__line' }, search, questions.element),
    untilRow,
    said,
    answerRow.element,
  );
  parent.append(element);
  const stopExamples = keepExamples(field);
  field.addEventListener('input', () => {
    suggestions.update();
    say(hint());
  });

  return {
    element,
    /** The keyboard goes to the field. */
    open(): void {
      if (focusedBeside(element) !== field) before = focusedBeside(element);
      field.select();
      field.focus();
    },
    update({ question, answer, shown, standing, goesBack: goingBack }: AskLineState): void {
      goesBack = goingBack;
      questions.update(standing, pressedBy(question));
      answerRow.update(question, answer, shown);
    },
    dispose(): void {
      stopExamples();
      element.remove();
    },
  };
}

/** The field with its buttons and its list, and what their keys do. */
function makeSearch(
  field: HTMLInputElement,
  suggestions: ReturnType<typeof createSuggestions>,
  go: (by: 1 | -1) => void,
  leave: () => void,
): HTMLElement {
  const search = make(
    'search',
    { class: 'hg-ask__search' },
    field,
    iconButton(kBackPath, 'The one before (Shift Enter)', () => go(-1)),
    iconButton(kOnPath, 'The next one (Enter)', () => go(1)),
    suggestions.element,
  );
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') leave();
    else if (event.key === 'Enter' && event.target === field) {
      if (!suggestions.takeChosen()) go(event.shiftKey ? -1 : 1);
    } else if (!(event.target === field && suggestions.press(event.key))) return;
    event.preventDefault();
    event.stopPropagation();
  });
  return search;
}

/** Run until: each button says in words what the visitor would write; undefined: nothing is selected. */
function makeUntilRow(selected: AskLineCallbacks['selected'], write: (text: string | undefined) => void): HTMLElement {
  const until = (name: string, written: () => string | undefined) => {
    const button = make('button', { type: 'button', class: 'hg-button' }, name);
    button.addEventListener('click', () => write(written()));
    return button;
  };
  const hex = (address: number | undefined) => (address === undefined ? undefined : `0x${address.toString(16)}`);
  return make(
    'div',
    { class: 'hg-ask__until', role: 'group', 'aria-label': 'Run until' },
    make('span', { class: 'hg-dim' }, 'Run until'),
    ...kConditions.map(({ name, written }) => until(name, () => written)),
    until('the selection is touched', () => hex(selected())),
  );
}
