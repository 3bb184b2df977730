// Every command of package/cli on one trace, in this process, and the page's engine on the same bytes: what each says of it.
//
//   CT1  Commands are called as main.ts calls them; what they write to standard output and error is taken here.
//   CT2  An end that is neither an exit code nor a Problem is a fault.
//   CT3  Nothing that is written obeys a name in the trace: no control or format character, and no element in a page.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../../package/cli/ask.ts';
import { convert } from '../../package/cli/convert.ts';
import { diff } from '../../package/cli/diff.ts';
import { Problem } from '../../package/cli/problem.ts';
import { replay } from '../../package/cli/replay.ts';
import { reportOn } from '../../package/cli/report.ts';
import { symbolize } from '../../package/cli/symbolize.ts';
import { Engine } from '../../web/src/engine/engine.ts';

export interface Said {
  readonly command: string;
  readonly code: number;
  /** Of the trace: each sentence once. */
  readonly verdict: readonly string[];
  /** Why there is no answer. */
  readonly problem: string | undefined;
  readonly out: string;
}

type Command = readonly [name: string, run: () => Promise<number>];

const kPages = ['report.html', 'diff.html', 'replay.html'];
const kTables = ['csv', 'chrome', 'dhat', 'speedscope', 'arrow', 'parquet'];

/** Every form of every command. trace and module: paths in the folder, to which the commands may write. */
function formsOn(folder: string, trace: string, module: string): readonly (readonly Command[])[] {
  const out = (name: string) => join(folder, name);
  const reports = [{}, { json: true }, { html: out('report.html') }, { assert: ['allocations>=0'] }];
  const replays = [{}, { json: true }, { html: out('replay.html') }];
  const replayed = { on: 'emmalloc', from: 'emmalloc', rounds: 0 };
  const form = (name: string, run: () => Promise<number>): Command => [name, run];
  return [
    reports.map((given) => form('report', () => reportOn(trace, { temporaryWithin: 1, ...given }))),
    [true, false].map((json) => form('ask', () => ask([trace], { json }))),
    [{}, { html: out('diff.html') }, { json: true }].map((given) => form('diff', () => diff(trace, trace, given))),
    replays.map((given) => form('replay', () => replay(trace, { ...replayed, ...given }))),
    [form('symbolize', () => symbolize(trace, module, { output: out('named.hgtrace') }))],
    [form('convert to a trace', () => convert(trace, out('converted.hgtrace'), {}))],
    kTables.map((to) => form(`convert to ${to}`, () => convert(trace, out('converted'), { to }))),
  ];
}

/** nth: of the forms of each command one; 'all': every one. */
export function commandsOn(folder: string, trace: string, module: string, nth: number | 'all'): readonly Command[] {
  const forms = formsOn(folder, trace, module);
  return nth === 'all' ? forms.flat() : forms.map((each) => each[nth % each.length] as Command);
}

/** CT1 */
export async function runCommand([command, run]: Command, trace: string): Promise<Said> {
  let out = '';
  let errors = '';
  const { stdout, stderr } = process;
  const [writeOut, writeError] = [stdout.write, stderr.write];
  stdout.write = (text: string | Uint8Array) => {
    out += String(text);
    return true;
  };
  stderr.write = (text: string | Uint8Array) => {
    errors += String(text);
    return true;
  };
  let code: number;
  let problem: string | undefined;
  try {
    code = await run();
  } catch (error) {
    if (!(error instanceof Problem)) throw new Error(`${command} fails`, { cause: error }); // CT2
    code = error.exitCode;
    problem = error.message;
  } finally {
    stdout.write = writeOut;
    stderr.write = writeError;
  }
  const begin = `heapglass: ${trace}: `;
  const verdict = [...new Set(errors.split('\n').filter((line) => line.startsWith(begin)))];
  return { command, code, verdict: verdict.map((line) => line.slice(begin.length)), problem, out: out + errors };
}

/** What the page says when it has opened the bytes; undefined when it has nothing to say against them. */
export async function pageSays(bytes: Uint8Array): Promise<{ readonly opened: boolean; readonly notice?: string }> {
  const engine = new Engine({ note: () => {} });
  const reply = await engine.handle({ type: 'openTrace', name: 'case', file: bytes.slice().buffer });
  if (reply.type === 'opened') return { opened: true, ...(reply.notice === undefined ? {} : { notice: reply.notice }) };
  return { opened: false, notice: reply.type === 'failed' ? reply.message : reply.type };
}

const kUnseen = /(?!\u200c|\u200d|[\n\r\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;
const kElement = /<(img|svg|iframe|script|b)[\s/>]/i; // of a name; pages have these only as their own

/** CT3; undefined: all is well. The page's own scripts and pictures are left out. */
export function obeyed(folder: string, said: readonly Said[]): string | undefined {
  const loud = said.find(({ out }) => kUnseen.test(out));
  if (loud !== undefined)
    return `${loud.command} writes a character that a terminal obeys: ${kUnseen.exec(loud.out)?.index}`;
  for (const name of kPages) {
    const path = join(folder, name);
    if (!existsSync(path)) continue;
    const page = readFileSync(path, 'utf8').replace(/<script[^>]*>[\s\S]*?<\/script>/g, '');
    const element = kElement.exec(page.replace(/<svg[^>]* role="img"[^>]*>/g, ''));
    if (element !== null) return `${name} has an element of a name: ${page.slice(element.index, element.index + 80)}`;
  }
  return undefined;
}

/** What differs between what the commands and the page say; undefined: nothing. */
export function difference(said: readonly Said[], page: Awaited<ReturnType<typeof pageSays>>): string | undefined {
  const answers = said.filter(({ problem }) => problem === undefined);
  const [first] = said;
  if (first === undefined) return 'no command ran';
  const verdict = first.verdict.join('\n');
  const unreadable = first.problem !== undefined && first.verdict.length === 0;
  for (const { command, code, verdict: other, problem } of said) {
    if (unreadable !== (problem !== undefined && other.length === 0) && problem === undefined)
      return `${command} has an answer where report has none`;
    if (unreadable && problem !== first.problem) return `${command}: "${problem}", and report: "${first.problem}"`;
    if (!unreadable && other.join('\n') !== verdict)
      return `${command} says "${other.join(' | ')}", and report "${verdict}"`;
    if (!unreadable && problem === undefined && code !== (verdict === '' ? 0 : 3))
      return `${command} ends with ${code}`;
  }
  if (!unreadable && answers.length === 0) return 'no command has an answer';
  if (unreadable) return page.opened ? 'the page opens what no command reads' : undefined;
  if (!page.opened) return `the page cannot open it: ${page.notice}`;
  if ((page.notice !== undefined) !== (verdict !== ''))
    return `the page says "${page.notice}", and report "${verdict}"`;
  return undefined;
}

export function writeCase(path: string, bytes: Uint8Array, leftovers: string): void {
  for (const name of kPages) rmSync(join(leftovers, name), { force: true });
  writeFileSync(path, bytes);
}
