// Over the map: what this is, in one line, with the doors to the rest of it, until the visitor closes it; and the chapter of
// the name of the source, whole.
//
//   ┌──────────────────────────────────────────────────────────────────────────────┐
//   │ This is the heap of SQLite, byte for byte, ...                             × │   until closed, or something else is opened
//   │ [Your program] [A leak, found] [Learn: 21 scenes] [Type SQL] [A trace file] ... │
//   ├──────────────────────────────────────────────────────────────────────────────┤
//   │ chapter of the source                                                         │
//   └──────────────────────────────────────────────────────────────────────────────┘

import './welcome.css';
import { iconButton, make, markPage, setText } from '../../dom/dom.ts';

export interface WelcomeCallbacks {
  openFile(): void;
  /** A program to type at, when it can be run here. */
  openProgram(): void;
  chooseScenario(): void;
  /** To the scenes. */
  learn(): void;
  byHand(): void;
  closed(): void;
}

export interface WelcomeState {
  readonly open: boolean;
  readonly what: string; // is shown, in a sentence
  readonly program: boolean; // there is one to type at
  readonly scenes: number; // that can be read here
  readonly chapter: string | undefined;
}

/** As in the README. */
const kRecord = [
  'emcc app.c $(npx heapglass --ldflags --profile trace) -o app.js',
  'npx heapglass run app.js    # writes heapglass.hgtrace',
].join('\n');
const kAttach = ['import { attach }', "from 'heapglass/attach';\nawait attach(Module);"].join(' ');

/** The first view's program has no call stacks; this trace has, and a leak with its file and line. */
const kLeak = '#trace=traces/words.hgtrace&event=32365&tab=sites&ask=leaked';

const kClosePath = 'M4 3l4 4 4-4 1 1-4 4 4 4-1 1-4-4-4 4-1-1 4-4-4-4z';

let made = 0;

export function createWelcome(parent: Element, callbacks: WelcomeCallbacks) {
  const ownId = `hg-own-program-${made++}`;
  const door = (name: string, press: () => void) => {
    const button = make('button', { type: 'button', class: 'hg-button' }, name);
    button.addEventListener('click', press);
    return button;
  };
  const own = make('button', { type: 'button', class: 'hg-button', popovertarget: ownId }, 'Your program');
  const ownPanel = make(
    'div',
    { class: 'hg-popover hg-welcome__own', id: ownId, popover: 'auto', role: 'dialog', 'aria-label': 'Your program' },
    make('p', {}, 'Record it, and drop the file here:'),
    make('pre', { tabindex: 0, 'aria-label': 'Commands' }, kRecord),
    make('p', { class: 'hg-note' }, 'A module that is linked already: npx heapglass instrument in place of emcc.'),
    make('p', { class: 'hg-note' }, 'npx finds heapglass where its package is installed; npm run package writes it.'),
    make('p', {}, 'Or see it live, in the page that it runs in:'),
    make('pre', { tabindex: 0, 'aria-label': 'Code' }, kAttach),
  );
  const what = make('strong');
  const program = door('Type SQL', callbacks.openProgram);
  const learn = door('Learn', callbacks.learn);
  const intro = make(
    'section',
    { class: 'hg-welcome', 'aria-label': 'What this is' },
    make(
      'p',
      { class: 'hg-welcome__line' },
      what,
      make('span', {}, ' Blue is in use, hatched is free. Press a question, or click a block.'),
    ),
    make(
      'div',
      { class: 'hg-welcome__doors', role: 'group', 'aria-label': 'What to look at' },
      own,
      make('a', { class: 'hg-button hg-welcome__link', href: kLeak }, 'A leak, found'),
      learn,
      program,
      door('A trace file', callbacks.openFile),
      door('Another scenario', callbacks.chooseScenario), // the source's button leads there, too
      door('By hand', callbacks.byHand),
    ),
    iconButton(kClosePath, 'Close this line', callbacks.closed),
    ownPanel,
  );
  const chapter = make('p', { class: 'hg-chapter', hidden: true });
  parent.append(intro, chapter);

  return {
    element: intro,
    update(state: WelcomeState): void {
      intro.hidden = !state.open;
      markPage(intro, 'welcome', state.open);
      setText(what, state.what);
      program.hidden = !state.program;
      learn.hidden = state.scenes === 0;
      setText(learn, `Learn: ${state.scenes} scenes`);
      chapter.hidden = state.chapter === undefined;
      setText(chapter, state.chapter ?? '');
    },
    dispose(): void {
      intro.remove();
      chapter.remove();
    },
  };
}
