// heapglass report trace: what a trace says about the program, as text, JSON or one HTML file, or as the answer to
// conditions.
//
//   Z1  Exit code 0: all conditions hold. 1: one does not. 2: there is no answer, because the file or the command
//       cannot be read. 3: there is one, and the trace is not whole (verdict.ts).
//   Z2  The report goes to standard output, or to --html's file; with conditions alone there is a line for each of
//       them.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { PageScript } from '../../web/src/document/render_html.ts';
import { checkAssertions, parseAssertions } from '../../web/src/report/assertions.ts';
import { flameTrees } from '../../web/src/report/flame_tree.ts';
import { readReport } from '../../web/src/report/report.ts';
import { reportDocument } from '../../web/src/report/report_document.ts';
import type { Report } from '../../web/src/report/report_types.ts';
import { estimate } from '../../web/src/report/sampled.ts';
import { sampledDocument } from '../../web/src/report/sampled_document.ts';
import type { SummedSite } from '../../web/src/report/site_sums.ts';
import { type Between, findBetween } from '../../web/src/report/trace_places.ts';
import { knownPart } from '../../web/src/report/verdict.ts';
import { samplingMean } from '../../web/src/trace/sampling.ts';
import type { TraceFile } from '../../web/src/trace/trace_file.ts';
import { packaged } from './files.ts';
import { printLine, say } from './output.ts';
import { kNoAnswer, Problem } from './problem.ts';
import { readTrace, refuseSample } from './traces.ts';
import { sayVerdict } from './verdict.ts';
import { type FormatOptions, writeDocument } from './write_document.ts';
import { refuseOnto } from './write_out.ts';

const kBroken = 1;

export interface ReportOptions extends FormatOptions {
  readonly assert?: readonly string[];
  readonly between?: readonly string[];
  readonly temporaryWithin: number;
}

export async function reportOn(path: string, options: ReportOptions): Promise<number> {
  const { assert, between, temporaryWithin } = options;
  const conditions = assert === undefined ? undefined : parseAssertions(assert.join('\n'));
  if (conditions?.ok === false) throw new Problem(conditions.error, kNoAnswer);
  refuseOnto([path], [options.html], kNoAnswer, { answers: true });
  const { name, file } = await readTrace(path, kNoAnswer);
  const mean = samplingMean(file.trace);
  if (mean !== undefined) {
    if (conditions !== undefined || between !== undefined)
      refuseSample(path, file, kNoAnswer, 'estimates have no --assert or --between');
    const { file: known, verdict } = knownPart(file);
    writeDocument(sampledDocument(name, estimate(known, mean)), options, kNoAnswer);
    return sayVerdict(path, verdict);
  }
  const { report, sites, verdict } = readReport(file, { name, temporaryWithin, between: placesOf(file, between) });
  const parts = { quiet: conditions !== undefined, script: () => pageScript(report, sites) };
  writeDocument(reportDocument(report), options, kNoAnswer, parts);
  const code = sayVerdict(path, verdict);
  if (conditions === undefined) return code;
  const others = report.notices.filter((notice) => !verdict.sentences.includes(notice));
  for (const notice of others) say(`notice: ${notice}`);
  return judge(report, sites, conditions.value, options.json !== true) || code;
}

/** Draws the plots of the page. */
function pageScript(report: Report, sites: readonly SummedSite[]): PageScript {
  const text = readFileSync(packaged('bin/report_page.js'), 'utf8').replaceAll('</script', '<\\/script');
  const hash = createHash('sha256').update(text).digest('base64');
  return { text, hash, data: report.sites.count === 0 ? { report } : { report, flame: flameTrees(sites) } };
}

function placesOf(file: TraceFile, marks: readonly string[] | undefined): Between | undefined {
  if (marks === undefined) return undefined;
  const [from, to, more] = marks;
  if (from === undefined || to === undefined || more !== undefined) {
    throw new Problem('--between takes the names of two marks: --between "level 1" "level 2"', kNoAnswer);
  }
  const places = findBetween(file, from, to);
  if (!places.ok) throw new Problem(places.error, kNoAnswer);
  return places.value;
}

function judge(
  report: Report,
  sites: readonly SummedSite[],
  conditions: Parameters<typeof checkAssertions>[1],
  verbose: boolean,
): number {
  let code = 0;
  for (const { holds, unanswered, sentence } of checkAssertions(report, conditions, sites)) {
    if (unanswered) throw new Problem(sentence, kNoAnswer);
    if (!holds) {
      code = kBroken;
      say(`broken: ${sentence}`);
    } else if (verbose) printLine(`held: ${sentence}`);
  }
  return code;
}
