// What a module imports, for an instance in which only its allocator is tried: functions that give 0, and a memory and a table as large as
// it wants them.
//
//   An allocator asks the system rarely. So calls are counted, and one too many ends the trial: a function that prints would try for ever
//   to write what is never written.

import { ByteReader, kSection, readSections } from '../../web/src/symbols/index.ts';

interface Wanted {
  readonly module: string;
  readonly name: string;
  readonly value: WebAssembly.ImportValue;
}

const kTypes: Readonly<Record<number, WebAssembly.ValueType>> = { 127: 'i32', 126: 'i64', 125: 'f32', 124: 'f64' };
const kNothing: Readonly<Record<string, number | bigint>> = { i64: 0n };

const kMostCalls = 10_000; // a trial's rounds, some thirty times
export const callsLeft = (): CallsLeft => ({ left: kMostCalls });

/** How often the functions of an instance may still be called. */
export interface CallsLeft {
  left: number;
}

/** For one instance. */
export function importsOf(bytes: Uint8Array, calls: CallsLeft = callsLeft()): WebAssembly.Imports {
  const nothing = () => {
    if (--calls.left < 0) throw new Error('it asks the system too often for an allocator');
    return 0;
  };
  const imports: Record<string, WebAssembly.ModuleImports> = {};
  const section = readSections(bytes).find(({ id }) => id === kSection.import);
  if (section === undefined) return imports;
  const reader = new ByteReader(bytes, section.from, section.end);
  for (let more = reader.unsigned(); more > 0; --more) {
    const { module, name, value } = readWanted(reader, nothing);
    const of = imports[module] ?? {};
    of[name] = value;
    imports[module] = of;
  }
  return imports;
}

function readWanted(reader: ByteReader, nothing: () => number): Wanted {
  const [module, name, kind] = [reader.name(), reader.name(), reader.u8()];
  if (kind === 0) {
    reader.unsigned();
    return { module, name, value: nothing };
  }
  if (kind === 1) {
    const element = reader.u8() === 0x70 ? 'anyfunc' : 'externref';
    return { module, name, value: new WebAssembly.Table({ element, ...limits(reader) }) };
  }
  if (kind === 2) return { module, name, value: new WebAssembly.Memory(limits(reader)) };
  if (kind !== 3) throw new Error('it imports what a trial cannot give');
  const value = kTypes[reader.u8()] ?? 'i32';
  const mutable = reader.u8() === 1;
  return { module, name, value: new WebAssembly.Global({ value, mutable }, kNothing[value] ?? 0) };
}

function limits(reader: ByteReader): WebAssembly.MemoryDescriptor {
  const flags = reader.u8();
  const initial = reader.unsigned();
  const isShared = (flags & 2) !== 0;
  return (flags & 1) === 0 ? { initial } : { initial, maximum: reader.unsigned(), shared: isShared };
}
