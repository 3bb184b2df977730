// The scenes: their list, or the step of the open one, which has the map to itself (scenes.css). A step shows its caption; a question
// hides the way on until it is answered on the map or by a button; then the verdict says why. A number can be tried as often as one likes.
// The last step leads to the next scene.
//
//   ┌ 4 · Joining ────────────────────────────────────────────────────────────┐
//   │ title of the step              │ question?                               │
//   │ caption                        │ options, number, "click on the map"     │
//   │ [Back] 2 of 5 [Next]           │ verdict: why     [Again] [Other sizes] [All scenes]
//   └─────────────────────────────────────────────────────────────────────────┘
//     map

import './scenes.css';
import { focusedBeside, make, markPage, numberField, numberOf, setText } from '../../dom/dom.ts';
import { kDefaultSeed } from '../../moment/state.ts';
import type { SceneStepInfo } from '../../protocol/scenes.ts';
import { createSceneList, type SceneRow } from './scene_list.ts';
import { verdictText } from './verdict_text.ts';

/** The scene that is open, at one of its steps. */
export interface OpenScene {
  readonly row: SceneRow;
  readonly seed: number;
  /** undefined: it is not yet known where its steps lie. */
  readonly at: number | undefined;
  readonly steps: readonly SceneStepInfo[];
  readonly answered: boolean;
  /** The answer is being played. */
  readonly performing: boolean;
  /** The moment lies inside the step, and nothing is being played: what the caption says is not so yet. */
  readonly underWay: boolean;
  /** What came of the number. */
  readonly says: string | undefined;
  /** The number that the scene ran with; undefined: its first. */
  readonly number: number | undefined;
  /** undefined: the answer was looked at, not given. */
  readonly verdict: boolean | undefined;
  /** What is wrong with the place that was chosen; undefined: the question says it for every place. */
  readonly fault: string | undefined;
  /** What a question about a place would be answered with: selected, and not yet confirmed. */
  readonly selected: string | undefined;
  readonly puzzle: {
    readonly solved: boolean;
    readonly freeable: boolean;
    readonly writable: boolean;
    /** What came of the last call by hand, in words. */
    readonly tried: string | undefined;
  };
}

export interface ScenesCallbacks {
  open(id: string, seed: number): void;
  /** undefined: the list of all scenes. */
  close(): void;
  to(step: number): void;
  choose(option: number): void;
  here(): void;
  show(): void;
  /** The scene with another number. */
  tryNumber(number: number): void;
  allocate(size: number): void;
  free(): void;
  freeGroup(group: number): void;
  write(): void;
}

const kUnderWay = 'The moment shown lies inside this step: its calls are under way. Next goes on to what it is about.';

export function createScenes(parent: Element, callbacks: ScenesCallbacks) {
  const { all, showList } = createSceneList((id) => callbacks.open(id, kDefaultSeed));
  const parts = makeStepParts({
    here: callbacks.here,
    show: callbacks.show,
    tryNumber: () => callbacks.tryNumber(numberOf(number)),
    free: callbacks.free,
    write: callbacks.write,
    back: () => callbacks.to((shown?.at ?? 0) - 1),
    next() {
      const at = (shown?.at ?? 0) + (shown?.underWay ? 0 : 1);
      if (shown !== undefined && at < shown.steps.length) callbacks.to(at);
      else if (after !== undefined) callbacks.open(after.id, kDefaultSeed);
    },
    again: () => shown && callbacks.open(shown.row.id, shown.seed),
    others: () => shown && callbacks.open(shown.row.id, shown.seed + 1),
    close: callbacks.close,
  });
  const { one, heading, title, caption, question, options, here, show, verdict, tools } = parts;
  const { free, write, back, progress, next, numberRow, number, unit } = parts;
  parent.append(all, one);

  let shown: OpenScene | undefined;
  let after: SceneRow | undefined; // the scene behind it
  let made: SceneStepInfo | undefined; // whose buttons are there

  function makeButtons(step: SceneStepInfo): void {
    if (made === step) return;
    made = step;
    options.replaceChildren(...optionButtons(step, callbacks));
    if (step.number !== undefined) {
      number.min = String(step.number.least);
      number.max = String(step.number.most);
      setText(unit, step.number.unit);
    }
    tools.replaceChildren(...toolButtons(step, { free, write }, callbacks));
  }

  return {
    update(rows: readonly SceneRow[], open: OpenScene | undefined): void {
      all.hidden = open !== undefined;
      one.hidden = open === undefined;
      markPage(one, 'scene', open !== undefined);
      if (open === undefined) showList(rows);
      const step = open?.steps[open.at ?? 0];
      markPage(one, 'scene-counts', (step?.puzzle?.goal.length ?? 0) > 0);
      if (open === undefined || step === undefined) return;
      const anew = shown?.row.id !== open.row.id;
      shown = open;
      after = rows.find(({ number }) => number > open.row.number);
      makeButtons(step);
      const asking = step.question !== undefined && !open.answered && !open.performing && !open.underWay;
      setText(heading, `${open.row.number} · ${open.row.title}`);
      setText(title, step.title);
      setText(caption, open.underWay ? kUnderWay : step.caption);
      setText(question, step.puzzle?.text ?? step.number?.text ?? step.question?.text ?? '');
      question.hidden = question.textContent === '';
      numberRow.hidden = step.number === undefined;
      if (step.number !== undefined && (anew || focusedBeside(number) !== number))
        number.value = String(open.number ?? step.number.first);
      options.hidden = !asking || step.question?.kind !== 'choice';
      here.hidden = !asking || step.question?.kind !== 'place' || open.selected === undefined;
      setText(here, `Here: ${open.selected ?? ''}`);
      show.hidden = !asking;
      tools.hidden = step.puzzle === undefined;
      free.disabled = !open.puzzle.freeable;
      write.disabled = !open.puzzle.writable;
      const words = verdictText(step, open);
      verdict.hidden = words === '';
      setText(verdict, words);
      const known = open.at !== undefined;
      const at = open.at ?? 0;
      back.disabled = !known || at === 0;
      const isLast = at + 1 >= open.steps.length && !open.underWay;
      next.disabled = !known || asking || open.performing || (isLast && after === undefined);
      setText(next, isLast && after !== undefined ? `Next: ${after.title}` : 'Next');
      setText(progress, `${at + 1} of ${open.steps.length}`);
    },
    dispose(): void {
      all.remove();
      one.remove();
    },
  };
}

