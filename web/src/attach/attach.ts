// heapglass/attach: the heap of a program that you have, shown as it runs.
//
//   attach(Module) ─▶ recorder of it ─┬─▶ dock in this page, your element ─▶ feed ─▶ engine
//                                     └─▶ another tab or window ─▶ its own glass, over a wire
//   in a worker: attach.toPage(Module) ──── wire ────▶ on the page: attach(attach.fromWorker())
//
//   attach.1  The program is not changed and not stopped: it writes its events with or without a glass.
//   attach.2  Each attachment is on its own: a recorder, a name, its glasses. detach() takes all of it away; the program runs on.

import { unguessableName } from '../base/unguessable.ts';
import type { HeapMapElement } from '../elements/heap_map_element.ts';
import { fetchText, sourcePlaces } from '../handles/source_places.ts';
import { knownHandleWatch } from '../handles/watch.ts';
import type { AllocatorNames } from '../instrument/recorded_exports.ts';
import { answerGlasses, callProgram } from '../live/connect.ts';
import { checkMostEvents } from '../live/feed.ts';
import type { LiveRecorder } from '../live/live_recorder.ts';
import { AttachError } from './attach_error.ts';
import { dockProgram } from './dock.ts';
import { makeImports, type TraceImports } from './exports_recorder.ts';
import { glassOrigin, openGlassWindow } from './glass_window.ts';
import { type Attachable, recorderOf } from './recorder_of.ts';

export type { AttachErrorCode } from './attach_error.ts';
export type { TracedExports, TraceImports } from './exports_recorder.ts';
export type { Attachable, TracedModule } from './recorder_of.ts';
export { AttachError };

/** Where the heap is shown, and how the program is recorded. */
export interface AttachOptions {
  /**
   * Where the heap is shown: docked in this page (the default), the whole glass in another tab or window, or nowhere, when
   * `element` shows it or when windows come later.
   */
  readonly show?: 'page' | 'tab' | 'window' | 'none';
  /** An `<hg-heap-map>` of yours that shows it; then nothing else does unless `show` says so. */
  readonly element?: HeapMapElement;
  /** What the program is called. Default: the page's title. */
  readonly title?: string;
  /** Where the worker's script (`heapglass/visualizer/worker.js`) is served, when the content policy forbids blob: workers. */
  readonly workerUrl?: string | URL;
  /** Where a glass is served that a tab or window opens. Default: one that comes with this package. */
  readonly glassUrl?: string | URL;
  /** What `attach.imports()` gave to the module: nothing is lost then. For modules without Emscripten's JavaScript. */
  readonly imports?: TraceImports;
  /**
   * Names of functions in the target (`_malloc` of Emscripten's Module), wrapped from here on: for a module that records nothing and that
   * `heapglass instrument` cannot rewrite. Only calls from JavaScript are seen. With `malloc` comes `free`.
   */
  readonly malloc?: string;
  readonly free?: string;
  readonly calloc?: string;
  readonly realloc?: string;
  /** Of the program's events so many are kept, then what is shown begins anew with a snapshot. Default 16,777,216, 340 MB. */
  readonly mostEvents?: number;
  /** Whether it is followed as it runs. Default true; without, `element.refresh()` shows what is new. */
  readonly live?: boolean;
}

/** A program that is shown. */
export interface Attachment {
  readonly title: string;
  readonly recorder: LiveRecorder;
  /** The map in this page, if there is one. */
  readonly element: HeapMapElement | undefined;
  /** Opens the whole glass in another tab or window. Call it when the visitor presses something, or the browser forbids it. */
  open(where: 'tab' | 'window'): boolean;
  /** Ends every view of the program and leaves nothing behind. The program runs on. */
  detach(): void;
}

/**
 * Shows the heap of a program as it runs: an Emscripten Module linked with `--profile trace`, a wasm instance or its exports, a
 * heap of `createHeap({ trace: true })`, what `attach.fromWorker()` gives, or a promise of one.
 * Rejects with an AttachError when there is nothing to show.
 *
 * @example
 * import { attach } from 'heapglass/attach';
 * await attach(Module);
 */
