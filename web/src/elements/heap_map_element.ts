// <hg-heap-map>: the heap map of a trace or of a live heap, for any page. Registered by define_heap_map.ts, not here.
//
//   attribute src, property trace ─────────────┐
//   property recorder, property heap ── feed ──┼──▶ engine (its own worker) ──▶ frames ──▶ the map in the shadow root
//     all of it, then what is new              ┘                            └──▶ notices: what is not as it should be
//
//   L1  The newest source wins: what an older one still answers is dropped.
//   L2  Taken out of the document the element keeps its properties and nothing else: no worker, no listener, no beat.
//   L3  Importing this file registers nothing and works where there is no DOM (a server that renders pages).
//   L4  What is damaged, lost or differs stands above the map as long as it is shown, and is told once as an event.
//
// Over 300 lines: one class is the whole public element, with the documentation of its attributes, properties and events.

import { addr, seq } from '../base/brand.ts';
import type { EngineClient } from '../client/engine_client.ts';
import { startMap } from '../client/start_map.ts';
import { setText } from '../dom/dom.ts';
import { cssVariables, forcedTheme, kDarkTheme, kLightTheme, type Theme } from '../dom/palette.ts';
import { checkMostEvents, type Feed, kMostEvents } from '../live/feed.ts';
import type { WatchedHeap } from '../live/heap_recorder.ts';
import type { LiveRecorder } from '../live/live_recorder.ts';
import { createHeapMap } from '../map/heap_map.ts';
import type { HeapMap } from '../map/heap_map_options.ts';
import { blockNames } from '../map/pool_names.ts';
import { type InspectFrame, kInspect } from '../panels/chunk/part.ts';
import { kLists } from '../panels/lists/part.ts';
import type { Frame } from '../protocol/frames.ts';
import { partOf, want } from '../protocol/parts.ts';
import { resolveColour } from '../shell/theme.ts';
import type { ElementControls } from './element_controls.ts';
import { detailOf, type HeapMapFrameDetail } from './frame_detail.ts';
import { type HeapMapNotice, isQuiet, noticesOf } from './heap_map_notices.ts';
import { fillShadow, type HeapMapShadow } from './heap_map_shadow.ts';
import { type HeapMapSource, openSource, textOf } from './heap_map_source.ts';
import { TraceElement } from './trace_element.ts';

export type { WatchedHeap } from '../live/heap_recorder.ts';
export type { LiveRecorder } from '../live/live_recorder.ts';
export type { HeapMapFrameDetail } from './frame_detail.ts';
export type { HeapMapNotice } from './heap_map_notices.ts';

/** The detail of `hg-select`. */
export interface HeapMapSelectDetail {
  /** Of the chunk or node, undefined: nothing is selected any more. */
  readonly address: number | undefined;
}

/** The detail of `hg-error`: why nothing can be shown. */
export interface HeapMapErrorDetail {
  readonly message: string;
}

declare global {
  interface HTMLElementTagNameMap {
    'hg-heap-map': HeapMapElement;
  }
  interface HTMLElementEventMap {
    'hg-frame': CustomEvent<HeapMapFrameDetail>;
    'hg-select': CustomEvent<HeapMapSelectDetail>;
    'hg-notice': CustomEvent<HeapMapNotice>;
    'hg-error': CustomEvent<HeapMapErrorDetail>;
  }
}

/** What exists while the element is in a document (L2). */
interface Shown extends HeapMapShadow {
  readonly client: EngineClient;
  readonly map: HeapMap;
  controls: ElementControls | undefined; // once they are loaded
  readonly left: AbortController;
}

/**
 * The heap map as a custom element.
 *
 * Attributes: `src` (address of a trace file), `theme` (`dark`, `light`; default: the system's), `live` (follow `heap` or
 * `recorder`), `controls` (time line, steps, numbers and legend below the map), `worker-url` (where the worker's script is served, when the page's content policy forbids blob: workers),
 * `most-events` (of a `recorder`'s events so many are kept, then the trace begins anew with a snapshot; default 16,777,216).
 * Properties: `src`, `theme`, `live`, `workerUrl`, `mostEvents`, `heap` (a traced heap), `recorder` (that of a running program),
 * `trace` (bytes of a trace file), `seq` (the moment shown).
 * Events, bubbling: `hg-frame`, `hg-select`, `hg-notice` (a trace is damaged, events were lost, ...), `hg-error`.
 * Parts: `map`, `controls`, `notices`. The wheel zooms the map while it has the focus or with Ctrl; else it scrolls the page. Colours of the frame: `--hg-bg`, `--hg-text` ...
 *
 * @example
 * const map = document.createElement('hg-heap-map');
 * map.heap = await createHeap({ trace: true });
 * map.live = true;
 * document.body.append(map);
 */
export class HeapMapElement extends TraceElement {
  static readonly observedAttributes = ['src', 'theme', 'live', 'controls', 'worker-url'];

