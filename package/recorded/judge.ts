// Whether traces are as a test expects: conditions of heapglass report, whose sentences are the failure's.
//
//   trace files ─▶ heapglass report --assert, --between ─▶ pass, or what was found, and who holds it as heapglass ask says
//
//   judge.1  A test, a person at the command line and a pipeline have one truth: the commands are run.
//   judge.2  Every trace must hold. One that is not whole does not, whatever it says.

import { execFileSync } from 'node:child_process';
import { packaged } from './page_scripts.ts';

/** What a matcher answers. */
export interface Matched {
  readonly pass: boolean;
  readonly message: () => string;
}

/** Between the marks of these names. */
export interface Between {
  readonly between?: readonly [from: string, to: string];
}

/** Where the traces come from that are judged. */
export interface Judged {
  /** The files' paths, at least one. */
  traces(): Promise<readonly string[]>;
  /** Behind one that does not hold; `report`: its page. Gives lines for the message. */
  failed(trace: string, report: string): Promise<readonly string[]>;
  /** Behind the last; `isKept`: its files are named in the message. */
  end(isKept: boolean): void;
}

const kMostOutput = 64 * 1024 * 1024; // bytes

/** The expectations, of whatever a test has in place of a heap. */
export function matchersOf<Heap>(judgedBy: (heap: Heap) => Judged) {
  const holds = (heap: Heap, conditions: string): Promise<Matched> =>
    judged(judgedBy(heap), (path) => {
      const { code, text } = command('report', path, '--assert', conditions);
      return { pass: code === 0, text: text.replaceAll(/^/gm, '  ') };
    });
  return {
    /** The most bytes asked for and not freed: `'32 MiB'`, or a number of bytes. */
    toStayBelow: (heap: Heap, most: string | number) => holds(heap, `peak<${sizeOf(most)}`),
    /** Linear memory grew so often or less. */
    toGrowAtMost: (heap: Heap, times: number) => holds(heap, `growths<=${countOf(times)}`),
    /** Any conditions of `heapglass report --assert`, such as `'peak<32MiB temporaries<=20%'`. */
    toHold: (heap: Heap, conditions: string) => holds(heap, conditions),
    /** Nothing is live at the end; with `between`: of what was allocated between two marks nothing was live at the second. */
    toHaveNoLeaks: (heap: Heap, { between }: Between = {}) =>
      between === undefined ? holds(heap, 'leaks=0') : judged(judgedBy(heap), (path) => keptBetween(path, between)),
    /**
     * Each handle of embind and wasm-bindgen was deleted, or collected, at the end; with `between`: those made between two marks, at the
     * second. Rejects where no module has made any.
     */
    toHaveNoHandles: (heap: Heap, { between }: Between = {}) =>
      judged(judgedBy(heap), (path) => openHandles(path, between)),
  };
}

function keptBetween(path: string, [from, to]: readonly [string, string]): Judgement {
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

interface Handles {
  readonly made: number;
  readonly handles: number;
  readonly size_bytes: number;
  readonly groups: readonly {
    readonly class: string;
    readonly function: string;
    readonly file: string;
    readonly line: number;
    readonly handles: number;
    readonly size_bytes: number;
  }[];
}

function openHandles(path: string, between: Between['between']): Judgement {
  const part = between === undefined ? [] : ['--between', ...between];
  const { text } = command('report', path, '--json', ...part);
  const { handles: all } = JSON.parse(text) as { readonly handles: Handles & { readonly between: Handles | null } };
  if (all.made === 0)
    return {
      pass: true,
      text: '',
      unanswered: 'no handle of embind or wasm-bindgen was made: toHaveNoHandles() says nothing',
    };
  const { handles, size_bytes, groups } = all.between ?? all;
  const when = between === undefined ? '' : `, made behind "${between[0]}" and not deleted at "${between[1]}"`;
  const said = `  ${handles} handles that nobody deleted, ${size_bytes} bytes${when}`;
  return { pass: handles === 0, text: [said, ...groups.map(handleLine)].join('\n') };
}

const handleLine = ({
  class: name,
  function: maker,
  file,
  line,
  handles,
  size_bytes,
}: Handles['groups'][number]): string =>
  `    ${handles} of ${name === '' ? 'a class without a name' : name}, ${size_bytes} bytes: made by ${maker}${file === '' ? '' : ` (${file}:${line})`}`;

interface Judgement {
  readonly pass: boolean;
  readonly text: string;
  /** Why the trace says nothing about it; where no trace does, there is no answer. */
  readonly unanswered?: string;
}

async function judged(from: Judged, judge: (path: string) => Judgement): Promise<Matched> {
  const said: string[] = [];
  const unanswered: string[] = [];
  let traces = 0;
  let pass = true;
  let isKept = false;
  try {
    for (const path of await from.traces()) {
      const judgement = judge(path);
      traces += 1;
      if (judgement.unanswered !== undefined) {
        unanswered.push(judgement.unanswered);
        continue;
      }
      said.push(judgement.text.trimEnd());
      if (judgement.pass) continue;
      pass = false;
      const report = path.replace(/\.hgtrace$/, '.html');
      command('report', path, '--html', report);
      said.push(...answers(path), ...(await from.failed(path, report)));
    }
    isKept = !pass;
  } finally {
    from.end(isKept);
  }
  if (traces > 0 && unanswered.length === traces) throw new Error(`heapglass: ${unanswered[0]}`);
  return { pass, message: () => `The heap:\n${said.join('\n')}` };
}

/** Who holds and what leaked, as heapglass ask says it. */
const answers = (path: string): readonly string[] =>
  ['who holds', 'what leaked'].map((question) => command('ask', question, path).text.trimEnd().replaceAll(/^/gm, '  '));

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