export async function attach(
  target: Attachable | Promise<Attachable>,
  options: AttachOptions = {},
): Promise<Attachment> {
  const { element, imports, glassUrl, live = true } = options;
  const show = options.show ?? (element === undefined ? 'page' : 'none');
  checkPlace(show);
  if (options.mostEvents !== undefined) checkMostEvents(options.mostEvents, 'attach: mostEvents');
  const id = unguessableName();
  const where = show === 'tab' || show === 'window' ? show : undefined;
  const early = where === undefined ? undefined : openGlassWindow({ id, where, glassUrl }); // window.1
  const blocked = where !== undefined && early === undefined;

  let recorder: LiveRecorder;
  try {
    recorder = recorderOf(await target, imports, namesIn(options));
    knownHandleWatch()?.resolveBy(sourcePlaces(fetchText));
  } catch (error) {
    early?.close();
    throw error;
  }
  const title = options.title ?? (document.title || 'the program');
  const opened = new Set<MessageEventSource | undefined>([early]);
  const open = (at: 'tab' | 'window'): boolean => {
    const window = openGlassWindow({ id, where: at, glassUrl });
    opened.add(window);
    return window !== undefined;
  };
  const expected = glassOrigin(glassUrl);
  const endWindows = answerGlasses(id, title, recorder, {
    isGlass: (source, origin) => opened.has(source) && origin === expected,
  });

  let undock = () => {};
  let map = element;
  const attachment: Attachment = {
    title,
    recorder,
    get element() {
      return map;
    },
    open,
    detach() {
      undock();
      if (map?.recorder === recorder) map.recorder = undefined;
      endWindows('the program is detached');
    },
  };
  if (map === undefined && (show === 'page' || blocked)) {
    map = await makeMap(options.workerUrl);
    const words = blocked ? 'The browser has blocked the window. “Open in a window” opens it.' : undefined;
    const closed = () => attachment.detach();
    undock = dockProgram({ title, map, words, openWindow: () => open(where ?? 'window'), closed });
  }
  if (map !== undefined) {
    if (options.workerUrl !== undefined) map.workerUrl = String(options.workerUrl);
    if (options.mostEvents !== undefined) map.mostEvents = options.mostEvents;
    map.recorder = recorder;
    map.live = live;
  }
  return attachment;
}

function namesIn({ malloc, free, calloc, realloc }: AttachOptions): AllocatorNames | undefined {
  if (malloc === undefined && free === undefined && calloc === undefined && realloc === undefined) return undefined;
  if (malloc === undefined || free === undefined)
    throw new AttachError('no_recorder', 'an allocator is named by malloc and free together');
  return { malloc, free, ...(calloc === undefined ? {} : { calloc }), ...(realloc === undefined ? {} : { realloc }) };
}

/** For a module that is made without Emscripten's JavaScript: its import `heapglass.drain`, so that no event is lost. */
attach.imports = makeImports;

/**
 * In a worker that runs the program: lets a page of the same origin attach to it by the same name. Returns what ends that;
 * `watched` resolves when a page has come.
 *
 * @example
 * const { watched } = await attach.toPage(Module, { name: 'physics' });
 * await watched;
 */
async function toPage(
  target: Attachable | Promise<Attachable>,
  { name = 'worker', imports }: { readonly name?: string; readonly imports?: TraceImports } = {},
): Promise<{ readonly watched: Promise<void>; detach(): void }> {
  const recorder = recorderOf(await target, imports);
  let come = () => {};
  const watched = new Promise<void>((resolve) => {
    come = resolve;
  });
  const end = answerGlasses(name, name, recorder, { joined: come });
  return { watched, detach: () => end('the program is detached') };
}
attach.toPage = toPage;

/**
 * On a page: the program that a worker offers by `attach.toPage` under the same name, for `attach`. Waits ten seconds for it.
 *
 * @example
 * await attach(attach.fromWorker('physics'), { title: 'Physics' });
 */
async function fromWorker(name = 'worker'): Promise<LiveRecorder> {
  return (await callProgram(name)).recorder;
}
attach.fromWorker = fromWorker;

function checkPlace(show: string): void {
  if (!['page', 'tab', 'window', 'none'].includes(show)) {
    throw new TypeError(`attach: show is 'page', 'tab', 'window' or 'none', not '${show}'`);
  }
  if (typeof document !== 'undefined') return;
  const what = 'attach shows a program on a page, and here is none';
  throw new AttachError(
    'no_page',
    `${what}: in a worker it is attach.toPage(), and the page takes it by attach.fromWorker()`,
  );
}

async function makeMap(workerUrl: string | URL | undefined): Promise<HeapMapElement> {
  await import('../elements/define_heap_map.ts'); // a worker that attaches has no use for it
  const map = document.createElement('hg-heap-map');
  if (workerUrl !== undefined) map.workerUrl = String(workerUrl);
  return map;
}
