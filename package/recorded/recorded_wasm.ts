// The recorded form of a module: instrumented once, then from a file of the cache.
//
//   bytes ─▶ name: checksum of bytes, options and glue ─▶ file there? ─▶ yes: its bytes
//                                                                └─▶ no: instrument, write, its bytes
//
//   rec.2  Which functions are the allocator: beside.ts. A module that cannot be instrumented stays as it is; why is said once.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type binaryen from 'binaryen';
import { formatBytes } from '../../web/src/base/format.ts';
import type { Named } from '../../web/src/instrument/family.ts';
import { instrument } from '../../web/src/instrument/instrument.ts';
import { instrumentLinked, isLinked } from '../../web/src/instrument/linked.ts';
import { ModuleProblem, memoriesIn } from '../../web/src/instrument/module_problem.ts';
import { kContextSection, kRecorderSection, kThreadsSection } from '../../web/src/instrument/recorder_names.ts';
import { instrumentSampled } from '../../web/src/instrument/sample.ts';
import { instrumentStacks, type StackOptions } from '../../web/src/instrument/stacks.ts';
import { readModule, WasmFileError } from '../../web/src/symbols/index.ts';
import { type Candidates, candidates, candidatesInPage, firstOf } from './beside.ts';
import { kBinaryen, loadBinaryen } from './binaryen.ts';
import { namesOfModule } from './module_names.ts';
import type { RecordOptions } from './record_options.ts';
import type { Script } from './said_names.ts';
import { triedCompanions } from './trial.ts';

/** Where is said what was done and what was not. */
export interface Speaker {
  note(text: string): void;
  warn(text: string): void;
}

/** Who may say which functions are the allocator: what lies beside the module's file, or the scripts of the page that loads it. */
export type Beside = string | (() => Promise<readonly Script[]>);

/** The bytes that are served for a module; `beside`: if that is known. */
export type Recorded = (bytes: Uint8Array, name: string, beside: Beside | undefined) => Promise<Uint8Array>;

const kForm = 8; // raise it when the same module is instrumented otherwise

export interface WasmOptions extends RecordOptions {
  /** Bytes from one sample to the next, as a mean; all is recorded where it is undefined. */
  readonly sample?: number;
  /** A module with threads stays as it is: whoever bundles does not see which workers begin them, and without a recorder in each it does not load. */
  readonly isBundled?: boolean;
}

/** What the recorded form of a module depends on, but for its bytes and its allocator's names. */
export const formOf = ({ stacks, callers, sample }: WasmOptions): string =>
  JSON.stringify([kForm, stacks === true, callers === true, sample]);

export function makeRecorded(options: WasmOptions, cache: string, { note, warn }: Speaker): Recorded {
  const refused = new Map<string, string>();
  let loaded: Promise<typeof binaryen | undefined> | undefined;

  async function triedFor(bytes: Uint8Array, name: string, beside: Beside | undefined): Promise<Candidates> {
    const given = namedIn(options);
    if (typeof beside !== 'function') return candidates(given, bytes, beside);
    return candidatesInPage(given, bytes, basename(name), beside);
  }

  async function made(bytes: Uint8Array, file: string | undefined, tried: Candidates): Promise<Uint8Array | string> {
    loaded ??= loadBinaryen();
    const lib = await loaded;
    if (lib === undefined) return `the package binaryen is not installed: npm install --save-dev ${kBinaryen}`;
    try {
      const namesOf = wantsSites(options) ? namesOfModule(bytes, file, warn) : undefined;
      if (isLinked(bytes)) return instrumentLinked(lib, bytes, namesOf).bytes;
      const binary = firstOf(tried, (named) =>
        rewritten(lib, bytes, { named, triedCompanions, namesOf }, options),
      ).made;
      return options.isBundled === true && hasSection(binary, kThreadsSection) ? kHasThreads : binary;
    } catch (error) {
      if (!(error instanceof ModuleProblem)) throw error;
      return error.message;
    }
  }

  return async (bytes, name, beside) => {
    if (!isModule(bytes) || isOfCreateHeap(bytes) || isInstrumented(bytes)) return bytes;
    const recordsItself = isLinked(bytes);
    if (recordsItself && !wantsSites(options)) return bytes; // only its sites can be added
    const tried = await triedFor(bytes, name, beside);
    const key = createHash('sha256')
      .update(JSON.stringify([formOf(options), tried.tried.map(({ named }) => named)]))
      .update(bytes)
      .digest('hex');
    if (refused.has(key)) return bytes;
    const kept = join(cache, `${key}.wasm`);
    const known = readIfThere(kept);
    const began = performance.now();
    const form = known ?? (await made(bytes, typeof beside === 'string' ? beside : undefined, tried));
    const isLeft = options.isBundled === true && typeof form !== 'string' && hasSection(form, kThreadsSection);
    const binary = isLeft ? kHasThreads : form;
    if (typeof binary === 'string') {
      refused.set(key, binary);
      const without = recordsItself ? 'without call sites' : 'and records nothing';
      warn(`${name} ${options.sample === undefined ? 'is served' : 'stays'} as it is ${without}: ${binary}`);
      return bytes;
    }
    if (known !== undefined) return known;
    const took = Math.round(performance.now() - began);
    note(
      `${name} records ${options.sample === undefined ? '' : 'a sample of '}its heap: ${formatBytes(bytes.length)} instrumented in ${took} ms`,
    );
    keep(kept, binary);
    return binary;
  };
}

const kHasThreads =
  'it has threads, and a bundler does not see which workers begin them. heapglass instrument and recordThreads() record it';

const wantsSites = ({ sample, stacks, callers }: WasmOptions): boolean =>
  sample === undefined && (stacks === true || callers === true);

function rewritten(lib: typeof binaryen, bytes: Uint8Array, found: StackOptions, options: WasmOptions): Uint8Array {
  const { stacks = false, callers = false, sample } = options;
  if (sample !== undefined) return instrumentSampled(lib, bytes, sample, found).binary;
  return stacks || callers
    ? instrumentStacks(lib, bytes, { ...found, callers }).binary
    : instrument(lib, bytes, found).binary;
}

function namedIn({ malloc, free, calloc, realloc }: RecordOptions): Named {
  const given = Object.entries({ malloc, free, calloc, realloc }).filter(([, name]) => name !== undefined);
  return malloc === undefined ? {} : (Object.fromEntries(given) as Named);
}

function isModule(bytes: Uint8Array): boolean {
  return bytes.length > 8 && bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d;
}

/** Scripts try by small modules without one what the engine can do. */
export function hasMemory(bytes: Uint8Array): boolean {
  const own = Uint8Array.from(bytes);
  return WebAssembly.validate(own) && memoriesIn(own) > 0;
}

/** By the user: it has its recorder already. */
const isInstrumented = (bytes: Uint8Array): boolean => hasSection(bytes, kRecorderSection, kContextSection);

function hasSection(bytes: Uint8Array, ...names: readonly string[]): boolean {
  try {
    return readModule(bytes).sections.some(({ name }) => names.includes(name));
  } catch (error) {
    if (error instanceof WasmFileError) return false; // who instruments it says why
    throw error;
  }
}

/** createHeap({ trace: true }) records its heap; these modules have no malloc. */
function isOfCreateHeap(bytes: Uint8Array): boolean {
  try {
    return readModule(bytes).exports.some(({ name }) => name === 'hg_heap_create');
  } catch (error) {
    if (error instanceof WasmFileError) return false;
    throw error;
  }
}

function readIfThere(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** Whole or not at all: another server may read it meanwhile. */
function keep(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, bytes);
  renameSync(unfinished, path);
}