type StepPress = Readonly<
  Record<'here' | 'show' | 'free' | 'write' | 'tryNumber' | 'back' | 'next' | 'again' | 'others' | 'close', () => void>
>;

function makeStepParts(press: StepPress) {
  const heading = make('h2', { class: 'hg-heading' });
  const title = make('h3', { class: 'hg-scene__title' });
  const caption = make('p', { class: 'hg-scene__caption' });
  const question = make('p', { class: 'hg-scene__question' });
  const options = make('div', { class: 'hg-scene__options', role: 'group', 'aria-label': 'Answers' });
  const here = button('', press.here);
  here.classList.add('hg-scene__here');
  const show = button('Show me', press.show);
  const number = numberField(1, 1, 1);
  const unit = make('span', { class: 'hg-field__name' });
  number.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') press.tryNumber();
  });
  const numberRow = make(
    'div',
    { class: 'hg-scene__buttons hg-scene__number' },
    make('label', { class: 'hg-field' }, unit, number),
    button('Try', press.tryNumber),
  );
  const verdict = make('p', { class: 'hg-scene__verdict', role: 'status' });
  const tools = make('div', { class: 'hg-scene__buttons', role: 'group', 'aria-label': 'Calls' });
  const free = button('Free the selected block', press.free);
  const write = button('Write 42 into the selected chunk', press.write);
  const back = button('Back', press.back);
  const progress = make('span', { class: 'hg-scene__progress' });
  const next = button('Next', press.next);
  next.disabled = true; // until a scene is open
  const one = make(
    'section',
    { class: 'hg-scene', hidden: true }, // it has the page to itself: not before there is one
    make('div', { class: 'hg-scene__says' }, heading, title, caption),
    make(
      'div',
      { class: 'hg-scene__asks' },
      question,
      options,
      make('div', { class: 'hg-scene__buttons' }, here, show),
      numberRow,
      tools,
      verdict,
    ),
    make(
      'div',
      { class: 'hg-scene__foot' },
      make('div', { class: 'hg-scene__way' }, back, progress, next),
      button('Again', press.again),
      button('Other sizes', press.others),
      button('All scenes', press.close),
    ),
  );
  return {
    one,
    heading,
    title,
    caption,
    question,
    options,
    here,
    show,
    verdict,
    numberRow,
    number,
    unit,
    tools,
    free,
    write,
    back,
    progress,
    next,
  };
}

const optionButtons = ({ question }: SceneStepInfo, { choose }: ScenesCallbacks): HTMLElement[] =>
  (question?.kind === 'choice' ? question.options : []).map((option, at) => button(option.text, () => choose(at)));

/** The calls of a puzzle. */
function toolButtons(
  { puzzle }: SceneStepInfo,
  { free, write }: { readonly free: HTMLElement; readonly write: HTMLElement },
  callbacks: ScenesCallbacks,
): HTMLElement[] {
  if (puzzle === undefined) return [];
  return [
    ...(puzzle.groups !== undefined || puzzle.writes ? [] : [free]),
    ...(puzzle.writes ? [write] : []),
    ...(puzzle.groups ?? []).map((name, at) => button(name, () => callbacks.freeGroup(at))),
    ...(puzzle.sizes ?? []).map((size) =>
      button(`Allocate ${size.toLocaleString('en')}`, () => callbacks.allocate(size)),
    ),
  ];
}

function button(name: string, press: () => void): HTMLButtonElement {
  const made = make('button', { type: 'button', class: 'hg-button' }, name);
  made.addEventListener('click', press);
  return made;
}
