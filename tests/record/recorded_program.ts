// Programs linked as `npx heapglass --ldflags --profile trace` links them, run with a recording, and what their recording proves.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeRecorder } from '../../tools/build_recorder.mjs';
import type { HeapState } from '../../web/src/model/state/heap_state.ts';
import { hashModelWalk } from '../../web/src/model/state/walk_compare.ts';
import { Model } from '../../web/src/model/time/model.ts';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import type { Recorder, RecorderOptions } from '../../web/src/record/recorder_types.ts';
import { heapOf, Trace } from '../../web/src/trace/trace.ts';
import { decodeTraceFile } from '../../web/src/trace/trace_file.ts';
import { kLevel } from '../every.ts';
import { kThreadFlags } from '../link/matrix.ts';
import { archive, glueFlags, root, type Toolchain } from '../link/toolchain.ts';

const kRecorder = [
  '-Wl,-u,hg_recorder_drain',
  '--js-library',
  writeRecorder(join(root, 'build/emscripten')),
  `-I${join(root, 'core/include')}`,
];

/** What `--ldflags --profile <profile>` prints. */
export const recorderFlags = (profile: 'trace' | 'trace-threads' | 'checked' | 'checked-threads'): string[] => [
  archive(profile),
  ...kRecorder,
  ...(profile.endsWith('-threads') ? ['-pthread', ...kThreadFlags] : []),
];

/** Links tests/record/programs/<program>; the path of the script. */
export async function linkRecorded(
  toolchain: Toolchain,
  name: string,
  program: string,
  flags: readonly string[],
): Promise<string> {
  const linked = await toolchain.link(`record_${name}`, [`../../record/programs/${program}`], flags);
  return linked.wasm.replace(/\.wasm$/, '.js');
}

export interface Run {
  readonly printed: string;
  readonly told: string;
  readonly file: string;
}

/** Runs a script under Node with HEAPGLASS_RECORD and the settings given; also when it fails. */
export async function runRecorded(
  toolchain: Toolchain,
  script: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const file = script.replace(/\.js$/, '.hgtrace');
  const env = { ...process.env, HEAPGLASS_RECORD: file, ...settings };
  const given = [...glueFlags(toolchain.order), script, ...args];
  const ended = promisify(execFile)(process.execPath, given, { env, timeout: 120_000, maxBuffer: 1 << 26 });
  const { stdout, stderr } = await ended.catch((error: { stdout: string; stderr: string }) => error);
  return { printed: stdout, told: stderr, file };
}

/** The module of a script that was linked with kInProcess, in this process. */
export async function loadProgram(script: string, options?: RecorderOptions): Promise<Program> {
  const create = createRequire(import.meta.url)(script) as (given: object) => Promise<Program>;
  const wasmBinary = readFileSync(script.replace(/\.js$/, '.wasm'));
  return create({ wasmBinary, ...(options === undefined ? {} : { heapglassOptions: options }) });
}
export const kInProcess = [
  kLevel,
  '-sMODULARIZE',
  '-sNODEJS_CATCH_EXIT=0',
  '-sNODEJS_CATCH_REJECTION=0',
  '-sALLOW_MEMORY_GROWTH',
];

export interface Program {
  readonly heapglass: Recorder;
  readonly [name: string]: unknown;
}

export function traceOfFile(path: string): { readonly trace: Trace; readonly notice: string | undefined } {
  const bytes = readFileSync(path);
  const decoded = decodeTraceFile(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  if (!decoded.ok) throw new Error(decoded.error.message);
  return decoded.value;
}

export function traceOfRecords(records: Uint8Array): Trace {
  const trace = new Trace();
  trace.append(new Uint32Array(records.slice().buffer));
  return trace;
}

export interface Proof {
  readonly events: number;
  /** What is wrong; undefined when the model followed to the end, and had the hash of the last checkpoint there. */
  readonly problem: string | undefined;
  /** Outermost operations. */
  readonly calls: number;
  /** How many events there are of each kind. */
  readonly kinds: ReadonlyMap<number, number>;
  /** Sum of events_lost. */
  readonly lost: number;
  /** Snapshots at which the model already had just that state. */
  readonly proofs: number;
}

export function prove(trace: Trace): Proof {
  const { history } = new Model(trace);
  const last = lastCheckpoint(trace);
  history.fold(last);
  const wrong = differenceAt(trace, history.head, last);
  history.fold();
  const kinds = new Map<number, number>();
  let lost = 0;
  for (let event = 0; event < trace.count; ++event) {
    const kind = trace.kind(event);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if (kind === EventKind.eventsLost) lost += trace.a(event);
  }
  const proof = (problem: string | undefined): Proof => ({
    events: trace.count,
    problem,
    calls: history.operations.total,
    kinds,
    lost,
    proofs: history.proofs.count,
  });
  if (history.broken !== undefined) return proof(`event ${history.broken.seq}: ${history.broken.text}`);
  if (history.differs !== undefined) return proof(`snapshot ${history.differs.seq}: ${history.differs.text}`);
  if (history.head.seq !== trace.count) return proof(`folded ${history.head.seq} of ${trace.count} events`);
  return proof(wrong);
}

/** -1: there is none. */
function lastCheckpoint(trace: Trace): number {
  let event = trace.count - 1;
  while (event >= 0 && trace.kind(event) !== EventKind.checkpoint) --event;
  return event;
}

/** pre: the state is the one before `event`, a checkpoint */
function differenceAt(trace: Trace, state: HeapState, event: number): string | undefined {
  if (event < 0) return 'there is no checkpoint';
  if (state.seq !== event) return `folded ${state.seq} of ${event} events before the checkpoint`;
  const model = hashModelWalk(state, heapOf(trace.head(event)), trace.version);
  if (model.hash === trace.a(event) && model.records === trace.b(event)) return undefined;
  return `the checkpoint of event ${event} differs: ${trace.b(event)} records, in the model ${model.records}`;
}
