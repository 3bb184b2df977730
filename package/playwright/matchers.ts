// What a test expects of a heap: conditions of heapglass report, whose sentences are the failure's.
//
//   match.1  Every module that the page has recorded must hold.
//   match.2  On failure the trace and its report, one HTML file, are attached to the test's results.

import { execFileSync } from 'node:child_process';
import { test } from '@playwright/test';
import type { TraceOfPage } from './recorded_heap.ts';
import { packaged, type RecordedHeap } from './recorded_heap.ts';

/** What a matcher answers. */
export interface Matched {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Between the marks of these names. */
export interface Between {
  readonly between?: readonly [from: string, to: string];
}

const kMostOutput = 64 * 1024 * 1024; // bytes

export const matchers = {
  /** The most bytes asked for and not freed: `'32 MiB'`, or a number of bytes. */
  toStayBelow: (heap: RecordedHeap, most: string | number) => holds(heap, `peak<${sizeOf(most)}`),
  /** Linear memory grew so often or less. */
  toGrowAtMost: (heap: RecordedHeap, times: number) => holds(heap, `growths<=${countOf(times)}`),
  /** Any conditions of `heapglass report --assert`, such as `'peak<32MiB temporaries<=20%'`. */
  toHold: (heap: RecordedHeap, conditions: string) => holds(heap, conditions),
  /** Nothing is live at the end; with `between`: of what was allocated between two marks nothing was live at the second. */
  toHaveNoLeaks: (heap: RecordedHeap, { between }: Between = {}) =>
    between === undefined ? holds(heap, 'leaks=0') : keepsNothing(heap, between),
};

async function holds(heap: RecordedHeap, conditions: string): Promise<Matched> {
  return judged(heap, (path) => {
    const { code, text } = command('report', path, '--assert', conditions);
    return { pass: code === 0, text: text.replaceAll(/^/gm, '  ') };
  });
}

async function keepsNothing(heap: RecordedHeap, [from, to]: readonly [string, string]): Promise<Matched> {
  return judged(heap, (path) => {
    const { text } = command('report', path, '--json', '--between', from, to);
    const { list, other, unknown } = (JSON.parse(text) as { readonly sites: Sites }).sites;
    const all = [...list, other, unknown];
    const blocks = all.reduce((sum, site) => sum + site.between_blocks, 0);
    const bytes = all.reduce((sum, site) => sum + site.between_bytes, 0);
    const said = `  ${blocks} blocks, ${bytes} bytes, allocated behind "${from}" and not freed at "${to}"`;
    return {
      pass: blocks === 0,
      text: [said, ...list.filter((site) => site.between_blocks > 0).map(siteLine)].join('\n'),
    };
  });
}

interface Site {
  readonly function: string;
  readonly file: string;
  readonly line: number;
  readonly between_blocks: number;
  readonly between_bytes: number;
}

interface Sites {
  readonly list: readonly Site[];
  readonly other: Site;
  readonly unknown: Site;
}

const siteLine = ({ function: name, file, line, between_blocks, between_bytes }: Site): string =>
  `    ${between_blocks} blocks, ${between_bytes} bytes: ${name}${file === '' ? '' : ` (${file}:${line})`}`;

interface Judgement {
  readonly pass: boolean;
  readonly text: string;
}

async function judged(heap: RecordedHeap, judge: (path: string) => Judgement): Promise<Matched> {
  const said: string[] = [];
  let pass = true;
  for (const trace of await heap.traces()) {
    const judgement = judge(trace.path);
    said.push(judgement.text.trimEnd());
    if (judgement.pass) continue;
    pass = false;
    said.push(...answers(trace.path));
    await attach(trace);
  }
  return { pass, message: () => `The heap of the page:\n${said.join('\n')}` };
}

/** Who holds and what leaked, as heapglass ask says it. */
const answers = (path: string): readonly string[] =>
  ['who holds', 'what leaked'].map((question) => command('ask', question, path).text.trimEnd().replaceAll(/^/gm, '  '));

async function attach({ path }: TraceOfPage): Promise<void> {
  const html = path.replace(/\.hgtrace$/, '.html');
  command('report', path, '--html', html);
  await test.info().attach('heap: trace', { path, contentType: 'application/octet-stream' });
  await test.info().attach('heap: report', { path: html, contentType: 'text/html' });
}

const kNoAnswer = 2; // of ask with the reason on standard output: what recording would say it
const kAnswered: readonly number[] = [1, 3]; // a condition does not hold; the trace is not whole

interface Ran {
  readonly code: number;
  readonly text: string;
}

/** Throws when there is no answer, with what the command says about it. */
function command(...args: readonly string[]): Ran {
  try {
    const options = { encoding: 'utf8', stdio: 'pipe', maxBuffer: kMostOutput } as const;
    return { code: 0, text: execFileSync(process.execPath, [packaged('bin/heapglass.mjs'), ...args], options) };
  } catch (error) {
    const { status, stdout, stderr } = error as { status?: number; stdout?: string; stderr?: string };
    if (status !== undefined && kAnswered.includes(status) && stdout !== undefined)
      return { code: status, text: `${stdout}${stderr ?? ''}` };
    if (args[0] === 'ask' && stdout !== undefined && stdout !== '') return { code: kNoAnswer, text: stdout };
    throw new Error(`heapglass ${args[0]}: ${(stderr ?? String(error)).trim()}`);
  }
}

function sizeOf(size: string | number): string {
  const text = typeof size === 'number' ? `${size}B` : size.replaceAll(/\s/g, '');
  if (/^\d+(?:\.\d+)?(?:B|[KMG]i?B)$/i.test(text)) return text;
  throw new TypeError(`toStayBelow: ${JSON.stringify(size)} is no size; write it as "32 MiB"`);
}

function countOf(times: number): number {
  if (Number.isInteger(times) && times >= 0) return times;
  throw new TypeError(`toGrowAtMost: ${times} is no number of times`);
}
