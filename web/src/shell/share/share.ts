// Share and save: a link to the moment that is shown, the page with its trace as one file, pictures, and tables.
//
//   ┌──────────────────────────────────────┐
//   │ LINK        [https://…        ] Copy │   undefined: the trace has no address, a link would find nothing
//   │ ONE FILE    Page and trace as HTML   │
//   │ ANSWER      Picture · Clip           │   while a question is answered
//   │ PICTURES    Map PNG · SVG · time line│
//   │ TABLES      chunks · bins · …        │
//   └──────────────────────────────────────┘

import './share.css';
import { icon, make, setText } from '../../dom/dom.ts';

export type PictureKind = 'map_png' | 'map_svg' | 'time_svg' | 'answer_png' | 'answer_gif';

export interface ShareCallbacks {
  /** The address of the moment; undefined: it is the visitor's own, no link finds it. Undefined itself: no moment has one. */
  readonly link: (() => string | undefined) | undefined;
  /** undefined: this page cannot be saved from here. */
  readonly saveHtml: (() => Promise<void>) | undefined;
  saveTrace(): Promise<void>;
  savePicture(kind: PictureKind): Promise<void>;
  /** A question is answered. */
  hasAnswer(): boolean;
  /** What can be saved as a table now: name and rows are found when it is pressed. */
  tables(): readonly string[];
  saveTable(name: string): void;
  failed(error: unknown): void;
}

const kPath = 'M8 1l3.5 3.5-1 1L8.7 3.7V10H7.3V3.7L5.5 5.5l-1-1zM3 8h1.5v5h7V8H13v6.5H3z';

let made = 0;

/** The button goes into `parent`, the panel into `page`. */
export function createShare(parent: Element, page: Element, callbacks: ShareCallbacks) {
  const id = `hg-share-${made++}`;
  const opener = makeOpener(id);
  const said = make('p', { class: 'hg-note hg-share__said', role: 'status' });
  const field = make('input', { class: 'hg-input', readonly: true, 'aria-label': 'Link to this moment' });
  field.addEventListener('focus', () => field.select());

  const button = buttonsOf(said, callbacks.failed);
  const copy = button(
    'Copy',
    async () => {
      field.select();
      await navigator.clipboard.writeText(field.value);
    },
    'The link is copied.',
  );
  const linkRow = make('div', { class: 'hg-share__link' }, field, copy);
  const noLink = make(
    'p',
    { class: 'hg-note' },
    'A link would not find this trace: it is on this computer only. Save it as one HTML file and send that.',
  );
  const { saveHtml } = callbacks;
  const html = button(
    'Page and trace as HTML',
    () => saveHtml?.(),
    'Saved. The file opens in any browser, also without a network.',
  );
  html.hidden = saveHtml === undefined;
  const { answer, pictures } = pictureParts(button, callbacks);
  const tables = make('div', { class: 'hg-share__row', role: 'group', 'aria-label': 'Tables as CSV' });
  const panel = make(
    'div',
    { class: 'hg-popover hg-share', id, popover: 'auto', role: 'dialog', 'aria-label': 'Share and save' },
    callbacks.link === undefined ? undefined : part('Link to this moment', linkRow, noLink),
    part('One file', row(html, button('Trace', callbacks.saveTrace, 'The trace is saved.'))),
    answer,
    pictures,
    part('Tables as CSV', tables),
    said,
  );
  panel.addEventListener('beforetoggle', (event) => {
    if (event instanceof ToggleEvent && event.newState === 'open') fill();
  });
  parent.prepend(opener);
  page.append(panel);

  let listed = '';
  function fillTables(): void {
    const names = callbacks.tables();
    if (names.join() === listed) return;
    listed = names.join();
    tables.replaceChildren(...names.map((name) => button(name, () => callbacks.saveTable(name), `Saved: ${name}.`)));
  }

  function fill(): void {
    const link = callbacks.link?.();
    field.value = link ?? '';
    linkRow.hidden = link === undefined;
    noLink.hidden = link !== undefined;
    answer.hidden = !callbacks.hasAnswer();
    fillTables();
    setText(said, '');
  }

  return {
    open: () => panel.showPopover(),
    /** With each frame: another panel may bring another table. */
    update(): void {
      if (panel.matches(':popover-open')) fillTables();
    },
    dispose(): void {
      opener.remove();
      panel.remove();
    },
  };
}

type MakeButton = (name: string, press: () => Promise<void> | void, done: string) => HTMLButtonElement;

/** Each says in `said` what it does and has done. */
function buttonsOf(said: HTMLElement, failed: ShareCallbacks['failed']): MakeButton {
  return (name, press, done) => {
    const element = make('button', { type: 'button', class: 'hg-button' }, name);
    element.addEventListener('click', async () => {
      try {
        const pressed = press();
        if (pressed !== undefined) setText(said, 'Saving …');
        await pressed;
        setText(said, done);
      } catch (error) {
        setText(said, '');
        failed(error);
      }
    });
    return element;
  };
}

function pictureParts(button: MakeButton, { savePicture }: ShareCallbacks) {
  const saved = (name: string, kind: PictureKind, done = 'The picture is saved.') =>
    button(name, () => savePicture(kind), done);
  return {
    answer: part(
      'Answer',
      row(saved('Answer, PNG', 'answer_png'), saved('Clip that loops, GIF', 'answer_gif', 'The clip is saved.')),
    ),
    pictures: part(
      'Pictures',
      row(saved('Map, PNG', 'map_png'), saved('Map, SVG', 'map_svg'), saved('Time line, SVG', 'time_svg')),
    ),
  };
}

function makeOpener(id: string): HTMLButtonElement {
  const opener = make('button', {
    type: 'button',
    class: 'hg-button hg-button--icon',
    title: 'Share and save (s)',
    'aria-label': 'Share and save (s)',
    popovertarget: id,
  });
  opener.append(icon(kPath));
  return opener;
}

const part = (title: string, ...children: readonly HTMLElement[]) =>
  make('section', {}, make('h2', { class: 'hg-heading' }, title), ...children);
const row = (...buttons: readonly HTMLElement[]) => make('div', { class: 'hg-share__row' }, ...buttons);
