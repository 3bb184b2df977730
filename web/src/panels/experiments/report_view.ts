// What an experiment found so far: charts, tables and findings, filled while its rows are measured.

import { keyedRows, make } from '../../dom/dom.ts';
import type { ExperimentReport, ReportTable } from '../../protocol/experiments.ts';
import { createChart } from './chart.ts';
import { createTable } from './report_table.ts';

/** Tables by their elements. */
const kTables = new WeakMap<HTMLElement, ReturnType<typeof createTable>>();

export function createReportView() {
  const charts = make('div', { class: 'hg-experiments__charts' });
  const tables = make('div', { class: 'hg-experiments__tables' });
  const findings = make('ul', { class: 'hg-experiments__findings' });
  const findingsPart = make('section', { hidden: true }, make('h3', { class: 'hg-heading' }, 'Findings'), findings);
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
  function show(report: ExperimentReport | undefined): void {
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

  return {
    elements: [charts, tables, findingsPart],
    show,
    dispose(): void {
      for (const chart of drawn) chart.dispose();
    },
  };
}
