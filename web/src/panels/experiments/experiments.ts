// The experiments of the source documents: a list by document, and the chosen one with its question, its run, and what
// it found so far: charts, tables, findings, all beside the document's figures.
//
//   list  ── choose ──▶  one experiment          the charts fill while its rows are measured
//         ◀── back ───   run, stop, watch        watching tells the same story on the map, event by event

import './experiments.css';
import { keyedRows, make, setText } from '../../dom/dom.ts';
import type { ExperimentId, ExperimentReport, ReportTable } from '../../protocol/experiments.ts';
import { createChart } from './chart.ts';
import { kExperimentGroups, listedExperiment } from './experiment_list.ts';
import { createTable } from './report_table.ts';
import { type ExperimentsState, type Extent, kExtents, listStatus, progressText } from './run_state.ts';

export interface ExperimentsCallbacks {
  /** undefined: back to the list. */
  choose(id: ExperimentId | undefined): void;
  run(id: ExperimentId, rounds: number, divisor: number): void;
  stop(): void;
  /** Tell its story on the map. */
  watch(id: ExperimentId): void;
}

const kNoThreads =
  'Threads share memory only on a page served with “Cross-Origin-Opener-Policy: same-origin” and “Cross-Origin-Embedder-Policy: require-corp”. This one is not, so rows with threads are left out.';

