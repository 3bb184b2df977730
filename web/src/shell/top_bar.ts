// The bar at the top: which source is shown, of which heap, its numbers with the badge, and the tools.

import type { State, Store } from '../moment/state.ts';
import type { Question } from '../protocol/answers.ts';
import type { Frame } from '../protocol/frames.ts';
import type { ScenarioInfo } from '../protocol/messages.ts';
import { createHeapChoice } from './heap_choice.ts';
import type { Layout } from './layout.ts';
import type { createScenarios } from './scenarios/scenarios.ts';
import { createStatus } from './status/status.ts';
import { createTools } from './tools.ts';

export interface TopBarOptions {
  readonly layout: Layout;
  readonly parent: Element;
  readonly store: Store;
  /** Where the source is chosen: it stands at the bar's beginning. */
  readonly picker: ReturnType<typeof createScenarios>;
  verify(): void;
  ask(question: Question): void;
  goTo(): void;
}

export function createTopBar({ layout, parent, store, picker, verify, ask, goTo }: TopBarOptions) {
  const heapChoice = createHeapChoice(layout.top, (heap) => store.set({ heap, bin: undefined, pool: undefined }));
  const status = createStatus(layout.top, { verify, ask });
  const tools = createTools(layout.top, parent, store, goTo);
  return {
    tools,
    update({ source, heap }: State, scenarios: readonly ScenarioInfo[], frame: Frame | undefined): void {
      picker.update(scenarios, source);
      heapChoice.update(frame?.status.heaps ?? [], heap);
      status.update(frame?.status, heap);
      layout.top.classList.toggle('hg-top--malloc', frame?.status.malloc === true); // five numbers
    },
  };
}
