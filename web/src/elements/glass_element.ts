// <hg-glass>: the whole glass of one trace, for any page: map, time line, panels. Registered by define_glass.ts, not here.
//
//   attribute src, property trace ──fetch──▶ the page (page.ts) as a guest in the shadow root (surroundings.ts)
//   property program ────────────follow───▶
//
//   glass.1  The newest source wins: what an older one still answers is dropped.
//   glass.2  Taken out of the document the element keeps its properties and nothing else: no worker, no listener.
//   glass.3  Until there is a page to show, one line says what is missing: still loading, no trace, or why it cannot be shown.
//   glass.4  Importing this file registers nothing, loads no page, and works where there is no DOM.

import tokens from '../base/tokens.css?inline';
import { setText } from '../dom/dom.ts';
import type { RemoteRecorder } from '../live/live_recorder.ts';
import type { LoadedSource } from '../moment/session.ts';
import type { Store, Theme } from '../moment/state.ts';
import type { createPage } from '../shell/page.ts';
import { detailOf, type HeapMapFrameDetail } from './frame_detail.ts';
import sheet from './glass_element.css?inline';
import { TraceElement } from './trace_element.ts';

declare global {
  interface HTMLElementTagNameMap {
    'hg-glass': GlassElement;
  }
}

/** A program that runs elsewhere. */
export interface WatchedProgram {
  readonly name: string;
  /** The element closes it when it shows something else. */
  readonly recorder: RemoteRecorder;
}

const kSystemTheme: Theme = 'auto';

/** What is shown first. */
type First = Extract<LoadedSource, { kind: 'trace' | 'live' }>;

/** What exists while a trace is shown (glass.2). */
interface Shown {
  readonly page: ReturnType<typeof createPage>;
  readonly store: Store;
  /** Resolves when the trace is open. */
  readonly started: Promise<void>;
}

/**
 * The glass as a custom element: what `npx heapglass view` serves, for your own page.
 *
 * Attributes: `src` (address of a trace file), `theme` (`dark`, `light`; default: the system's), `moment` (what stands behind `#` in
 * a link of the page: `event=300&tab=sizes`), `worker-url` (where the worker's script is served, when the page's content policy
 * forbids blob: workers). Properties: `src`, `theme`, `moment`, `workerUrl`, `trace` (bytes of a trace file).
 * Events, bubbling: `hg-frame`, `hg-error`. It is 760 px high unless you give it another height, at least 560 px.
 * Keys and the wheel are the element's while the focus is in it. Colours: `--hg-bg`, `--hg-text` ...
 *
 * @example
 * <hg-glass src="trace.hgtrace" moment="event=300&tab=sizes"></hg-glass>
 */
export class GlassElement extends TraceElement {
  static readonly observedAttributes = ['src', 'theme', 'moment', 'worker-url'];

  #trace: ArrayBuffer | Uint8Array | undefined;
  #program: WatchedProgram | undefined;
  #shown: Shown | undefined;
  #source = 0; // counts sources (glass.1)

  /** The moment that is shown at first, or from now on, as links of the page write it: `event=300&tab=sizes&select=0x41a30`. */
  get moment(): string {
    return this.getAttribute('moment') ?? '';
  }
  set moment(text: string) {
    this.setAttribute('moment', text);
  }

  /** The bytes of a trace file to show. */
  get trace(): ArrayBuffer | Uint8Array | undefined {
    return this.#trace;
  }
  set trace(trace: ArrayBuffer | Uint8Array | undefined) {
    this.#trace = trace;
    this.#program = undefined;
    void this.#open();
  }

  /** A running program to follow. */
  get program(): WatchedProgram | undefined {
    return this.#program;
  }
  set program(program: WatchedProgram | undefined) {
    this.#program = program;
    this.#trace = undefined;
    void this.#open();
  }

  connectedCallback(): void {
    void this.#open();
  }

  disconnectedCallback(): void {
    this.#source++;
    this.#close();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now) return;
    if (name === 'theme') this.#shown?.store.set({ theme: this.#theme() });
    else if (name === 'moment') void this.#go();
    else {
      if (name === 'src') this.#trace = this.#program = undefined;
      void this.#open();
    }
  }

