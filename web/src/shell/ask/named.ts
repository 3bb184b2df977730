// What the question line can go to by its name: the standing questions, the numbers of the top bar, panels and their parts, chapters,
// scenarios, and what the page can do. With what is found in events, that is every word that stands on the screen.

import { formatCount } from '../../base/format.ts';
import type { Panel } from '../../panels/panel.ts';
import type { Question } from '../../protocol/answers.ts';
import type { PageCore } from '../page_core.ts';
import type { Suggestion } from './suggestions.ts';

const kQuestions: readonly (readonly [string, Question])[] = [
  ['Who holds the memory?', { ask: 'holds' }],
  ['What leaked?', { ask: 'leaked' }],
  ['Why did it grow?', { ask: 'grew' }],
  ['What pins the largest hole?', { ask: 'pins' }],
  ['Largest free: what pins it?', { ask: 'pins' }],
  ['In use: who holds it?', { ask: 'holds' }],
  ['Cached: who holds the rest?', { ask: 'holds' }],
  ['Footprint: why did it grow?', { ask: 'grew' }],
  ['Fragmentation: what pins the largest hole?', { ask: 'pins' }],
];

export interface Naming {
  openFile(): void;
  run(scenario: string): void;
  /** The headings of a panel's parts. */
  headings(panel: string): readonly Element[];
  /** The panel that was opened comes into view. */
  bring(): void;
}

export function suggestionsOf(
  { store, actions, frames, scenarios, asking }: PageCore,
  panels: readonly Panel[],
  { openFile, run, headings, bring }: Naming,
): readonly Suggestion[] {
  const state = store.get();
  const entry = (name: string, hint: string, run: () => void): Suggestion => ({ name, hint, run });
  return [
    ...kQuestions.map(([name, question]) => entry(name, 'question', () => asking.ask(question))),
    ...panels.map(({ id, title }) =>
      entry(title, 'panel', () => {
        store.set({ tab: id });
        bring();
      }),
    ),
    ...panels.flatMap(({ id, title }) =>
      headings(id).map((heading) =>
        entry(heading.firstChild?.textContent?.trim() ?? '', `in ${title}`, () => {
          store.set({ tab: id });
          heading.scrollIntoView({ block: 'nearest' });
        }),
      ),
    ),
    ...(frames.timeline()?.marks ?? []).map(({ label, seq }) =>
      entry(label, `event ${formatCount(seq)}`, () => actions.seek(seq)),
    ),
    entry('Play or pause', 'Space', actions.togglePlay),
    entry('To the first event', 'Home', actions.first),
    entry('To the newest event', 'End', actions.last),
    entry('Bookmark this event', 'b', actions.bookmark),
    entry('Open a trace file', 'action', openFile),
    entry('Save the trace', 'action', () => void actions.saveTrace()),
    entry('Check the heap against the model', 'action', () => void actions.verify()),
    entry('Lifetimes over address and time', 'v', () => store.set({ view: state.view === 'map' ? 'lives' : 'map' })),
    entry('Fold long runs of emptiness, or unfold them', 'action', () => store.set({ folded: !state.folded })),
    entry('Theme: light', 'action', () => store.set({ theme: 'light' })),
    entry('Theme: dark', 'action', () => store.set({ theme: 'dark' })),
    entry('Theme: as the system', 'action', () => store.set({ theme: 'auto' })),
    ...scenarios()
      .filter(({ unavailable }) => unavailable === undefined)
      .map(({ id, title, scene }) => entry(title, scene === undefined ? 'scenario' : 'scene', () => run(id))),
  ];
}
