// The dock: a panel at the lower edge of the page that shows attached programs, one at a time.
//
//   ══ edge: drag, or arrow keys ═══════════════════════════════════
//    program [▾]   in use 1.2 MiB of 2 MiB   ● model = heap    [Open in a window] [Close]
//   ────────────────────────────────────────────────────────────────
//    <hg-heap-map> of the chosen program
//
//   dock.1  A page has one dock. It comes with the first program and goes with the last.
//   dock.2  Only the chosen program's map is in the document: the others have no worker and are asked for nothing.
//   dock.3  It moves nothing of the page, and the page's styles do not reach it.

import { formatBytes } from '../base/format.ts';
import tokens from '../base/tokens.css?inline';
import { make, setText } from '../dom/dom.ts';
import { cssVariables } from '../dom/palette.ts';
import type { HeapMapElement } from '../elements/heap_map_element.ts';
import { badgeOf, kBadgeMarks } from '../shell/status/badge.ts';
import dockSheet from './dock.css?inline';

export interface Docked {
  readonly title: string;
  readonly map: HeapMapElement;
  /** What the visitor should know first, or undefined. */
  readonly words: string | undefined;
  /** Shows the program in a window of its own, too. */
  openWindow(): void;
  /** The visitor closed it here. */
  closed(): void;
}

const kLeastPercent = 15;
const kMostPercent = 95;
const kStepPercent = 5;

const kDocks = new WeakMap<Document, Dock>();

/** Adds a program to the page's dock. Returns what takes it out again. */
export function dockProgram(docked: Docked): () => void {
  const dock = kDocks.get(document) ?? new Dock(() => kDocks.delete(document));
  kDocks.set(document, dock);
  dock.add(docked);
  return () => dock.remove(docked);
}

class Dock {
  readonly #host = make('div', { class: 'hg-dock' });
  readonly #programs: Docked[] = [];
  readonly #over = new AbortController();
  readonly #title = make('h2', { class: 'hg-dock__title' });
  readonly #choice = make('select', { class: 'hg-dock__choice', 'aria-label': 'Program' });
  readonly #numbers = make('span', { class: 'hg-dock__numbers' });
  readonly #badge = make('span', { class: 'hg-dock__badge' });
  readonly #words = make('p', { class: 'hg-dock__words', role: 'alert', hidden: true });
  readonly #place = make('div', { class: 'hg-dock__place' });
  readonly #variables = make('style');
  readonly #edge = make('div', {
    class: 'hg-dock__edge',
    role: 'separator',
    tabindex: 0,
    'aria-orientation': 'horizontal',
    'aria-label': 'Height of the panel',
    'aria-valuemin': kLeastPercent,
    'aria-valuemax': kMostPercent,
  });
  readonly #gone: () => void;
  #chosen: Docked | undefined;
  #percent = 45;

  constructor(gone: () => void) {
    this.#gone = gone;
    const { signal } = this.#over;
    const button = (name: string, press: () => void) => {
      const element = make('button', { type: 'button', class: 'hg-dock__button' }, name);
      element.addEventListener('click', press);
      return element;
    };
    const bar = make(
      'div',
      { class: 'hg-dock__bar' },
      this.#title,
      this.#choice,
      this.#numbers,
      this.#badge,
      make(
        'div',
        { class: 'hg-dock__buttons' },
        button('Open in a window', () => this.#chosen?.openWindow()),
        button('Close', () => this.#close()),
      ),
    );
    this.#choice.addEventListener('change', () => this.#choose(this.#programs[this.#choice.selectedIndex]));
    this.#edge.addEventListener('keydown', (event) => this.#resizeByKey(event));
    this.#edge.addEventListener('pointerdown', (event) => this.#edge.setPointerCapture(event.pointerId));
    this.#edge.addEventListener('pointermove', (event) => {
      if (this.#edge.hasPointerCapture(event.pointerId)) this.#resize(100 - (event.clientY / innerHeight) * 100);
    });
    for (const query of ['(prefers-color-scheme: light)', '(forced-colors: active)']) {
      matchMedia(query).addEventListener('change', () => this.#paint(), { signal });
    }
    const sheet = make('style', {}, tokens, dockSheet);
    this.#host.attachShadow({ mode: 'open' }).append(sheet, this.#variables, this.#edge, bar, this.#words, this.#place);
    this.#host.setAttribute('role', 'region');
    this.#host.setAttribute('aria-label', 'heapglass');
    this.#resize(this.#percent);
    this.#paint();
    document.body.append(this.#host);
  }

  add(docked: Docked): void {
    this.#programs.push(docked);
    docked.map.addEventListener('hg-frame', ({ detail }) => {
      if (this.#chosen !== docked) return;
      setText(this.#numbers, `in use ${formatBytes(detail.inUse)} of ${formatBytes(detail.footprint)}`);
      const { badge, text } = badgeOf(detail);
      this.#badge.dataset['badge'] = badge;
      setText(this.#badge, `${kBadgeMarks[badge]} ${text}`);
    });
    this.#choose(docked);
  }

  remove(docked: Docked): void {
    const at = this.#programs.indexOf(docked);
    if (at < 0) return;
    this.#programs.splice(at, 1);
    docked.map.remove();
    if (this.#programs.length > 0) this.#choose(this.#chosen === docked ? this.#programs[0] : this.#chosen);
    else {
      this.#over.abort();
      this.#host.remove();
      this.#gone();
    }
  }

  #choose(docked: Docked | undefined): void {
    if (docked === undefined) return;
    this.#choice.replaceChildren(...this.#programs.map(({ title }) => make('option', {}, title)));
    this.#choice.selectedIndex = this.#programs.indexOf(docked);
    this.#choice.hidden = this.#programs.length < 2;
    this.#title.hidden = !this.#choice.hidden;
    setText(this.#title, docked.title);
    if (this.#chosen === docked && docked.map.isConnected) return;
    this.#chosen = docked;
    setText(this.#numbers, '');
    setText(this.#badge, '');
    this.#words.hidden = docked.words === undefined;
    setText(this.#words, docked.words ?? '');
    this.#place.replaceChildren(docked.map);
  }

  #close(): void {
    const docked = this.#chosen;
    if (docked === undefined) return;
    this.remove(docked);
    docked.closed();
  }

  #resizeByKey(event: KeyboardEvent): void {
    const to = {
      ArrowUp: this.#percent + kStepPercent,
      ArrowDown: this.#percent - kStepPercent,
      Home: kMostPercent,
      End: kLeastPercent,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#resize(to);
  }

  #resize(percent: number): void {
    this.#percent = Math.min(Math.max(percent, kLeastPercent), kMostPercent);
    this.#edge.setAttribute('aria-valuenow', String(Math.round(this.#percent)));
    this.#host.style.setProperty('--hg-dock-height', `${this.#percent}vh`);
  }

  #paint(): void {
    const forced = matchMedia('(forced-colors: active)').matches;
    const light = matchMedia('(prefers-color-scheme: light)').matches;
    this.#variables.textContent = `:host { ${cssVariables(forced ? 'forced' : light ? 'light' : 'dark')} }`;
  }
}
