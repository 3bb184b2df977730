// A program of programs/, built by Emscripten, instrumented with stacks, and run with the engine's own stack taken at every allocation.

import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import binaryen from 'binaryen';
import type { StackFrame } from '../../../web/src/handles/stack_frames.ts';
import { instrumentedRecorder } from '../../../web/src/instrument/instrumented_recorder.ts';
import { instrumentLinked } from '../../../web/src/instrument/linked.ts';
import { linkedSites } from '../../../web/src/instrument/linked_sites.ts';
import { kRecorderSection, kRingRecords } from '../../../web/src/instrument/recorder_names.ts';
import { type RingExports, RingSource } from '../../../web/src/instrument/recorder_source.ts';
import { stackHere } from '../../../web/src/instrument/site_book.ts';
import { type AskSite, siteAsker } from '../../../web/src/instrument/site_writer.ts';
import { instrumentStacks } from '../../../web/src/instrument/stacks.ts';
import type { Recorder } from '../../../web/src/record/recorder_types.ts';
import { functionNames } from '../../../web/src/symbols/function_names.ts';
import { readModule } from '../../../web/src/symbols/index.ts';
import type { Trace } from '../../../web/src/trace/trace.ts';
import { decodeTraceFile } from '../../../web/src/trace/trace_file.ts';
import { traceOfRecords } from '../../record/recorded_program.ts';
import { sitesOf } from './sites_of.ts';

export const root = fileURLToPath(new URL('../../../', import.meta.url));
const out = join(root, 'build/stacks');
const run = promisify(execFile);

const kFlags =
  '-std=c++20 -O1 --profiling-funcs -sMODULARIZE -sENVIRONMENT=node -sALLOW_MEMORY_GROWTH -sEXPORTED_FUNCTIONS=_main,_run,_malloc,_free';

/** The path of the module. */
export async function build(name: string, source: string, flags: readonly string[], common = kFlags): Promise<string> {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'package.json'), '{ "type": "commonjs" }\n');
  const path = join(out, `${name}.js`);
  const given = [join(root, 'tests/web/instrument/programs', source), ...common.split(' '), ...flags, '-o', path];
  await run(join(root, 'wasm-build.sh'), ['emcc', ...given], { maxBuffer: 1 << 26 });
  return path;
}

export interface Compared {
  readonly allocations: number;
  readonly sites: number;
  /** Looks at the engine's stack that the recorder took. */
  readonly looks: number;
  readonly deepest: number;
  /** Allocations whose site is another stack than the engine's: both, as names from the outside in. */
  readonly wrong: readonly { readonly engine: string; readonly site: string }[];
}

interface Program {
  readonly heapglass: Recorder;
  _run(seed: number): number;
}

/** Runs `run(seed)` for every seed. `spoil` changes the instrumented bytes, to see a fault found. */
export async function compareStacks(
  path: string,
  seeds: number,
  spoil = (bytes: Uint8Array) => bytes,
): Promise<Compared> {
  const original = originalOf(path);
  const bytes = spoil(instrumentStacks(binaryen, original).binary);
  const module = new WebAssembly.Module(Uint8Array.from(bytes));
  const [recorderBytes] = WebAssembly.Module.customSections(module, kRecorderSection);
  let looks = 0;
  let drain = () => {};
  let ask: AskSite = () => 0;
  const stack = (context: bigint) => {
    ++looks;
    return ask(context);
  };
  const given = { full: () => drain(), stack };
  const own = new WebAssembly.Instance(new WebAssembly.Module(recorderBytes as ArrayBuffer), { heapglass: given });
  const recorder = instrumentedRecorder(new RingSource(own.exports as unknown as RingExports, kRingRecords));
  drain = () => recorder.drain();
  const outside = { glue: '', placed: (frame: StackFrame) => frame };
  ask = siteAsker(module, (own.exports as unknown as RingExports).put, outside).stack;

  const watched = watch(original, module, own.exports);
  const program = await load(path, bytes, module, { imports: watched.imports });
  for (let seed = 0; seed < seeds; ++seed) program._run(seed);
  const decoded = decodeTraceFile(recorder.trace());
  if (!decoded.ok) throw new Error(decoded.error.message);
  return { looks, ...watched.compared(decoded.value.trace) };
}

/** The same of a program linked with heapglass. */
export async function compareLinkedStacks(
  path: string,
  seeds: number,
  spoil = (bytes: Uint8Array) => bytes,
): Promise<Compared & { readonly trace: Trace }> {
  const original = originalOf(path);
  const bytes = spoil(instrumentLinked(binaryen, original).bytes);
  const module = new WebAssembly.Module(Uint8Array.from(bytes));
  const linked = linkedSites(module, WebAssembly.Instance);
  if (linked === undefined) throw new Error('the module has no table of contexts');
  const watched = watch(original, module, linked.imports);
  const program = await load(path, bytes, module, { imports: watched.imports, connect: linked.connect });
  for (let seed = 0; seed < seeds; ++seed) program._run(seed);
  program.heapglass.checkpoint();
  const trace = traceOfRecords(program.heapglass.records());
  const compared = watched.compared(trace);
  return { looks: compared.sites, ...compared, trace };
}

const originalOf = (path: string) => new Uint8Array(readFileSync(path.replace(/\.js$/, '.wasm')));

/** Takes the engine's own stack whenever the program asks for its site. */
function watch(original: Uint8Array, module: WebAssembly.Module, exports: WebAssembly.Exports) {
  const before = readModule(original);
  const shift =
    WebAssembly.Module.imports(module).filter(({ kind }) => kind === 'function').length - before.imports.length;
  const names = functionNames(before);
  const engine: string[] = [];
  const site = (context: bigint) => {
    // Innermost is the wrapper of malloc, or what the recorder wraps instead.
    const frames = [...stackHere().matchAll(/wasm-function\[(\d+)\]/g)].slice(1);
    engine.push(
      frames
        .map(([, index]) => names.get(Number(index) - shift) ?? '?')
        .reverse()
        .join(' > '),
    );
    return (exports['site'] as (context: bigint) => number)(context);
  };
  const compared = (trace: Trace) => {
    const sites = sitesOf(trace);
    const nameOf = (frame: string) => names.get(Number(/\[(\d+)\]/.exec(frame)?.[1])) ?? '?';
    const told = sites.entered.map((number) => sites.pathOf(number).map(nameOf).join(' > '));
    const wrong = engine
      .map((stack, index) => ({ engine: stack, site: told[index] ?? 'nothing' }))
      .filter((pair) => pair.engine !== pair.site);
    const deepest = Math.max(...engine.map((stack) => stack.split(' > ').length));
    return { allocations: engine.length, sites: sites.count, deepest, wrong };
  };
  return { imports: { ...exports, site } as WebAssembly.ModuleImports, compared };
}

interface Wiring {
  readonly imports: WebAssembly.ModuleImports;
  connect?(instance: WebAssembly.Instance): void;
}

async function load(path: string, bytes: Uint8Array, module: WebAssembly.Module, { imports, connect }: Wiring) {
  return (await createRequire(import.meta.url)(path)({
    wasmBinary: bytes,
    instantiateWasm(given: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
      const instance = new WebAssembly.Instance(module, { ...given, heapglass: imports });
      connect?.(instance);
      done(instance);
      return instance.exports;
    },
  })) as Program;
}
