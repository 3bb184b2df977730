// One finished module: as it was shipped, instrumented, and counted by a second instrumentation that knows nothing of the first.
//
//   shipped       ─ run ─▶ what it gives
//   instrumented  ─ run ─▶ the same, and a trace: calls of each kind
//   counted       ─ run ─▶ the same, and calls of each kind by the engine's own stack (run_one.mjs)

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import binaryen from 'binaryen';
import { build } from 'esbuild';
import type { Family, Member, Named } from '../../../web/src/instrument/family.ts';
import { namesInGlue } from '../../../web/src/instrument/glue_names.ts';
import { instrument, usableFeatures } from '../../../web/src/instrument/instrument.ts';
import { Model } from '../../../web/src/model/time/model.ts';
import { EventKind, kOpNames } from '../../../web/src/protocol/event_layout.ts';
import { decodeTraceFile, type TraceFile } from '../../../web/src/trace/trace_file.ts';
import type { Program } from './programs.mjs';

export interface Checked {
  readonly name: string;
  readonly toolchain: string;
  readonly packages: string;
  readonly found: string;
  readonly notes: readonly string[];
  readonly shippedBytes: number;
  readonly addedBytes: number;
  /** By role: what the trace has, and what the engine's stack says. */
  readonly recorded: Readonly<Record<string, number>>;
  readonly counted: Readonly<Record<string, number>>;
  readonly sameResults: boolean;
  /** Blocks freed or replaced that came or went unseen. */
  readonly unseen: number;
  readonly liveBlocks: number;
  readonly file: TraceFile;
}

interface Run {
  readonly hash: string;
  readonly counts: Readonly<Record<string, number>>;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const kRunOne = join(root, 'tests/instrument/modules/run_one.mjs');

/** packages: the folder above the node_modules that has them. */
export async function checkModule(program: Program, packages: string): Promise<Checked> {
  const folder = mkdtempSync(join(tmpdir(), 'heapglass-module-'));
  try {
    const shipped = shippedBytes(program, packages);
    const { binary, family } = instrument(binaryen, shipped, { named: namedIn(program, shipped, packages) });
    const trace = join(folder, 'run.hgtrace');
    const plain = run(program, packages, '-', {});
    const environment = { HEAPGLASS_RECORD: trace, HEAPGLASS_LOADER: await bundleLoader(folder) };
    const recorded = run(program, packages, written(folder, 'app.hg.wasm', binary), environment);
    const counting = countingModule(shipped, family);
    const given = JSON.stringify(counting.members);
    const counted = run(program, packages, written(folder, 'counted.wasm', counting.binary), {}, given);
    return {
      name: program.name,
      toolchain: program.toolchain,
      packages: program.packages,
      found: family.members.map(({ role, foundAs }) => `${role.name}: ${foundAs}`).join(', '),
      notes: family.notes,
      shippedBytes: shipped.length,
      addedBytes: binary.length - shipped.length,
      ...readTrace(trace),
      counted: byOp(counted.counts, family),
      sameResults: plain.hash === recorded.hash && plain.hash === counted.hash,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function namedIn({ named = {}, glue }: Program, shipped: Uint8Array, packages: string): Named {
  if (glue === undefined) return named;
  const file = createRequire(join(packages, 'package.json')).resolve(glue);
  return { ...namesInGlue(readFileSync(file, 'utf8'), shipped), ...named };
}

function shippedBytes({ wasm }: Program, packages: string): Uint8Array {
  const require = createRequire(join(packages, 'package.json'));
  const file = require.resolve(wasm);
  if (file.endsWith('.wasm')) return readFileSync(file);
  const content = require(file) as string | Uint8Array;
  return typeof content === 'string' ? Buffer.from(content, 'base64') : content;
}

function run({ name }: Program, packages: string, module: string, env: NodeJS.ProcessEnv, counted?: string): Run {
  const given = [kRunOne, name, packages, module, ...(counted === undefined ? [] : [counted])];
  const output = execFileSync(process.execPath, given, { encoding: 'utf8', env: { ...process.env, ...env } });
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Run;
}

function written(folder: string, name: string, bytes: Uint8Array): string {
  writeFileSync(join(folder, name), bytes);
  return join(folder, name);
}

async function bundleLoader(folder: string): Promise<string> {
  const outfile = join(folder, 'loader.mjs');
  const entry = join(root, 'package/cli/record_instrumented.ts');
  await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'warning' });
  return pathToFileURL(outfile).href;
}

/** The shipped module, with a call out of it where each function of the family begins. */
function countingModule(shipped: Uint8Array, family: Family) {
  const read: (data: Uint8Array, features: number) => binaryen.Module = binaryen.readBinary;
  const module = read(shipped, usableFeatures(binaryen));
  const { i32, none } = binaryen;
  module.addFunctionImport('entered', 'heapglass_count', 'entered', binaryen.createType([i32, i32]), none);
  family.members.forEach(({ func }, nth) => {
    const { params, results, vars, body } = binaryen.getFunctionInfo(module.getFunction(func));
    const call = module.call('entered', [module.i32.const(nth), module.local.get(0, i32)], none);
    module.removeFunction(func);
    module.addFunction(func, params, results, vars, module.block(null, [call, body], results));
  });
  module.runPasses(['strip-dwarf']);
  binaryen.setDebugInfo(true);
  const binary = module.emitBinary();
  module.dispose();
  const members = family.members.map(({ func, role }) => ({ role: role.name, index: indexOf(binary, func) }));
  return { binary, members };
}

function indexOf(binary: Uint8Array, func: string): number {
  const read: (data: Uint8Array, features: number) => binaryen.Module = binaryen.readBinary;
  const module = read(binary, usableFeatures(binaryen));
  const names = Array.from({ length: module.getNumFunctions() }, (_, i) => {
    return binaryen.getFunctionInfo(module.getFunctionByIndex(i)).name;
  });
  module.dispose();
  return names.indexOf(func);
}

/** Counts by role, as counts by operation. */
function byOp(counts: Readonly<Record<string, number>>, { members }: Family): Record<string, number> {
  const roles = new Map<string, Member['role']>(members.map(({ role }) => [role.name, role]));
  const ops: Record<string, number> = {};
  for (const [name, count] of Object.entries(counts)) {
    const op = kOpNames.get(roles.get(name)?.op ?? 0) ?? name;
    ops[op] = (ops[op] ?? 0) + count;
  }
  return ops;
}

export function readTrace(path: string): Pick<Checked, 'recorded' | 'unseen' | 'liveBlocks' | 'file'> {
  const decoded = decodeTraceFile(readFileSync(path));
  if (!decoded.ok) throw new Error(decoded.error.message);
  const { trace } = decoded.value;
  const recorded: Record<string, number> = {};
  const model = new Model(trace);
  model.history.fold();
  if (model.history.broken !== undefined) throw new Error(model.history.broken.text);
  const { lost } = model.history;
  let unseen = lost.replaced.size;
  for (let seq = 0; seq < trace.count; ++seq) {
    const kind = trace.kind(seq);
    if (kind === EventKind.opBegun) {
      const op = kOpNames.get(trace.head(seq) >>> 16) ?? 'unknown';
      recorded[op] = (recorded[op] ?? 0) + 1;
    } else if (kind === EventKind.blockFreed && lost.at(seq) === 0) unseen += 1;
  }
  return { recorded, unseen, liveBlocks: model.head.state.heaps[0]?.chunksInUse ?? 0, file: decoded.value };
}
