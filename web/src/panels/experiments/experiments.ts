// The experiments of the source documents: a list by document, and the chosen one with its question, its run, and what
// it found so far: charts, tables, findings, all beside the document's figures.
//
//   list  ── choose ──▶  one experiment          the charts fill while its rows are measured
//         ◀── back ───   run, stop, watch        watching shows the same calls on the map, event by event

import './experiments.css';
import { make } from '../../dom/dom.ts';
import type { ExperimentId } from '../../protocol/experiments.ts';
import { createExperimentIndex } from './experiment_index.ts';
import { createOneExperiment } from './one_experiment.ts';
import type { ExperimentsState } from './run_state.ts';

export interface ExperimentsCallbacks {
  /** undefined: back to the list. */
  choose(id: ExperimentId | undefined): void;
  run(id: ExperimentId, rounds: number, divisor: number): void;
  stop(): void;
  /** Watch it on the map. */
  watch(id: ExperimentId): void;
}

export function createExperiments(parent: Element, { choose, run, stop, watch }: ExperimentsCallbacks) {
  let state: ExperimentsState | undefined;
  /** What takes the focus once it is shown: who opens or leaves an experiment goes on from there. */
  let landing: HTMLElement | undefined;
  const index = createExperimentIndex((id) => {
    landing = one.title;
    choose(id);
  });
  const one = createOneExperiment({
    back() {
      const from = state?.chosen;
      if (from !== undefined) landing = index.button(from);
      choose(undefined);
    },
    run,
    stop,
    watch,
  });
  const heading = make('h2', { class: 'hg-heading' }, 'Experiments');
  const element = make('section', { class: 'hg-experiments' }, heading, index.element, one.element);
  parent.append(element);

  function refresh(now: ExperimentsState): void {
    const { chosen } = now;
    index.element.hidden = chosen !== undefined;
    one.element.hidden = chosen === undefined;
    heading.className = chosen === undefined ? 'hg-heading' : 'hg-hidden'; // the way back stands in its place
    landing?.focus();
    landing = undefined;
    index.update(now);
    if (chosen !== undefined) one.update(now, chosen);
  }

  return {
    element,
    update(next: ExperimentsState): void {
      const before = state;
      state = next;
      const keys = ['chosen', 'running', 'reports', 'failures', 'threads', 'watchable', 'watched'] as const;
      if (before === undefined || keys.some((key) => before[key] !== next[key])) refresh(next);
    },
    dispose(): void {
      one.dispose();
      element.remove();
    },
  };
}