  #shown: Shown | undefined;
  #source: HeapMapSource = {};
  #sources = 0; // how many there were (L1)
  #feed: Feed | undefined; // of a heap or a recorder
  #seq: number | undefined;
  #opened = false; // the newest source is open in the engine
  #fileNotice: string | undefined; // what decoding the file said
  #noticesShown = ''; // the notices shown
  #asking = 0; // an animation frame that will ask
  #selected: number | undefined;
  #inspect: InspectFrame | undefined;

  /** Of a running program's events so many are kept, about 20 bytes each. */
  get mostEvents(): number {
    return Number(this.getAttribute('most-events') ?? kMostEvents);
  }
  set mostEvents(events: number) {
    this.setAttribute('most-events', String(checkMostEvents(events, 'mostEvents')));
  }

  /** Whether new events of `heap` or `recorder` are shown as they happen. Without it, `refresh()` does. */
  get live(): boolean {
    return this.hasAttribute('live');
  }
  set live(on: boolean) {
    this.toggleAttribute('live', on);
  }

  /** Whether a time line, steps, numbers and the legend are below the map. */
  get controls(): boolean {
    return this.hasAttribute('controls');
  }
  set controls(on: boolean) {
    this.toggleAttribute('controls', on);
  }

  /** A heap of this thread to show. */
  get heap(): WatchedHeap | undefined {
    return this.#source.heap;
  }
  set heap(heap: WatchedHeap | undefined) {
    this.#show({ heap });
  }

  /** The recorder of a running program to show: `Module.heapglass`, or one that `heapglass/attach` gives. */
  get recorder(): LiveRecorder | undefined {
    return this.#source.recorder;
  }
  set recorder(recorder: LiveRecorder | undefined) {
    this.#show({ recorder });
  }

  /** The bytes of a trace file to show. */
  get trace(): ArrayBuffer | Uint8Array | undefined {
    return this.#source.trace;
  }
  set trace(trace: ArrayBuffer | Uint8Array | undefined) {
    this.#show({ trace });
  }

  /** The moment shown: how many events are applied. Undefined: always the newest. */
  get seq(): number | undefined {
    return this.#seq;
  }
  set seq(moment: number | undefined) {
    this.#seq = moment;
    this.#ask();
  }

  /** Shows what happened in `heap` or `recorder` since the last time. */
  refresh(): void {
    this.#feed?.refresh();
  }

  connectedCallback(): void {
    const shadow = fillShadow(this.shadowRoot ?? this.attachShadow({ mode: 'open' }));
    const client = startMap({ note: () => {}, gone: (reason) => this.#failed(reason) }, this.workerUrl);
    const map = createHeapMap({
      parent: shadow.place,
      theme: this.#theme(),
      wheelNeedsFocus: true,
      onViewport: () => this.#ask(),
      onSelect: (address) => {
        this.#selected = address;
        this.#inspect = undefined;
        this.#emit('hg-select', { address });
        this.#ask();
      },
    });
    map.element.setAttribute('part', 'map');

    const left = new AbortController();
    for (const query of ['(prefers-color-scheme: light)', '(forced-colors: active)']) {
      matchMedia(query).addEventListener('change', () => this.#applyTheme(), { signal: left.signal });
    }
    this.#shown = { ...shadow, client, map, controls: undefined, left };
    if (this.controls) void this.#addControls(this.#shown);
    this.#applyTheme();
    void this.#open();
    this.#beat();
  }

  /** Loaded when they are wanted: a map without them stays as small. */
  async #addControls(shown: Shown): Promise<void> {
    const { createElementControls, kControlsSheet } = await import('./element_controls.ts');
    if (shown !== this.#shown) return;
    const sheet = document.createElement('style');
    sheet.textContent = kControlsSheet;
    const below = document.createElement('div');
    shown.place.after(below, sheet);
    shown.controls = createElementControls(below, {
      seek: (event) => {
        this.seq = event;
      },
      changed: () => this.#askSoon(),
    });
    this.#askSoon();
  }

  disconnectedCallback(): void {
    const shown = this.#shown;
    this.#shown = undefined;
    this.#opened = false;
    this.#endFeed();
    shown?.left.abort();
    shown?.map.dispose();
    shown?.controls?.dispose();
    shown?.client.dispose();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now) return;
    if (name === 'theme') this.#applyTheme();
    if (name === 'live') this.#beat();
    if (name === 'src') this.#show({});
    if ((name === 'worker-url' || name === 'controls') && this.#shown !== undefined) {
      this.disconnectedCallback(); // another worker, other parts: begin anew
      this.connectedCallback();
    }
  }

  // ---- theme

  #theme(): Theme {
    if (matchMedia('(forced-colors: active)').matches)
      return forcedTheme((keyword) => resolveColour(keyword, this.shadowRoot ?? undefined));
    const light =
      this.theme === 'light' || (this.theme !== 'dark' && matchMedia('(prefers-color-scheme: light)').matches);
    return light ? kLightTheme : kDarkTheme;
  }

  #applyTheme(): void {
    if (this.#shown === undefined) return;
    const theme = this.#theme();
    this.#shown.variables.textContent = `:host { ${cssVariables(theme.name)} }`;
    this.#shown.map.setTheme(theme);
  }

  // ---- source

  /** From now on this is what is shown; without any of them, `src`. */
  #show(source: HeapMapSource): void {
    this.#source = source;
    void this.#open();
  }

