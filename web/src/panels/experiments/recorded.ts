// What the last full run found, as docs/experiments.md has it: shown until this page has measured for itself.

import type { ExperimentId } from '../../protocol/experiments.ts';
import type { TableTexts } from './report_table.ts';

export interface RecordedFigures {
  /** When, on which machine, how often. */
  readonly run: string;
  readonly tables: readonly (TableTexts & { readonly title: string })[];
}

const kRun = /^\d{4}-\d\d-\d\d; .*$/m;
const kTable = /^\*\*(.+)\*\*\n\n((?:\|.*\n)+)/gm;

/** undefined: the document has none of it. */
export function readRecorded(text: string, id: ExperimentId): RecordedFigures | undefined {
  const section = text.split(/^## /m).find((part) => part.startsWith(`${id}. `));
  if (section === undefined) return undefined;
  const tables = Array.from(section.matchAll(kTable), ([, title = '', lines = '']) => {
    const [head = [], , ...rows] = lines.trimEnd().split('\n').map(cellsOf);
    return { title, head, rows };
  });
  return { run: kRun.exec(text)?.[0] ?? '', tables };
}

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Fetched only when it is asked for. */
export async function recordedFigures(id: ExperimentId): Promise<RecordedFigures | undefined> {
  const { default: text } = await import('../../../../docs/experiments.md?raw');
  return readRecorded(text, id);
}
