// Makes a finished module into one that records its heap.
//
//   bytes ─ check ─▶ thinned ─▶ Binaryen's module ─ find the family ─▶ passes, in order ─▶ spliced + recorder in a custom section
//                                                                       wrap.ts first; others plug in behind it
//
//   Ins.1  Nothing of the program is optimized or removed: its functions are written back as they were read. DWARF is left out, because
//          its offsets would be wrong; names and lines are those of the original module.
//   Ins.3  Binaryen reads only the functions that somebody looks into (thinned.ts). A module that this engine refuses, because it is newer
//          than the engine or damaged, it reads and writes whole, and proves its types itself. Nothing of it is tried. It reads whole, too,
//          what is not valid without the rest.
//   Ins.2  What is told is in event.h (event.P7), how it gets out in recorder_module.ts, who takes it in loader.ts.

import type binaryen from 'binaryen';
import { readModule as readWasm, WasmFileError, type WasmModule } from '../symbols/index.ts';
import { crc32OfWords } from '../trace/crc32.ts';
import { joined } from '../trace/trace_writer.ts';
import { type Companions, type CompanionTrial, type Family, findFamily, type Named } from './family.ts';
import { bytesOf } from './function_edit.ts';
import { checkBytes, customSections, ModuleProblem, problemOf } from './module_problem.ts';
import { makeRecorder, type RecorderParts } from './recorder_module.ts';
import { kRecorderSection, kThreadsSection } from './recorder_names.ts';
import { customSection } from './sections.ts';
import { spliced } from './spliced.ts';
import { lookedInto, thinned } from './thinned.ts';
import { type Words, wordsOf } from './words.ts';
import { wrapFamily } from './wrap.ts';

export interface InstrumentContext {
  readonly lib: typeof binaryen;
  readonly module: binaryen.Module;
  /** The module as it was given. */
  readonly original: Uint8Array;
  readonly family: Family;
  /** Its memory is shared by threads. */
  readonly isShared: boolean;
  /** Of its addresses and sizes. */
  readonly words: Words;
  /** What passes add to the recorder. */
  readonly recorder: RecorderParts[];
}

/** Changes the module; runs when the family is wrapped. */
export type InstrumentPass = (context: InstrumentContext) => void;

export interface InstrumentOptions {
  /** Functions of the allocator, where their names are not known ones. */
  readonly named?: Named;
  /** Tries functions of the module (`original`) where this can be done; family.ts, Fam.9. */
  readonly triedCompanions?: (original: WasmModule, ...indices: Parameters<CompanionTrial>) => Companions;
  /** Puts something before each function of the family; wrapFamily when not given. */
  readonly wrap?: InstrumentPass;
  readonly passes?: readonly InstrumentPass[];
}

export interface Instrumented {
  readonly binary: Uint8Array;
  readonly family: Family;
}

/** Throws a ModuleProblem that says why it cannot be done. */
export function instrument(
  lib: typeof binaryen,
  original: Uint8Array,
  { named = {}, triedCompanions, wrap = wrapFamily, passes = [] }: InstrumentOptions = {},
): Instrumented {
  checkBytes(original);
  const sections = customSections(original);
  if (sections.has(kRecorderSection)) {
    throw new ModuleProblem('already_instrumented', 'it is instrumented already: give the module as it was before');
  }
  const read = readChecked(original);
  const trial = read && triedCompanions && triedOnce((malloc, free) => triedCompanions(read, malloc, free));
  let kept = read && lookedInto(read, named);
  for (;;) {
    const thin = read && kept && thinnedIfValid(read, kept);
    const module = readModule(lib, thin ?? original);
    const made = rewriting(original, module, () => {
      const isShared = checkModule(module);
      const words = wordsOf(lib, module);
      const family = findFamily(lib, module, named, words.isWide, trial);
      const without = family.members.filter(({ index }) => thin !== undefined && kept?.has(index) === false);
      if (without.length > 0) return without.map(({ index }) => index);
      const context: InstrumentContext = { lib, module, original, family, isShared, words, recorder: [] };
      wrap(context);
      for (const pass of passes) pass(context);
      return { binary: joined([written(context, thin && read), ...recorderOf(context)]), family };
    });
    if (!Array.isArray(made)) return made;
    kept = new Set([...(kept ?? []), ...made]);
  }
}