  #theme(): Theme {
    return this.theme === 'light' || this.theme === 'dark' ? this.theme : kSystemTheme;
  }

  #close(): void {
    this.#shown?.page.dispose();
    this.#shown = undefined;
  }

  /** Shows the newest source. */
  async #open(): Promise<void> {
    const source = ++this.#source;
    this.#close();
    if (!this.isConnected) return;
    try {
      const first = await this.#first(source);
      if (source !== this.#source) return;
      if (first === undefined) this.#say('status', 'No trace: give the attribute src or the property trace.');
      else await this.#show(source, first);
    } catch (error) {
      if (source === this.#source) this.#fail(error);
    }
  }

  async #first(source: number): Promise<First | undefined> {
    if (this.#program !== undefined) return { kind: 'live', id: String(source), ...this.#program };
    const file = await this.#file();
    const name = this.#trace === undefined ? (this.src.split('/').pop() ?? '') : 'trace';
    return file === undefined ? undefined : { kind: 'trace', name, file };
  }

  async #file(): Promise<Blob | undefined> {
    if (this.#trace !== undefined) return new Blob([new Uint8Array(this.#trace).slice()]);
    if (this.src === '') return undefined;
    this.#say('status', `Loading ${this.src} …`);
    const response = await fetch(new URL(this.src, document.baseURI));
    if (!response.ok) throw new Error(`${this.src}: ${response.status} ${response.statusText}`);
    return await response.blob();
  }

  async #show(source: number, first: First): Promise<void> {
    const { createPage, createStore, kInitialState, kSheet, kViewerPanels, readHash } = await import(
      './glass_inside.ts'
    );
    if (source !== this.#source) return;
    const place = document.createElement('div');
    place.className = 'hg-glass__inside';
    const style = document.createElement('style');
    style.textContent = kSheet;
    this.#root().replaceChildren(style, place);
    place.addEventListener('beforetoggle', () => this.#placePanels(place), { capture: true });

    const unread: string[] = [];
    const { open: _, ...moment } = readHash(this.moment, kViewerPanels, unread);
    const shownSource =
      first.kind === 'live'
        ? { kind: first.kind, name: first.name, id: first.id }
        : { kind: first.kind, name: first.name };
    const store = createStore({ ...kInitialState, ...moment, theme: this.#theme(), source: shownSource });
    const page = createPage(place, store, {
      panels: kViewerPanels,
      first,
      workerUrl: this.workerUrl,
      onNotice: (message) => this.#emit('hg-error', { message }),
      shown: (frame) => this.#emit('hg-frame', detailOf(frame)),
    });
    this.#shown = { page, store, started: page.start(undefined, unread) };
    await this.#shown.started;
  }

  /** To the moment that the attribute names. */
  async #go(): Promise<void> {
    const shown = this.#shown;
    if (shown === undefined) return; // it is read when there is a page
    const { kViewerPanels, readHash } = await import('./glass_inside.ts');
    await shown.started;
    const unread: string[] = [];
    const { open: _, ...moment } = readHash(this.moment, kViewerPanels, unread);
    if (shown === this.#shown) shown.page.goTo({ ...moment, source: shown.store.get().source }, unread);
  }

  /** Panels that open over the page are placed in the window: they are told where in it the element is. */
  #placePanels(place: HTMLElement): void {
    const { left, top, right } = this.getBoundingClientRect();
    const within = (value: number, most: number) => `${Math.round(Math.min(Math.max(value, 0), most))}px`;
    place.style.setProperty('--hg-page-left', within(left, innerWidth / 2));
    place.style.setProperty('--hg-page-top', within(top, innerHeight / 2));
    place.style.setProperty('--hg-page-right', within(document.documentElement.clientWidth - right, innerWidth / 2));
  }

  #root(): ShadowRoot {
    return this.shadowRoot ?? this.attachShadow({ mode: 'open' });
  }

  /** glass.3 */
  #say(role: 'status' | 'alert', text: string): void {
    const style = document.createElement('style');
    style.textContent = `${tokens}\n${sheet}`;
    const line = document.createElement('p');
    line.className = 'hg-glass__message';
    line.setAttribute('role', role);
    setText(line, text);
    this.#root().replaceChildren(style, line);
  }

  #fail(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#say('alert', message);
    this.#emit('hg-error', { message });
  }

  #emit(name: 'hg-frame', detail: HeapMapFrameDetail): void;
  #emit(name: 'hg-error', detail: { readonly message: string }): void;
  #emit(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}
