// heapglass report trace: what a trace says about the program, as text, JSON or one HTML file, or as the answer to
// conditions.
//
//   Z1  Exit code 0: all conditions hold. 1: one does not. 2: there is no answer, because the file or the command
//       cannot be read.
//   Z2  The report goes to standard output, or to --html's file; with conditions alone there is a line for each of
//       them.

import { readFileSync } from 'node:fs';
import { checkAssertions, parseAssertions } from '../../web/src/report/assertions.ts';
import { makeReport } from '../../web/src/report/report.ts';
import { reportHtml } from '../../web/src/report/report_html.ts';
import { reportText } from '../../web/src/report/report_text.ts';
import type { Report } from '../../web/src/report/report_types.ts';
import { packaged, readTrace, writeOut } from './files.ts';
import { Problem } from './problem.ts';

export const kNoAnswer = 2;
const kBroken = 1;

export interface ReportOptions {
  readonly json?: boolean;
  readonly html?: string;
  readonly assert?: readonly string[];
  readonly temporaryWithin: number;
}

export async function reportOn(path: string, { json, html, assert, temporaryWithin }: ReportOptions): Promise<number> {
  const conditions = assert === undefined ? undefined : parseAssertions(assert.join(' '));
  if (conditions?.ok === false) throw new Problem(conditions.error, kNoAnswer);
  const { name, file } = await readTrace(path, kNoAnswer);
  const report = makeReport(file, { name, temporaryWithin });
  if (json === true) print(`${JSON.stringify(report, undefined, 2)}\n`);
  if (html !== undefined) writeHtml(html, report);
  if (conditions !== undefined) return judge(report, conditions.value, json !== true);
  if (json !== true && html === undefined) print(reportText(report));
  return 0;
}

function writeHtml(path: string, report: Report): void {
  writeOut(path, reportHtml(report, readFileSync(packaged('bin/report_page.js'), 'utf8')), kNoAnswer);
}

function judge(report: Report, conditions: Parameters<typeof checkAssertions>[1], tellAll: boolean): number {
  let code = 0;
  for (const notice of report.notices) console.error(`heapglass: notice: ${plain(notice)}`);
  for (const { holds, sentence } of checkAssertions(report, conditions)) {
    if (!holds) {
      code = kBroken;
      console.error(`heapglass: broken: ${plain(sentence)}`);
    } else if (tellAll) print(`held: ${plain(sentence)}\n`);
  }
  return code;
}

const plain = (text: string): string => text.replaceAll('\u2009', ' ');
const print = (text: string): void => void process.stdout.write(text);
