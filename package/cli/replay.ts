// heapglass replay trace: what the program of a trace would gain on another allocator, as text, JSON or one HTML file.
//
//   Z1  The table goes to standard output, what is under way to standard error, where that is a terminal.
//   Z2  Times are what this process spent on the processor: other programs disturb them less than the wall clock's.
//   Z3  --trace writes the same operations as a trace of heapglass's own malloc: what it would have made of them.

import { formatCount } from '../../web/src/base/format.ts';
import { operationsOfTrace } from '../../web/src/replay/operations_of_trace.ts';
import { NothingToReplay, replayTrace } from '../../web/src/replay/replay.ts';
import { replayDocument } from '../../web/src/replay/replay_document.ts';
import { type AllocatorName, kAllocatorNames, parseAllocators } from '../../web/src/replay/replay_types.ts';
import { replayOperations } from '../../web/src/replay/traced_replay.ts';
import { knownPart } from '../../web/src/report/verdict.ts';
import { encodeTraceFile, type TraceFile } from '../../web/src/trace/trace_file.ts';
import { say } from './output.ts';
import { Problem } from './problem.ts';
import { readTrace, refuseSample } from './traces.ts';
import { sayVerdict } from './verdict.ts';
import { type FormatOptions, writeDocument } from './write_document.ts';
import { refuseOnto, writeOut } from './write_out.ts';

export interface ReplayCommandOptions extends FormatOptions {
  readonly on: string;
  readonly from: string;
  readonly rounds: number;
  readonly trace?: string;
  readonly advise?: boolean;
}

export async function replay(path: string, options: ReplayCommandOptions): Promise<number> {
  const allocators = namesOf(options.on);
  const [comparedWith] = namesOf(options.from);
  if (comparedWith === undefined) throw new Problem('--from takes one allocator');
  refuseOnto([path], [options.html, options.trace], 1, { answers: true });
  const { name, file: read } = await readTrace(path, 1);
  refuseSample(path, read, 1, 'replay needs all of them');
  const { file, verdict } = knownPart(read);
  const code = sayVerdict(path, verdict);
  const report = await replayTrace(file, {
    name,
    allocators,
    comparedWith,
    rounds: options.rounds,
    engine: `Node ${process.version}`,
    clock: processorClock,
    advise: options.advise === true,
    say: process.stderr.isTTY === true ? say : undefined,
  }).catch((error: unknown) => {
    if (error instanceof NothingToReplay) throw new Problem(`"${path}": ${error.message}`);
    throw error;
  });
  writeDocument(replayDocument(report), options, 1);
  if (options.trace !== undefined) await writeTrace(file, name, options.trace);
  return code;
}

/** Z2 */
function processorClock(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Z3 */
async function writeTrace(file: TraceFile, name: string, path: string): Promise<void> {
  const { trace, wordSize, notice } = await replayOperations(operationsOfTrace(file).words);
  if (notice !== undefined) say(`${path}: ${notice}`);
  writeOut(path, new Uint8Array(encodeTraceFile(trace, wordSize, { title: `${name}, replayed on heapglass` })), 1);
  say(`${path}: ${formatCount(trace.count)} events; heapglass view ${path} shows it`);
}

function namesOf(text: string): readonly AllocatorName[] {
  const names = text === 'all' ? kAllocatorNames : parseAllocators(text, kAllocatorNames);
  if (typeof names === 'string') throw new Problem(names);
  return names;
}
