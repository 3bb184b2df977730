// <hg-heap-map>: the heap map of a trace or of a live heap, for any page. Registered by define_heap_map.ts, not here.
//
//   attribute src, property trace ──┐
//   property heap ── trace, then ───┼──▶ engine (its own worker) ──▶ frames ──▶ the map in the shadow root
//     only what is new, per beat ───┘
//
//   L1  The newest source wins: what an older one still answers is dropped.
//   L2  Taken out of the document the element keeps its properties and nothing else: no worker, no listener, no beat.
//   L3  Importing this file registers nothing and works where there is no DOM (a server that renders pages).

import { addr, seq } from '../base/brand.ts';
import { type EngineClient, startEngine } from '../client/engine_client.ts';
import type { Frame, InspectFrame } from '../protocol/frames.ts';
import { cssVariables, forcedTheme, kDarkTheme, kLightTheme, type Theme } from '../render/palette.ts';
import { blockNames } from '../render/pool_names.ts';
import mapSheet from '../views/heap_map/heap_map.css?inline';
import { createHeapMap } from '../views/heap_map/heap_map.ts';
import type { HeapMap } from '../views/heap_map/heap_map_options.ts';
import elementSheet from './heap_map_element.css?inline';

/** A heap that tells its events: what `createHeap({ trace: true })` gives. */
export interface WatchedHeap {
  readonly eventCount: number;
  events(from?: number): Uint8Array<ArrayBuffer>;
  trace(): Uint8Array<ArrayBuffer>;
}

/** What is shown now. */
export interface HeapMapFrameDetail {
  /** Events applied, of all there are. */
  readonly seq: number;
  readonly head: number;
  readonly inUse: number;
  readonly footprint: number;
  /** Chunks in view; undefined when so many are that only densities are drawn. */
  readonly chunks: number | undefined;
}

export interface HeapMapSelectDetail {
  /** Of the chunk or node, undefined: nothing is selected any more. */
  readonly address: number | undefined;
}

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
    'hg-error': CustomEvent<HeapMapErrorDetail>;
  }
}

const HostElement = typeof HTMLElement === 'undefined' ? (class {} as typeof HTMLElement) : HTMLElement; // L3

/** What exists while the element is in a document (L2). */
interface Shown {
  readonly client: EngineClient;
  readonly map: HeapMap;
  readonly message: HTMLElement;
  readonly variables: HTMLStyleElement;
  readonly left: AbortController;
}

/**
 * The heap map as a custom element.
 *
 * Attributes: `src` (address of a trace file), `theme` (`dark`, `light`; default: the system's), `live` (follow `heap`).
 * Properties: `src`, `theme`, `live`, `heap` (a traced heap), `trace` (bytes of a trace file), `seq` (the moment shown).
 * Events, bubbling: `hg-frame`, `hg-select`, `hg-error`. Parts: `map`. Colours of the frame: `--hg-bg`, `--hg-text` ...
 *
 * @example
 * const map = document.createElement('hg-heap-map');
 * map.heap = await createHeap({ trace: true });
 * map.live = true;
 * document.body.append(map);
 */
export class HeapMapElement extends HostElement {
  static readonly observedAttributes = ['src', 'theme', 'live'];

  #shown: Shown | undefined;
  #heap: WatchedHeap | undefined;
  #trace: ArrayBuffer | Uint8Array | undefined;
  #seq: number | undefined;
  #source = 0; // counts sources (L1)
  #opened = false; // the newest source is open in the engine
  #eventsSent = 0; // of #heap
  #selected: number | undefined;
  #inspect: InspectFrame | undefined;

  /** Address of a trace file. */
  get src(): string {
    return this.getAttribute('src') ?? '';
  }
  set src(address: string) {
    this.setAttribute('src', address);
  }

  /** `dark`, `light`, or '' for the system's. */
  get theme(): string {
    return this.getAttribute('theme') ?? '';
  }
  set theme(name: string) {
    this.setAttribute('theme', name);
  }

