// The scenes: their list, or the step of the open one. A step shows its caption; a question hides the way on until it is
// answered on the map or by a button; then the verdict says why.
//
//   ┌ 4 · Joining ──────────┐
//   │ title of the step     │
//   │ caption               │
//   │ | question?           │   options, or "click on the map"; by keyboard: select, then press "Here"
//   │ verdict: why          │
//   │ [Back]  2 of 5 [Next] │
//   │ seed [1] [Again] [All scenes]
//   └───────────────────────┘

import './scenes.css';
import { focusedBeside, keyedRows, labelled, make, numberField, numberOf, setText } from '../../dom/dom.ts';
import type { SceneStepInfo } from '../../protocol/scenes.ts';

export interface SceneRow {
  readonly id: string;
  readonly number: number;
  readonly title: string;
  readonly summary: string;
}

/** The scene that is open, at one of its steps. */
export interface OpenScene {
  readonly row: SceneRow;
  readonly seed: number;
  /** undefined: it is not yet known where its steps lie. */
  readonly at: number | undefined;
  readonly steps: readonly SceneStepInfo[];
  readonly answered: boolean;
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
  allocate(size: number): void;
  free(): void;
  freeGroup(group: number): void;
  write(): void;
}

export function createScenes(parent: Element, callbacks: ScenesCallbacks) {
  const { all, showList } = createList((id) => callbacks.open(id, numberOf(seed)));
  const parts = makeStepParts({
    here: callbacks.here,
    show: callbacks.show,
    free: callbacks.free,
    write: callbacks.write,
    back: () => callbacks.to((shown?.at ?? 0) - 1),
    next: () => callbacks.to((shown?.at ?? 0) + 1),
    again: () => shown && callbacks.open(shown.row.id, numberOf(seed)),
    close: callbacks.close,
  });
  const { one, heading, title, caption, question, options, here, show, verdict, tools } = parts;
  const { free, write, back, progress, next, seed } = parts;
  parent.append(all, one);

  let shown: OpenScene | undefined;
  let made: SceneStepInfo | undefined; // whose buttons are there

  function makeButtons(step: SceneStepInfo): void {
    if (made === step) return;
    made = step;
    options.replaceChildren(...optionButtons(step, callbacks));
    tools.replaceChildren(...toolButtons(step, { free, write }, callbacks));
  }

  return {
    update(rows: readonly SceneRow[], open: OpenScene | undefined): void {
      all.hidden = open !== undefined;
      one.hidden = open === undefined;
      if (open === undefined) showList(rows);
      const step = open?.steps[open.at ?? 0];
      if (open === undefined || step === undefined) return;
      const anew = shown?.row.id !== open.row.id;
      shown = open;
      if (anew || focusedBeside(seed) !== seed) seed.value = String(open.seed);
      makeButtons(step);
      const asking = step.question !== undefined && !open.answered;
      setText(heading, `${open.row.number} · ${open.row.title}`);
      setText(title, step.title);
      setText(caption, step.caption);
      setText(question, step.puzzle?.text ?? step.question?.text ?? '');
      question.hidden = step.puzzle === undefined && step.question === undefined;
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
      next.disabled = !known || asking || at + 1 >= open.steps.length;
      setText(progress, `${at + 1} of ${open.steps.length}`);
    },
    dispose(): void {
      all.remove();
      one.remove();
    },
  };
}

function createList(choose: (scene: string) => void) {
  const list = make('ul', { class: 'hg-scene__list hg-list', 'aria-label': 'Scenes' });
  const showList = keyedRows<SceneRow, HTMLLIElement>(
    list,
    (row) => row.id,
    (row) => {
      const open = make(
        'button',
        { type: 'button', class: 'hg-scene__row hg-row', 'data-scene': row.id },
        make('span', {}, String(row.number)),
        make('strong', {}, row.title),
        make('small', {}, row.summary),
      );
      open.addEventListener('click', () => choose(row.id));
      return make('li', {}, open);
    },
    () => {},
  );
  const all = make(
    'section',
    {},
    make('h2', { class: 'hg-heading' }, 'Learn'),
    make('p', { class: 'hg-note' }, 'Each scene shows one idea with a real heap. It asks first, and the heap answers.'),
    list,
  );
  return { all, showList };
}

type StepPress = Readonly<Record<'here' | 'show' | 'free' | 'write' | 'back' | 'next' | 'again' | 'close', () => void>>;

function makeStepParts(press: StepPress) {
  const heading = make('h2', { class: 'hg-heading' });
  const title = make('h3', { class: 'hg-scene__title' });
  const caption = make('p', { class: 'hg-scene__caption' });
  const question = make('p', { class: 'hg-scene__question' });
  const options = make('div', { class: 'hg-scene__options', role: 'group', 'aria-label': 'Answers' });
  const here = button('', press.here);
  here.classList.add('hg-scene__here');
  const show = button('Show me', press.show);
  const verdict = make('p', { class: 'hg-scene__verdict', role: 'status' });
  const tools = make('div', { class: 'hg-scene__buttons', role: 'group', 'aria-label': 'Calls' });
  const free = button('Free the selected block', press.free);
  const write = button('Write 42 into the selected chunk', press.write);
  const back = button('Back', press.back);
  const progress = make('span', { class: 'hg-scene__progress' });
  const next = button('Next', press.next);
  next.disabled = true; // until a scene is open
  const seed = numberField(1, 0, 0xffff_ffff);
  const again = button('Again', press.again);
  const one = make(
    'section',
    {},
    heading,
    title,
    caption,
    question,
    options,
    make('div', { class: 'hg-scene__buttons' }, here, show),
    tools,
    verdict,
    make('div', { class: 'hg-scene__buttons' }, back, progress, next),
    make('div', { class: 'hg-scene__foot' }, labelled('seed', seed), again, button('All scenes', press.close)),
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
    tools,
    free,
    write,
    back,
    progress,
    next,
    seed,
  };
}

const optionButtons = ({ question }: SceneStepInfo, { choose }: ScenesCallbacks): HTMLElement[] =>
  (question?.kind === 'choice' ? question.options : []).map((option, at) => button(option, () => choose(at)));

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

function verdictText(step: SceneStepInfo, { answered, verdict: right, fault, puzzle }: OpenScene): string {
  if (step.puzzle !== undefined) {
    return puzzle.solved ? step.puzzle.solved : [puzzle.tried ?? '', step.puzzle.hint].join(' ').trim();
  }
  if (step.question === undefined || !answered) return '';
  if (right === undefined) return reasonIn(step.question.right); // it was shown: nobody was right or wrong
  return right ? step.question.right : (fault ?? step.question.wrong);
}

/** A verdict without its "Yes" or "You are right". */
function reasonIn(verdict: string): string {
  const reason = verdict.replace(/^(yes[.,:] )?(you are right[.,:] )?/i, '');
  return reason.charAt(0).toUpperCase() + reason.slice(1);
}

function button(name: string, press: () => void): HTMLButtonElement {
  const made = make('button', { type: 'button', class: 'hg-button' }, name);
  made.addEventListener('click', press);
  return made;
}
