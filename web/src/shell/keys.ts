// Which key does what. One table: it drives the listener, the help dialog and the tests.
//
//   K1  A key never reaches its action while the visitor writes into a field, or with Ctrl, Alt or Meta held.
//   K2  Keys that are a single character can be switched off (WCAG 2.1.4); Home, End and Escape always work.
//   K3  Space stays with a focused button or box. A view that uses other keys itself (slider, map) takes them first.

export type Action =
  | 'togglePlay'
  | 'backEvent'
  | 'forwardEvent'
  | 'backOperation'
  | 'forwardOperation'
  | 'first'
  | 'last'
  | 'goTo'
  | 'view'
  | 'bookmark'
  | 'previousBookmark'
  | 'nextBookmark'
  | 'undoView'
  | 'redoView'
  | 'share'
  | 'search'
  | 'help'
  | 'clearSelection';

export interface KeyRow {
  readonly keys: readonly string[]; // KeyboardEvent.key
  readonly shown: string;
  readonly action: Action;
  readonly text: string;
}

export const kKeyTable: readonly KeyRow[] = [
  { keys: [' ', 'k'], shown: 'Space', action: 'togglePlay', text: 'play or pause' },
  { keys: [','], shown: ',', action: 'backEvent', text: 'one event back' },
  { keys: ['.'], shown: '.', action: 'forwardEvent', text: 'one event forward' },
  { keys: ['<', ';'], shown: 'Shift ,', action: 'backOperation', text: 'one operation back' },
  { keys: ['>', ':'], shown: 'Shift .', action: 'forwardOperation', text: 'one operation forward' },
  { keys: ['Home'], shown: 'Home', action: 'first', text: 'to the first event' },
  { keys: ['End'], shown: 'End', action: 'last', text: 'to the newest event, and stay there' },
  {
    keys: ['g'],
    shown: 'g',
    action: 'goTo',
    text: 'ask, or go to an event, an address, a size, a text; run until it happens',
  },
  { keys: ['v'], shown: 'v', action: 'view', text: 'lifetimes over address and time, or the map again' },
  { keys: ['b'], shown: 'b', action: 'bookmark', text: 'set a bookmark here, or remove it' },
  { keys: ['['], shown: '[', action: 'previousBookmark', text: 'to the previous bookmark or chapter' },
  { keys: [']'], shown: ']', action: 'nextBookmark', text: 'to the next bookmark or chapter' },
  { keys: ['u'], shown: 'u', action: 'undoView', text: 'undo the last move, as Back does' },
  { keys: ['U'], shown: 'Shift u', action: 'redoView', text: 'redo it, as Forward does' },
  { keys: ['s'], shown: 's', action: 'share', text: 'share and save: link, one HTML file, pictures, tables' },
  { keys: ['/'], shown: '/', action: 'search', text: 'search in the word index' },
  { keys: ['?'], shown: '?', action: 'help', text: 'this help' },
  { keys: ['Escape'], shown: 'Esc', action: 'clearSelection', text: 'clear the selection' },
];

/** What of a KeyboardEvent decides. */
export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
  /** What has the focus: 'field' takes text, 'control' takes space, 'page' takes nothing. */
  readonly focus: 'field' | 'control' | 'page';
}

export function actionOf(press: Press, shortcuts: boolean): Action | undefined {
  if (press.ctrlKey || press.altKey || press.metaKey || press.focus === 'field') return undefined;
  const row = kKeyTable.find((candidate) => candidate.keys.includes(press.key));
  if (row === undefined) return undefined;
  if (press.key.length === 1 && !shortcuts) return undefined;
  if (press.focus === 'control' && press.key === ' ') return undefined;
  return row.action;
}

const kTakesText = 'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]';
const kTakesSpace = 'button, a, summary, input';

export function focusOf(target: EventTarget | undefined): Press['focus'] {
  if (!(target instanceof Element)) return 'page';
  if (target.closest(kTakesText) !== null) return 'field';
  return target.closest(kTakesSpace) !== null ? 'control' : 'page';
}
