// A module of which any function of some types can be called from outside, to try which of them allocate (package/recorded/trial.ts).
//
//   trial.1  Only the section of exports is another: the function 12 is the export "f12", the memory "memory", and a global that changes, so
//            that it can be put back, "g3". What would run at the start is left out, so nothing of the program runs but what is called.
//   trial.2  An instance makes an object for each export: only functions that will be tried are.

import { kExported, kSection, unsignedLeb, type WasmModule } from '../symbols/index.ts';
import { joined } from '../trace/trace_writer.ts';
import { nameOf } from './sections.ts';

/** Types of functions that may be an allocator's, as FunctionType.key has them. */
const kKeys = {
  malloc: '1 127 1 127',
  free: '1 127 0',
  pair: '2 127 127 1 127',
  triple: '3 127 127 127 1 127',
} as const;

export interface TrialFunction {
  readonly index: number;
  /** The functions that call it, and those that it calls. */
  readonly callers: number;
  readonly calls: ReadonlySet<number>;
  /** By calls of any number of functions. */
  reaches(index: number): boolean;
}

export interface TrialModule {
  /** The module with these as its exports. */
  exporting(functions: readonly TrialFunction[]): Uint8Array;
  /** With code of the module; those that most functions call first. */
  readonly functions: Readonly<Record<keyof typeof kKeys, readonly TrialFunction[]>>;
}

export const trialName = ({ index }: TrialFunction): string => `f${index}`;
export const trialGlobal = (index: number | ''): string => `g${index}`;

export function trialModule(module: WasmModule): TrialModule {
  const calls = module.bodies.map(
    (body) => new Set(body.calls.filter(({ op }) => op === kCall).map(({ target }) => target)),
  );
  const callers = new Map<number, number>();
  for (const each of calls) for (const target of each) callers.set(target, (callers.get(target) ?? 0) + 1);
  const reachOf = (from: number) => {
    let reached: ReadonlySet<number> | undefined;
    return (index: number): boolean => {
      reached ??= reachedFrom(from, (at) => calls[at - module.imports.length] ?? []);
      return reached.has(index);
    };
  };
  const of = (key: string): TrialFunction[] =>
    calls
      .map((each, nth) => ({ index: module.imports.length + nth, calls: each }))
      .filter(({ index }) => module.types[module.functionTypes[index] ?? -1]?.key === key)
      .map((it) => ({ ...it, callers: callers.get(it.index) ?? 0, reaches: reachOf(it.index) }))
      .sort((one, other) => other.callers - one.callers || one.index - other.index);
  const functions = { malloc: of(kKeys.malloc), free: of(kKeys.free), pair: of(kKeys.pair), triple: of(kKeys.triple) };
  return { exporting: (some) => withExports(module, some), functions };
}

function reachedFrom(from: number, callsOf: (index: number) => Iterable<number>): ReadonlySet<number> {
  const reached = new Set(callsOf(from));
  for (const index of reached) for (const target of callsOf(index)) reached.add(target);
  return reached;
}

const kCall = 0x10;

function withExports(module: WasmModule, functions: readonly TrialFunction[]): Uint8Array {
  const { bytes, sections } = module;
  const all = new Map(functions.map((it) => [it.index, it]));
  const exported = [
    [...nameOf('memory'), kExported.memory, 0],
    ...[...all.values()].map((it) => [...nameOf(trialName(it)), kExported.function, ...unsignedLeb(it.index)]),
    ...mutableGlobals(module).map((nth) => [...nameOf(trialGlobal(nth)), kExported.global, ...unsignedLeb(nth)]),
  ];
  const content = [...unsignedLeb(exported.length), ...exported.flat()];
  const section = Uint8Array.from([kSection.export, ...unsignedLeb(content.length), ...content]);
  const kept = sections.filter(({ id }) => id !== kSection.export && id !== kSection.start);
  const after = kept.findIndex(({ id }) => id > kSection.start && id !== kTagSection);
  const parts = kept.map(({ headerAt, end }) => bytes.subarray(headerAt, end));
  parts.splice(after < 0 ? parts.length : after, 0, section);
  return joined([bytes.subarray(0, 8), ...parts]);
}

const kTagSection = 13; // stands before the globals
const kNumbers: readonly number[] = [0x7f, 0x7e, 0x7d, 0x7c];

/** Those whose value JavaScript can set: numbers. */
function mutableGlobals({ bytes, importedGlobals, globals }: WasmModule): number[] {
  const imported = importedGlobals.map(({ end }) => end - 2);
  return [...imported, ...globals.map(({ from }) => from)].flatMap((at, nth) =>
    kNumbers.includes(bytes[at] ?? 0) && bytes[at + 1] === 1 ? [nth] : [],
  );
}
