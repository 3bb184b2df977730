// From a call in a module to names: function@file:line, and one more for each call that was inlined around it.
//
//   0x1a2b ──▶ function by its number: name section      ─▶ demangled
//          ──▶ inlined calls: .debug_info                ─▶ a frame each, at the line where it was called
//          ──▶ line of the innermost: .debug_line, else the source map
//
//   Y1  Without a name a function is wasm-function[12]; without a line a frame has no @.

import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { frameAt } from '../base/frames.ts';
import { ByteReader, WasmFileError } from './byte_reader.ts';
import { cppNames } from './cpp_names.ts';
import { readFunctions } from './dwarf_functions.ts';
import { type Line, readLines } from './dwarf_lines.ts';
import { debugSections } from './dwarf_sections.ts';
import { functionNames } from './function_names.ts';
import { rustName } from './rust_names.ts';
import { customSection, kSection, readModule, readSections } from './wasm_module.ts';

export interface SymbolCall {
  readonly name: string;
  /** undefined: not known. */
  readonly at: Line | undefined;
  /** The function has no name but its number. */
  readonly isNumber?: true;
}

export interface Symbolizer {
  /** A call and those that it was inlined into, outermost first: at least one. `offset`: of the file; undefined when only the function is known. */
  calls(index: number, offset: number | undefined): readonly SymbolCall[];
  /** Their texts. */
  frames(index: number, offset: number | undefined): string[];
}

export interface SymbolSources {
  readonly wasm: Uint8Array;
  /** The text of a source map. */
  readonly sourceMap?: string | undefined;
  /** The bytes of demangle.wasm; without them names of C++ stay as they are. */
  readonly demangler?: Uint8Array<ArrayBuffer> | undefined;
}

export function createSymbolizer({ wasm, sourceMap, demangler }: SymbolSources): Symbolizer {
  const module = readModule(wasm);
  const names = functionNames(module);
  const cppName = demangler === undefined ? () => undefined : cppNames(demangler);
  const shown = (raw: string) => rustName(raw) ?? cppName(raw) ?? raw;
  const codeAt = module.sections.find(({ id }) => id === kSection.code)?.from ?? 0;
  const dwarf = debugSections(wasm, module.sections);
  const lines = dwarf === undefined ? undefined : readLines(dwarf);
  const functions = dwarf === undefined || lines === undefined ? undefined : readFunctions(dwarf, lines);
  const map = sourceMap === undefined ? undefined : readSourceMap(sourceMap);

  const lineOf = (offset: number): Line | undefined => {
    const found = lines?.find(offset - codeAt);
    if (found !== undefined || map === undefined) return found;
    const { source, line } = originalPositionFor(map, { line: 1, column: offset });
    return typeof source !== 'string' || line === null ? undefined : { file: source, line };
  };
  const nameOf = (index: number): Omit<SymbolCall, 'at'> => {
    const raw = names.get(index);
    return raw === undefined ? { name: `wasm-function[${index}]`, isNumber: true } : { name: shown(raw) };
  };
  const calls = (index: number, offset: number | undefined): SymbolCall[] => {
    if (offset === undefined) return [{ ...nameOf(index), at: undefined }];
    const at = lineOf(offset);
    const inlined = functions?.inlinedAt(offset - codeAt, at) ?? [];
    const named = [nameOf(index), ...inlined.map((call) => ({ name: shown(call.name) }))];
    const places = [...inlined, at];
    return named.map((call, nth) => ({ ...call, at: known(places[nth]) }));
  };
  return { calls, frames: (index, offset) => calls(index, offset).map(({ name, at }) => frameAt(name, at)) };
}

const known = (at: Line | undefined): Line | undefined => (at?.line === 0 || at?.file === '' ? undefined : at);

function readSourceMap(text: string): TraceMap {
  try {
    return new TraceMap(text);
  } catch {
    throw new WasmFileError('its source map cannot be read');
  }
}

/** Where a module says that its source map is. */
export function sourceMapUrl(wasm: Uint8Array): string | undefined {
  const section = customSection(wasm, readSections(wasm), 'sourceMappingURL');
  return section === undefined ? undefined : new ByteReader(section).name();
}