export function createExperiments(parent: Element, callbacks: ExperimentsCallbacks) {
  /** What takes the focus once it is shown: who opens or leaves an experiment goes on from there. */
  let landing: HTMLElement | undefined;
  const rows = new Map<ExperimentId, { readonly button: HTMLButtonElement; readonly status: HTMLElement }>();
  const list = make(
    'div',
    { class: 'hg-experiments__list' },
    make(
      'p',
      { class: 'hg-note' },
      'What five documents measured, measured again: in this browser, on this allocator, beside the documents’ figures.',
    ),
    ...kExperimentGroups.map(({ letter, title, experiments }) =>
      make(
        'section',
        { class: 'hg-experiments__group' },
        make('h3', { class: 'hg-experiments__document' }, make('b', {}, letter), title),
        make('ul', {}, ...experiments.map(({ id, name }) => make('li', {}, listRow(id, name)))),
      ),
    ),
  );

  function listRow(id: ExperimentId, name: string): HTMLButtonElement {
    const status = make('span', { class: 'hg-experiments__status' });
    const button = make(
      'button',
      { type: 'button', class: 'hg-experiments__row', 'data-experiment': id },
      make('span', { class: 'hg-experiments__id' }, id),
      make('span', {}, name),
      status,
    );
    button.addEventListener('click', () => {
      landing = title;
      callbacks.choose(id);
    });
    rows.set(id, { button, status });
    return button;
  }

  // ---- one experiment

  const back = action('‹ All experiments', () => {
    const from = state?.chosen;
    if (from !== undefined) landing = rows.get(from)?.button;
    callbacks.choose(undefined);
  });
  back.className = 'hg-experiments__back';
  const titleId = make('span', { class: 'hg-experiments__id' });
  const titleName = make('span');
  const title = make('h3', { class: 'hg-experiments__title', tabindex: -1 }, titleId, titleName);
  const question = make('p', { class: 'hg-experiments__question' });
  let extent: Extent = 'quick';
  const extents = (['quick', 'full'] as const).map((name) => {
    const { rounds, divisor } = kExtents[name];
    const button = make('button', { type: 'button', class: 'hg-segment' }, name);
    button.title = `${rounds} rounds, ${divisor === 1 ? 'all of the work: minutes' : `a ${divisor}th of the work: seconds`}`;
    button.addEventListener('click', () => {
      extent = name;
      refresh();
    });
    return { name, button };
  });
  const start = action('Run', () => {
    const id = state?.chosen;
    if (id === undefined || state === undefined) return;
    if (state.running === id) callbacks.stop();
    else callbacks.run(id, kExtents[extent].rounds, kExtents[extent].divisor);
  });
  const watch = action('Watch it in the map', () => state?.chosen !== undefined && callbacks.watch(state.chosen));
  const bar = make('progress', { class: 'hg-experiments__bar', max: 1, 'aria-label': 'Measured' });
  const progress = make('p', { class: 'hg-note', role: 'status' });
  const threads = make('p', { class: 'hg-experiments__notice' }, kNoThreads);
  const failure = make('p', { class: 'hg-experiments__notice hg-experiments__notice--failed', role: 'alert' });
  const charts = make('div', { class: 'hg-experiments__charts' });
  const tables = make('div', { class: 'hg-experiments__tables' });
  const findings = make('ul', { class: 'hg-experiments__findings' });
  const findingsPart = make('section', { hidden: true }, make('h3', { class: 'hg-heading' }, 'Findings'), findings);
  const one = make(
    'div',
    { class: 'hg-experiments__one', hidden: true },
    back,
    title,
    question,
    make(
      'div',
      { class: 'hg-experiments__controls' },
      make(
        'div',
        { class: 'hg-segments', role: 'group', 'aria-label': 'How much is measured' },
        ...extents.map(({ button }) => button),
      ),
      start,
      watch,
    ),
    make('div', { class: 'hg-experiments__progress' }, bar, progress),
    threads,
    failure,
    charts,
    tables,
    findingsPart,
  );
  const heading = make('h2', { class: 'hg-heading' }, 'Experiments');
  const element = make('section', { class: 'hg-experiments' }, heading, list, one);
  parent.append(element);

  let state: ExperimentsState | undefined;
  let shown: ExperimentReport | undefined;
  let drawn: { readonly dispose: () => void; readonly update: (report: ExperimentReport) => void }[] = [];

  const showTables = keyedRows<ReportTable, HTMLElement>(
    tables,
    (table) => table.title,
    (table) => {
      const made = createTable(table.title);
      kTables.set(made.element, made);
      return made.element;
    },
    (part, table) => kTables.get(part)?.update(table),
  );

  /** Another experiment's charts are other charts; the same one's are filled. */
  function showReport(report: ExperimentReport | undefined): void {
    if (report === shown) return;
    if (report?.id !== shown?.id || report?.charts.length !== drawn.length) {
      for (const chart of drawn) chart.dispose();
      drawn = (report?.charts ?? []).map((_, index) => {
        const chart = createChart(charts);
        return {
          dispose: chart.dispose,
          update(next) {
            const mine = next.charts[index];
            if (mine !== undefined) chart.update(mine);
          },
        };
      });
      if (report?.id !== shown?.id) showTables([]);
    }
    shown = report;
    if (report !== undefined) for (const chart of drawn) chart.update(report);
    showTables(report?.tables ?? []);
    findingsPart.hidden = (report?.findings.length ?? 0) === 0;
    findings.replaceChildren(
      ...(report?.findings ?? []).map((text) => make('li', { class: 'hg-experiments__finding' }, text)),
    );
  }

  function refresh(): void {
    if (state === undefined) return;
    const { chosen } = state;
    list.hidden = chosen !== undefined;
    one.hidden = chosen === undefined;
    heading.className = chosen === undefined ? 'hg-heading' : 'hg-hidden'; // the way back stands in its place
    landing?.focus();
    landing = undefined;
    for (const [id, { status }] of rows) setText(status, listStatus(state, id));
    if (chosen === undefined) return;
    const listed = listedExperiment(chosen);
    const report = state.reports.get(chosen);
    const runs = state.running === chosen;
    setText(titleId, chosen);
    setText(titleName, report?.title ?? listed?.name ?? '');
    setText(question, report?.question ?? listed?.about ?? '');
    for (const { name, button } of extents) {
      button.setAttribute('aria-pressed', String(name === extent));
      button.disabled = runs;
    }
    setText(start, runs ? 'Stop' : report === undefined ? 'Run' : 'Run again');
    start.classList.toggle('hg-experiments__start', !runs);
    watch.hidden = !state.watchable.has(chosen);
    const watched = state.watched === chosen;
    setText(watch, watched ? 'Watch it again' : 'Watch it in the map');
    bar.hidden = !runs;
    if (report === undefined || report.of === 0) bar.removeAttribute('value');
    else bar.value = report.done / report.of;
    setText(progress, progressText(state, chosen));
    threads.hidden = listed?.threads !== true || state.threads || report !== undefined; // a report says it itself
    const failed = state.failures.get(chosen);
    failure.hidden = failed === undefined;
    setText(failure, failed ?? '');
    showReport(report);
  }

  return {
    element,
    update(next: ExperimentsState): void {
      const before = state;
      state = next;
      const keys = ['chosen', 'running', 'reports', 'failures', 'threads', 'watchable', 'watched'] as const;
      if (before === undefined || keys.some((key) => before[key] !== next[key])) refresh();
    },
    dispose(): void {
      for (const chart of drawn) chart.dispose();
      element.remove();
    },
  };
}

/** Tables by their elements. */
const kTables = new WeakMap<HTMLElement, ReturnType<typeof createTable>>();

function action(name: string, press: () => void): HTMLButtonElement {
  const button = make('button', { type: 'button', class: 'hg-button' }, name);
  button.addEventListener('click', press);
  return button;
}
