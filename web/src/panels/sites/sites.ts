// Whose memory it is: lists of the program's own functions beside the flame graph of their blocks.
//
//   ┌ In use │ Leaks │ Temporaries │ Time range ┐ ┌ Heaviest left │ Oldest left │ Sandwich   [find]  ┐
//   │ load        load.cpp:12   12 KiB   7      │ ├──────────── main ─────────────┬──── worker ─────┤
//   │ remember    words.cpp:30  9.75 KiB  78    │ ├─ load ──┬── draw ──────┤

import './sites.css';
import { make } from '../../dom/dom.ts';
import { createFlame } from './flame.ts';
import { createLists, type ListsCallbacks, type ListsMoment } from './lists.ts';
import type { SitesFrame } from './part.ts';
import { createRecording } from './recording.ts';

export interface SitesCallbacks extends ListsCallbacks {
  /** What a function and all that it calls holds. */
  through(frame: string): void;
  /** Frames of libraries are shown, or folded. */
  libraries(on: boolean): void;
}

export interface SitesState {
  readonly libraries: boolean;
  /** The program is linked with heapglass. */
  readonly isLinked: boolean;
  readonly moment: ListsMoment;
  /** Lists that read many events may ask now. */
  readonly rests: boolean;
  /** The function that was asked about. */
  readonly asked: string | undefined;
}

export function createSites(parent: Element, callbacks: SitesCallbacks) {
  const flame = createFlame(callbacks.through);
  const lists = createLists(callbacks, () => flame.update(lists.graph()));
  const recording = createRecording();
  const libraries = make('input', { type: 'checkbox' });
  libraries.addEventListener('change', () => callbacks.libraries(libraries.checked));
  const title = make(
    'label',
    {
      class: 'hg-sites__switch',
      title: 'operator new, std::, malloc: else they are folded into the function that calls them',
    },
    libraries,
    'Library frames',
  );
  lists.element.firstElementChild?.append(title);
  const element = make(
    'section',
    { class: 'hg-sites', 'aria-label': 'Sites' },
    lists.element,
    flame.element,
    recording.element,
  );
  parent.append(element);
  return {
    element,
    update(next: SitesFrame | undefined, { libraries: on, isLinked, moment, rests, asked }: SitesState): void {
      libraries.checked = on;
      lists.update(next, moment, rests, asked);
      flame.element.hidden = next?.known !== true;
      recording.element.hidden = next?.known !== false;
      recording.update(isLinked);
      title.hidden = next?.known === false; // nothing to fold
    },
    dispose(): void {
      lists.dispose();
      element.remove();
    },
  };
}
