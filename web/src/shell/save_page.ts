// Saves what is shown: the trace, the page with it as one HTML file, pictures, tables.

import { svgText } from '../dom/svg_text.ts';
import type { HeapMap } from '../map/heap_map_options.ts';
import { mapSvgFile } from '../map/map_shapes.ts';
import { saveFile } from '../moment/files.ts';
import { holdTrace } from '../moment/held_trace.ts';
import { kOwn } from '../moment/own_files.ts';
import type { Session } from '../moment/session.ts';
import type { Store } from '../moment/state.ts';
import { writeHash, writeMoment } from '../moment/url.ts';
import { kViewerPanels } from '../panels/page.ts';
import type { Panel, Table } from '../panels/panel.ts';
import type { ShownAnswer } from '../protocol/answers.ts';
import { createAnswerFile } from './answer_file/answer_file.ts';
import type { PictureKind } from './share/share.ts';
import { tableText } from './tables.ts';

export interface SavePageOptions {
  readonly store: Store;
  readonly session: Session;
  readonly map: HeapMap;
  /** The one that is open. */
  readonly answer: () => ShownAnswer | undefined;
  /** The time line's picture. */
  readonly timeline: SVGSVGElement;
  readonly panels: readonly Panel[];
  readonly tables: () => readonly Table[];
  /** What is shown, for who cannot see it. */
  readonly title: () => string;
  /** Whether a moment of the page has an address. */
  readonly hasAddress: boolean;
  /** Where the page is that looks at one trace, all in one file; undefined: nowhere. */
  readonly document: string | undefined;
}

export function createSaving(options: SavePageOptions) {
  const { store, session, map, timeline, panels, tables, title, hasAddress, document: address } = options;
  const answers = createAnswerFile({ store, session, title, answer: options.answer, map: () => map.picture() });

  /** heapglass_mixed_load_120000.png */
  function nameOf(what: string, extension: string): string {
    const { source, cursor } = store.get();
    const name = (source.kind === 'scenario' ? source.id : source.name).replace(/\.\w+$/, '').replace(/[^\w-]+/g, '_');
    return `heapglass_${name}_${cursor}${what === '' ? '' : `_${what}`}.${extension}`;
  }

  /** What a picture is called for who cannot see it. */
  const titleNow = (): string => {
    const { cursor } = store.get();
    return `heapglass: ${title()}, event ${cursor}`;
  };

  async function saveHtml(): Promise<void> {
    if (address === undefined) return;
    const response = await fetch(new URL(address, globalThis.document.baseURI));
    if (!response.ok) throw new Error(`${address}: ${response.status} ${response.statusText}`);
    const { name, file } = await session.saveTrace();
    const state = { ...store.get(), playing: false, follow: false }; // it opens at the moment that is shown
    const held = { name, file: new Blob([file]), moment: writeMoment(state, kViewerPanels) };
    saveFile(nameOf('', 'html'), await holdTrace(await response.text(), held), 'text/html');
  }

  function link(): string | undefined {
    const hash = writeHash({ ...store.get(), playing: false, follow: false }, panels);
    if (hash === '' || hash.startsWith('#live=') || hash.startsWith(`#trace=${kOwn}`)) return undefined;
    return `${location.origin === 'null' ? '' : location.origin}${location.pathname}${hash}`;
  }

  return {
    link: hasAddress ? link : undefined,
    saveHtml: address === undefined ? undefined : saveHtml,
    async saveTrace(): Promise<void> {
      const { name, file } = await session.saveTrace();
      saveFile(name, file);
    },
    hasAnswer: answers.hasAnswer,
    async savePicture(kind: PictureKind): Promise<void> {
      if (kind === 'map_png') saveFile(nameOf('map', 'png'), await map.png());
      else if (kind === 'map_svg') saveFile(nameOf('map', 'svg'), mapSvgFile(map.picture(), titleNow()));
      else if (kind === 'answer_png') saveFile(nameOf('answer', 'png'), await answers.png());
      else if (kind === 'answer_gif') saveFile(nameOf('answer', 'gif'), await answers.gif());
      else saveFile(nameOf('time', 'svg'), svgText(timeline, titleNow()), 'image/svg+xml');
    },
    tables: (): readonly string[] => tables().map(({ name }) => name),
    saveTable(name: string): void {
      const table = tables().find((each) => each.name === name);
      if (table === undefined) throw new Error(`There is no table “${name}” at this moment.`);
      saveFile(nameOf(name.toLowerCase().replaceAll(' ', '_'), 'csv'), tableText(table), 'text/csv');
    },
  };
}
