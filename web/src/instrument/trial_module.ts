// A module of which any function of some types can be called from outside, to try which of them allocate (package/recorded/trial.ts).
//
//   trial.1  Only the section of exports is another: a function without a name is the export "f12", its memory "memory". What would run at the
//            start is left out, so nothing of the program runs but what is called.

import { kSection, readModule, unsignedLeb, type WasmModule } from '../symbols/index.ts';
import { joined } from '../trace/trace_writer.ts';

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
  readonly binary: Uint8Array;
  /** With code of the module; those that most functions call first. */
  readonly functions: Readonly<Record<keyof typeof kKeys, readonly TrialFunction[]>>;
}

export const trialName = ({ index }: TrialFunction): string => `f${index}`;

export function trialModule(bytes: Uint8Array): TrialModule {
  const module = readModule(bytes);
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
  return { binary: withExports(module, Object.values(functions).flat()), functions };
}

function reachedFrom(from: number, callsOf: (index: number) => Iterable<number>): ReadonlySet<number> {
  const reached = new Set(callsOf(from));
  for (const index of reached) for (const target of callsOf(index)) reached.add(target);
  return reached;
}

const kCall = 0x10;

function withExports({ bytes, sections }: WasmModule, functions: readonly TrialFunction[]): Uint8Array {
  const exported = [
    [...nameOf('memory'), 2, 0],
    ...functions.map((it) => [...nameOf(trialName(it)), 0, ...unsignedLeb(it.index)]),
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

function nameOf(text: string): number[] {
  const bytes = new TextEncoder().encode(text);
  return [...unsignedLeb(bytes.length), ...bytes];
}