/** Ins.3: undefined for a module that Binaryen reads whole. */
function readChecked(original: Uint8Array): WasmModule | undefined {
  try {
    const read = readWasm(original);
    return read.bodies.length > 0 && WebAssembly.validate(Uint8Array.from(original)) ? read : undefined;
  } catch (error) {
    if (error instanceof WasmFileError) return undefined; // Binaryen says what is wrong
    throw error;
  }
}

/** Ins.3: undefined where a function that is looked into names a segment, which is left out. */
function thinnedIfValid(read: WasmModule, kept: ReadonlySet<number>): Uint8Array<ArrayBuffer> | undefined {
  const bytes = Uint8Array.from(thinned(read, kept));
  return WebAssembly.validate(bytes) ? bytes : undefined;
}

function triedOnce(trial: CompanionTrial): CompanionTrial {
  let found: Companions | undefined;
  return (malloc, free) => {
    found ??= trial(malloc, free);
    return found;
  };
}

/** The module as it is now. */
function written({ lib, module, original, family }: InstrumentContext, read: WasmModule | undefined): Uint8Array {
  const hasNames = customSections(original).has('name');
  if (read === undefined) {
    module.runPasses(['strip-dwarf']);
    if (!module.validate()) throw new Error('the instrumented module is not valid');
    return bytesOf(lib, module, hasNames);
  }
  const changed = new Set(family.members.map(({ index }) => index));
  const bytes = spliced(read, readWasm(bytesOf(lib, module, hasNames)), changed);
  if (!WebAssembly.validate(bytes)) throw new Error('the instrumented module is not valid');
  return bytes;
}

function recorderOf({ lib, original, isShared, words, recorder }: InstrumentContext): Uint8Array[] {
  const made = makeRecorder(lib, { parts: recorder, isShared, isWide: words.isWide });
  return [customSection(kRecorderSection, made), ...(isShared ? [customSection(kThreadsSection, idOf(original))] : [])];
}

export function readModule(lib: typeof binaryen, bytes: Uint8Array): binaryen.Module {
  // Its types have another function for this, which the package does not have.
  const read: (data: Uint8Array, features: number) => binaryen.Module = lib.readBinary;
  return rewriting(bytes, undefined, () => read(bytes, usableFeatures(lib)));
}

/** What Binaryen does with a module, which is given back behind it: whatever ends it is a ModuleProblem. */
export function rewriting<T>(bytes: Uint8Array, module: binaryen.Module | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw problemOf(error, bytes);
  } finally {
    disposeOf(module);
  }
}

function disposeOf(module: binaryen.Module | undefined): void {
  try {
    module?.dispose();
  } catch {
    // behind an abort or the end of its stack Binaryen gives back nothing
  }
}

/** What engines of today run without flags; a newer encoding would be refused by them. */
export function usableFeatures({ Features }: typeof binaryen): number {
  return (
    Features.Atomics |
    Features.MutableGlobals |
    Features.NontrappingFPToInt |
    Features.SIMD128 |
    Features.BulkMemory |
    Features.BulkMemoryOpt |
    Features.SignExt |
    Features.ExceptionHandling |
    Features.TailCall |
    Features.ReferenceTypes |
    Features.Multivalue |
    Features.RelaxedSIMD |
    Features.ExtendedConst |
    Features.CallIndirectOverlong |
    Features.Memory64
  );
}

/** Whether threads share its memory. */
function checkModule(module: binaryen.Module): boolean {
  if (!module.hasMemory()) throw new ModuleProblem('no_memory', 'it has no memory, so it has no heap');
  return module.getMemoryInfo().shared;
}

/** A number for a module, not 0, as its bytes. */
function idOf(bytes: Uint8Array): Uint8Array {
  const crc = crc32OfWords(new Uint32Array(Uint8Array.from(bytes.subarray(0, bytes.length & ~3)).buffer));
  return new Uint8Array(Uint32Array.of(crc | 1).buffer);
}