  /** Whether new events of `heap` are shown as they happen. Without it, `refresh()` does. */
  get live(): boolean {
    return this.hasAttribute('live');
  }
  set live(on: boolean) {
    this.toggleAttribute('live', on);
  }

  /** A heap of this thread to show. */
  get heap(): WatchedHeap | undefined {
    return this.#heap;
  }
  set heap(heap: WatchedHeap | undefined) {
    this.#heap = heap;
    this.#trace = undefined;
    void this.#open();
  }

  /** The bytes of a trace file to show. */
  get trace(): ArrayBuffer | Uint8Array | undefined {
    return this.#trace;
  }
  set trace(file: ArrayBuffer | Uint8Array | undefined) {
    this.#trace = file;
    this.#heap = undefined;
    void this.#open();
  }

  /** The moment shown: how many events are applied. Undefined: always the newest. */
  get seq(): number | undefined {
    return this.#seq;
  }
  set seq(moment: number | undefined) {
    this.#seq = moment;
    void this.#ask();
  }

  /** Shows what happened in `heap` since the last time. */
  refresh(): void {
    void this.#append();
  }

  connectedCallback(): void {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    const variables = document.createElement('style');
    const sheet = document.createElement('style');
    sheet.textContent = `${elementSheet}\n${mapSheet}`;
    const place = document.createElement('div');
    place.className = 'hg-element__map';
    const message = document.createElement('p');
    message.className = 'hg-element__message';
    message.setAttribute('role', 'alert');
    root.replaceChildren(variables, sheet, place, message);

    const client = startEngine({
      note: (note) => {
        if (note.type === 'died') this.#failed(note.message);
      },
      gone: (reason) => this.#failed(reason),
    });
    const map = createHeapMap({
      parent: place,
      theme: this.#theme(),
      onViewport: () => void this.#ask(),
      onSelect: (address) => {
        this.#selected = address;
        this.#inspect = undefined;
        this.#tell('hg-select', { address });
        void this.#ask();
      },
    });
    map.element.setAttribute('part', 'map');
    const left = new AbortController();
    for (const query of ['(prefers-color-scheme: light)', '(forced-colors: active)']) {
      matchMedia(query).addEventListener('change', () => this.#applyTheme(), { signal: left.signal });
    }
    this.#shown = { client, map, message, variables, left };
    this.#applyTheme();
    void this.#open();
    this.#beat();
  }

  disconnectedCallback(): void {
    const shown = this.#shown;
    this.#shown = undefined;
    this.#opened = false;
    shown?.left.abort();
    shown?.map.destroy();
    shown?.client.dispose();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now) return;
    if (name === 'theme') this.#applyTheme();
    if (name === 'live') this.#beat();
    if (name === 'src') {
      this.#heap = undefined;
      this.#trace = undefined;
      void this.#open();
    }
  }

  // ---- theme

  #theme(): Theme {
    if (matchMedia('(forced-colors: active)').matches) return forcedTheme((keyword) => this.#systemColour(keyword));
    const light =
      this.theme === 'light' || (this.theme !== 'dark' && matchMedia('(prefers-color-scheme: light)').matches);
    return light ? kLightTheme : kDarkTheme;
  }

