// The chosen experiment: its question, its run, what it found, and the same run watched on the map.

import { make, setText } from '../../dom/dom.ts';
import type { ExperimentId } from '../../protocol/experiments.ts';
import { listedExperiment } from './experiment_list.ts';
import { createRecordedView } from './recorded_view.ts';
import { createReportView } from './report_view.ts';
import { type ExperimentsState, type Extent, kExtents, progressText } from './run_state.ts';

export interface OneExperimentCallbacks {
  back(): void;
  run(id: ExperimentId, rounds: number, divisor: number): void;
  stop(): void;
  watch(id: ExperimentId): void;
}

const kNoThreads =
  'Threads share memory only on a page served with “Cross-Origin-Opener-Policy: same-origin” and “Cross-Origin-Embedder-Policy: require-corp”. This one is not, so rows with threads are left out.';

export function createOneExperiment({ back, run, stop, watch }: OneExperimentCallbacks) {
  let state: ExperimentsState | undefined;
  const extents = createExtents();
  const parts = makeParts({
    back,
    start() {
      const id = state?.chosen;
      if (id === undefined || state === undefined) return;
      const { rounds, divisor } = kExtents[extents.chosen()];
      if (state.running === id) stop();
      else run(id, rounds, divisor);
    },
    watch: () => state?.chosen !== undefined && watch(state.chosen),
  });
  const report = createReportView();
  const recorded = createRecordedView();
  const { title, titleId, titleName, question, start, threads, failure } = parts;
  const controls = make('div', { class: 'hg-experiments__controls' }, extents.element, start, parts.watch);
  const element = make(
    'div',
    { class: 'hg-experiments__one', hidden: true },
    parts.back,
    title,
    question,
    controls,
    make('div', { class: 'hg-experiments__progress' }, parts.bar, parts.progress),
    threads,
    failure,
    ...report.elements,
    recorded.element,
  );

  function showRun(now: ExperimentsState, chosen: ExperimentId): void {
    const found = now.reports.get(chosen);
    const runs = now.running === chosen;
    extents.update(runs);
    setText(start, runs ? 'Stop' : found === undefined ? 'Run' : 'Run again');
    start.classList.toggle('hg-experiments__start', !runs);
    parts.watch.hidden = !now.watchable.has(chosen) || found?.of === 0; // what this build does not have cannot be watched
    setText(parts.watch, now.watched === chosen ? 'Watch it again' : 'Watch it in the map');
    parts.bar.hidden = !runs;
    if (found === undefined || found.of === 0) parts.bar.removeAttribute('value');
    else parts.bar.value = found.done / found.of;
    setText(parts.progress, progressText(now, chosen));
    const failed = now.failures.get(chosen);
    failure.hidden = failed === undefined;
    setText(failure, failed ?? '');
  }

  return {
    element,
    /** What takes the focus when it is opened. */
    title,
    update(now: ExperimentsState, chosen: ExperimentId): void {
      state = now;
      const listed = listedExperiment(chosen);
      const found = now.reports.get(chosen);
      setText(titleId, chosen);
      setText(titleName, found?.title ?? listed?.name ?? '');
      setText(question, found?.question ?? listed?.about ?? '');
      threads.hidden = listed?.threads !== true || now.threads || found !== undefined; // a report says it itself
      showRun(now, chosen);
      report.show(found);
      recorded.show((found === undefined || found.of === 0) && now.running !== chosen ? chosen : undefined);
    },
    dispose: report.dispose,
  };
}

/** How much is measured. */
function createExtents() {
  let chosen: Extent = 'quick';
  let isRunning = false;
  const extents = (['quick', 'full'] as const).map((name) => {
    const { rounds, divisor } = kExtents[name];
    const button = action(name, () => {
      chosen = name;
      update(isRunning);
    });
    button.className = 'hg-segment';
    button.title = `${rounds} rounds, ${divisor === 1 ? 'all of the work: minutes' : `a ${divisor}th of the work: seconds`}`;
    return { name, button };
  });
  const element = make(
    'div',
    { class: 'hg-segments', role: 'group', 'aria-label': 'How much is measured' },
    ...extents.map(({ button }) => button),
  );

  function update(runs: boolean): void {
    isRunning = runs;
    for (const { name, button } of extents) {
      button.setAttribute('aria-pressed', String(name === chosen));
      button.disabled = runs;
    }
  }
  return { element, update, chosen: () => chosen };
}

function makeParts(press: { back(): void; start(): void; watch(): void }) {
  const back = action('‹ All experiments', press.back);
  back.className = 'hg-experiments__back';
  const titleId = make('span', { class: 'hg-experiments__id' });
  const titleName = make('span');
  return {
    back,
    titleId,
    titleName,
    title: make('h3', { class: 'hg-experiments__title', tabindex: -1 }, titleId, titleName),
    question: make('p', { class: 'hg-experiments__question' }),
    start: action('Run', press.start),
    watch: action('Watch it in the map', press.watch),
    bar: make('progress', { class: 'hg-experiments__bar', max: 1, 'aria-label': 'Measured' }),
    progress: make('p', { class: 'hg-note', role: 'status' }),
    threads: make('p', { class: 'hg-experiments__notice' }, kNoThreads),
    failure: make('p', { class: 'hg-experiments__notice hg-experiments__notice--failed', role: 'alert' }),
  };
}

function action(name: string, press: () => void): HTMLButtonElement {
  const button = make('button', { type: 'button', class: 'hg-button' }, name);
  button.addEventListener('click', press);
  return button;
}
