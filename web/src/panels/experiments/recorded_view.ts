// The figures of the last full run, while this page has none of its own.

import { make, setText } from '../../dom/dom.ts';
import type { ExperimentId } from '../../protocol/experiments.ts';
import { recordedFigures } from './recorded.ts';
import { createTable } from './report_table.ts';

export function createRecordedView() {
  const run = make('p', { class: 'hg-note' });
  const tables = make('div', { class: 'hg-experiments__tables' });
  const heading = make('h3', { class: 'hg-heading' }, 'The last full run, in Node');
  const element = make('section', { class: 'hg-experiments__recorded', hidden: true }, heading, run, tables);
  let wanted: ExperimentId | undefined;

  async function load(id: ExperimentId): Promise<void> {
    const found = await recordedFigures(id).catch(() => undefined); // a page without its files still measures
    if (wanted !== id || found === undefined) return;
    setText(run, found.run);
    tables.replaceChildren(
      ...found.tables.map((texts) => {
        const table = createTable(texts.title);
        table.update(texts);
        return table.element;
      }),
    );
    element.hidden = false;
  }

  return {
    element,
    /** undefined: hides them. */
    show(id: ExperimentId | undefined): void {
      if (id === wanted) return;
      wanted = id;
      element.hidden = true;
      if (id !== undefined) void load(id);
    },
  };
}