  /** What a system colour's name stands for, as rgb() text. */
  #systemColour(keyword: string): string {
    const probe = document.createElement('span');
    probe.style.color = keyword;
    this.shadowRoot?.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }

  #applyTheme(): void {
    if (this.#shown === undefined) return;
    const theme = this.#theme();
    this.#shown.variables.textContent = `:host { ${cssVariables(theme.name)} }`;
    this.#shown.map.setTheme(theme);
  }

  // ---- source

  /** Opens the newest source in the engine and shows it. */
  async #open(): Promise<void> {
    this.#opened = false;
    this.#selected = undefined;
    this.#inspect = undefined;
    const source = ++this.#source;
    const { client } = this.#shown ?? {};
    if (client === undefined) return;
    try {
      const eventsSent = this.#heap?.eventCount ?? 0;
      const file = await this.#file();
      if (file === undefined || source !== this.#source) return;
      await client.request({ type: 'openTrace', name: this.src, file }, [file]);
      if (source !== this.#source) return;
      this.#opened = true;
      this.#eventsSent = eventsSent;
      if (this.#shown !== undefined) this.#shown.message.textContent = '';
      await this.#ask();
    } catch (error) {
      if (source === this.#source && this.#shown !== undefined) this.#failed(textOf(error));
    }
  }

  /** A buffer of its own with the trace to open, undefined when there is no source. */
  async #file(): Promise<ArrayBuffer | undefined> {
    if (this.#heap !== undefined) return this.#heap.trace().buffer;
    if (this.#trace !== undefined) return new Uint8Array(this.#trace).slice().buffer;
    if (this.src === '') return undefined;
    const response = await fetch(new URL(this.src, document.baseURI));
    if (!response.ok) throw new Error(`${this.src}: ${response.status} ${response.statusText}`);
    return response.arrayBuffer();
  }

  /** Sends what is new in the heap, then shows it. */
  async #append(): Promise<void> {
    const heap = this.#heap;
    const client = this.#shown?.client;
    if (heap === undefined || client === undefined || !this.#opened) return;
    const count = heap.eventCount;
    if (count === this.#eventsSent) return;
    const records = heap.events(this.#eventsSent).buffer;
    this.#eventsSent = count;
    try {
      await client.request({ type: 'appendEvents', records }, [records]);
      await this.#ask();
    } catch (error) {
      if (this.#shown !== undefined) this.#failed(textOf(error));
    }
  }

  /** While `live`, looks for news once a screen frame; one message is under way at a time. */
  #beat(): void {
    const shown = this.#shown;
    if (shown === undefined || !this.live) return;
    const again = async (): Promise<void> => {
      if (shown !== this.#shown || !this.live) return;
      await this.#append();
      requestAnimationFrame(() => void again());
    };
    void again();
  }

  // ---- frames

  async #ask(): Promise<void> {
    const shown = this.#shown;
    if (shown === undefined || !this.#opened) return;
    const source = this.#source;
    const selected = this.#selected;
    try {
      const frame = await shown.client.frame({
        at: this.#seq === undefined ? { to: 'head' } : { to: 'seq', seq: seq(this.#seq) },
        map: shown.map.viewport(),
        heap: 0,
        inspect: selected === undefined ? undefined : addr(selected),
        bin: undefined,
        pool: undefined,
        explain: false,
        caches: false,
        timeline: undefined,
      });
      if (frame === undefined || shown !== this.#shown || source !== this.#source) return;
      if (selected === this.#selected) this.#inspect = frame.inspect;
      this.#show(shown.map, frame);
    } catch (error) {
      if (shown === this.#shown) this.#failed(textOf(error));
    }
  }

  #show(map: HeapMap, frame: Frame): void {
    if (frame.map === undefined) return;
    const selected = this.#selected === undefined ? undefined : addr(this.#selected);
    map.setFrame(frame.map, {
      selected,
      inspect: this.#inspect,
      binChain: undefined,
      names: blockNames(frame.pools),
      animate: false,
    });
    const { seq: moment, head, inUse, footprint } = frame.status;
    this.#tell('hg-frame', { seq: moment, head, inUse, footprint, chunks: frame.map.chunks?.count });
  }

  #tell<Name extends 'hg-frame' | 'hg-select' | 'hg-error'>(
    name: Name,
    detail: HTMLElementEventMap[Name]['detail'],
  ): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  #failed(message: string): void {
    if (this.#shown !== undefined) this.#shown.message.textContent = message;
    this.#tell('hg-error', { message });
  }
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