  /** Opens the newest source in the engine and shows it. */
  async #open(): Promise<void> {
    this.#opened = false;
    this.#selected = undefined;
    this.#inspect = undefined;
    this.#shown?.controls?.forget();
    this.#endFeed();
    const number = ++this.#sources;
    if (this.#shown === undefined) return;
    const { client, message, notices } = this.#shown;
    this.#notice(notices, []);
    const isNewest = () => number === this.#sources;
    try {
      const opened = await openSource(client, this.#source, this.src, isNewest);
      if (opened === undefined || !isNewest()) return;
      this.#opened = true;
      this.#fileNotice = opened.notice;
      message.textContent = '';
      this.#feed = opened.follow?.({
        applied: () => this.#askSoon(),
        failed: (text) => this.#failed(text),
        mostEvents: this.getAttribute('most-events'),
      });
      this.#ask();
    } catch (error) {
      if (isNewest() && this.#shown !== undefined) this.#failed(textOf(error));
    }
  }

  #endFeed(): void {
    this.#feed?.stop();
    this.#feed = undefined;
    cancelAnimationFrame(this.#asking);
    this.#asking = 0;
  }

  /** While `live`, looks for news once a screen frame. */
  #beat(): void {
    const shown = this.#shown;
    if (shown === undefined || !this.live) return;
    const again = (): void => {
      if (shown !== this.#shown || !this.live) return;
      this.#feed?.heed();
      requestAnimationFrame(again);
    };
    again();
  }

  // ---- frames

  /** News of a program come in many pieces: one frame shows all that came until the next picture. */
  #askSoon(): void {
    if (this.#asking !== 0) return;
    this.#asking = requestAnimationFrame(() => {
      this.#asking = 0;
      this.#ask();
    });
  }

  #ask(): void {
    void this.#askNow();
  }

  async #askNow(): Promise<void> {
    const shown = this.#shown;
    if (shown === undefined || !this.#opened) return;
    const number = this.#sources;
    const selected = this.#selected;
    try {
      const frame = await shown.client.frame({
        at: this.#seq === undefined ? { to: 'head' } : { to: 'seq', seq: seq(this.#seq) },
        map: shown.map.viewport(),
        heap: 0,
        parts: {
          ...want(kInspect, selected === undefined ? undefined : addr(selected)),
          ...want(kLists, { bin: undefined, pool: undefined, blocks: false }),
        },
        timeline: shown.controls?.wants(),
      });
      if (frame === undefined || shown !== this.#shown || number !== this.#sources) return;
      if (selected === this.#selected) this.#inspect = partOf(frame.parts, kInspect);
      this.#draw(shown, frame);
    } catch (error) {
      if (shown === this.#shown) this.#failed(textOf(error));
    }
  }

  #draw({ map, controls, notices }: Shown, frame: Frame): void {
    if (frame.map === undefined) return;
    controls?.show(frame);
    const isFile = this.#feed === undefined;
    this.#notice(notices, noticesOf(frame.status, this.#fileNotice, isFile));
    const selected = this.#selected === undefined ? undefined : addr(this.#selected);
    map.setFrame(frame.map, {
      selected,
      inspect: this.#inspect,
      binChain: undefined,
      names: blockNames(partOf(frame.parts, kLists)?.pools ?? []),
      animate: false,
      arrives: false,
    });
    this.#emit('hg-frame', detailOf(frame));
  }

  /** L4 */
  #notice(line: HTMLElement, notices: readonly HeapMapNotice[]): void {
    const text = notices.map(({ message }) => message).join(' · ');
    if (text === this.#noticesShown) return;
    const before = this.#noticesShown;
    this.#noticesShown = text;
    setText(line, text);
    line.classList.toggle('hg-element__notices--quiet', notices.every(isQuiet));
    for (const notice of notices) if (!before.includes(notice.message)) this.#emit('hg-notice', notice);
  }

  #emit<Name extends 'hg-frame' | 'hg-select' | 'hg-notice' | 'hg-error'>(
    name: Name,
    detail: HTMLElementEventMap[Name]['detail'],
  ): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  #failed(message: string): void {
    if (this.#shown !== undefined) setText(this.#shown.message, message);
    this.#emit('hg-error', { message });
  }
}
