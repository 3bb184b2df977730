// heapglass run app.js [argument ...]: runs a program under Node, its recorder writing a trace file.
//
//   R1  The recorder is in the program (--profile trace or checked), or comes with an instrumented module and is wired in by
//       record_instrumented.ts, which every thread of the program loads first. This command only says where to write. A file
//       that was not written since the start means that there is no recorder.
//   R2  Input, output, signals and exit code are the program's own. Where it ended well and wrote no trace, the exit
//       code is 1.
//   R3  A terminal sends its signals to the program too, so they are passed on only when they came to this process
//       alone.
//   R5  Where this process is killed the program ends too: another process waits at the end of a pipe that only this one holds
//       (run_watch.ts). The program itself cannot watch, as it may be in a loop.
//   R6  Each file is named: that of a second module has a number, that of a thread the thread's. However the program ended, its files are
//       packed then (pack_trace.ts), by that other process where this one is killed.
//   R4  The JavaScript of Emscripten older than 3.1.27 takes the fetch of Node 18 and newer for a browser's and asks it
//       for a file; such a program is started without fetch.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatBytes } from '../../web/src/base/format.ts';
import { kNoCalls } from '../../web/src/trace/no_calls.ts';
import { packaged } from './files.ts';
import { say } from './output.ts';
import { packTrace } from './pack_trace.ts';
import { refuseBytes } from './paths.ts';
import { fileProblem, Problem } from './problem.ts';
import { type FileThen, filesNow, writtenSince } from './run_traces.ts';
import { kWithoutFetch } from './without_fetch.ts';
import { refuseOnto } from './write_out.ts';

export interface RunOptions {
  readonly output: string;
  readonly keep?: string;
  readonly mode?: string;
}

const kScripts = ['.js', '.mjs', '.cjs', ''];
const kPassedOn: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGUSR2'];

/** The exit code of the program; this process ends by the program's signal when that ended it. */
export async function runRecorded(script: string, given: readonly string[], options: RunOptions): Promise<number> {
  for (const name of [script, options.output]) refuseBytes(name, 'run passes it on to the program as text');
  refuseOnto([script], [options.output], 1);
  const source = readScript(script);
  const output = resolve(options.output);
  const before = filesNow(output);
  const preload = pathToFileURL(packaged('bin/record_instrumented.mjs')).href;
  const fetchOptions = takesFetchForABrowsers(source) ? kWithoutFetch : [];
  const environment = {
    ...process.env,
    HEAPGLASS_RECORD: output,
    ...(options.keep === undefined ? {} : { HEAPGLASS_KEEP: options.keep }),
    ...(options.mode === undefined ? {} : { HEAPGLASS_MODE: options.mode }),
  };
  const command = ['--import', preload, ...fetchOptions, script, ...given];
  const { code, signal } = await runToItsEnd(command, environment, [output, JSON.stringify(before)]);
  const wrote = sayTraces(options.output, before, script);
  if (signal !== null) return endBy(signal);
  return code !== 0 || wrote ? (code ?? 1) : 1;
}

function readScript(script: string): string {
  if (!kScripts.includes(extname(script))) {
    throw new Problem(`run takes a script for Node (.js, .mjs or .cjs), and "${script}" is none`);
  }
  try {
    return readFileSync(script, 'utf8');
  } catch (error) {
    throw fileProblem(error, script, 1);
  }
}

/** R4: newer glue asks whether it is under Node before it thinks of fetch. */
function takesFetchForABrowsers(source: string): boolean {
  const test =
    /typeof WebAssembly\.instantiateStreaming\s*={2,3}\s*["']function["'][^;{]{0,400}?typeof fetch\s*={2,3}/.exec(
      source,
    );
  return test !== null && !/ENVIRONMENT_IS_NODE/.test(test[0]);
}

function runToItsEnd(
  given: readonly string[],
  env: NodeJS.ProcessEnv,
  traces: readonly string[],
): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }> {
  const child = spawn(process.execPath, given, { stdio: 'inherit', env });
  const endWatch = endWithThis(child.pid, traces);
  const passOn = (signal: NodeJS.Signals) => {
    if (signal !== 'SIGINT' || process.stdin.isTTY !== true) child.kill(signal); // R3
  };
  for (const signal of kPassedOn) process.on(signal, passOn);
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('exit', (code, signal) => {
      endWatch();
      for (const name of kPassedOn) process.off(name, passOn);
      done({ code, signal });
    });
  });
}

/** R5. Returns what ends the watch. */
function endWithThis(program: number | undefined, traces: readonly string[]): () => void {
  if (program === undefined) return () => {};
  const given = [packaged('bin/run_watch.mjs'), `${program}`, ...traces];
  const watch = spawn(process.execPath, given, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  watch.on('error', () => {}); // without it the program runs as well
  watch.stdin.on('error', () => {});
  watch.unref();
  return () => void watch.kill('SIGKILL');
}

function endBy(signal: NodeJS.Signals): number {
  process.kill(process.pid, signal);
  return 128 + constants.signals[signal]; // of a signal that does not end this process
}

/** R6. Whether the program has written one. */
function sayTraces(output: string, before: readonly FileThen[], script: string): boolean {
  let wrote = false;
  let began = false;
  for (const [path, after] of writtenSince(before, resolve(output))) {
    const shown = path === resolve(output) ? output : join(dirname(output), basename(path));
    began = true;
    if (after.size === 0n) say(`${shown}: a trace was begun, and nothing of it could be written`);
    else {
      wrote = true;
      const packed = after.isFile() ? packTrace(path) : undefined;
      const bytes = formatBytes(packed?.bytes ?? Number(after.size));
      say(`${shown}: ${bytes} recorded; ${packed?.hasCalls === false ? kNoCalls : `heapglass view ${shown} shows it`}`);
    }
  }
  if (!began)
    say(
      `${script} wrote no trace: only a program that is linked with the flags of heapglass --ldflags --profile trace, or loads a module that heapglass instrument made, records itself, from its first call of malloc on`,
    );
  return wrote;
}
