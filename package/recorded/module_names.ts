// What the calls of a module are called, by its own names and lines, for the recorder that is put into it (instrument/names_table.ts).
//
//   name section, DWARF, the source map beside its file ──▶ symbols/ ──▶ functions, files and lines
//
//   mn.1  A module may be a stranger's: of what it names only a regular file in its own folder, or below it, is read.
//   mn.2  What cannot be read of names and lines is said, and the module is instrumented without them.
//   mn.3  Where names and lines are kept in another file, or there are no names but those of exports, it carries none: that file can say more later
//         (heapglass symbolize), but only of calls that have no name yet.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { NamesOf } from '../../web/src/instrument/names_table.ts';
import {
  createSymbolizer,
  customSection,
  readSections,
  sourceMapUrl,
  WasmFileError,
} from '../../web/src/symbols/index.ts';

/** `path`: the module's file, where it has one. undefined: nothing is known. */
export function namesOfModule(
  wasm: Uint8Array,
  path: string | undefined,
  say: (text: string) => void,
): NamesOf | undefined {
  try {
    const url = path === undefined ? undefined : sourceMapUrl(wasm);
    const map = path === undefined || url === undefined ? undefined : besideModule(path, url);
    const sourceMap = map === undefined ? undefined : readFileSync(map, 'utf8');
    if (!saysMore(wasm, sourceMap)) return undefined;
    return createSymbolizer({ wasm, sourceMap, demangler: demangler() }).calls;
  } catch (error) {
    if (!(error instanceof WasmFileError)) throw error;
    say(`names and lines are left out, they cannot be read: ${error.message}`);
    return undefined;
  }
}

/** mn.3 */
function saysMore(wasm: Uint8Array, sourceMap: string | undefined): boolean {
  const sections = readSections(wasm);
  const has = (name: string) => customSection(wasm, sections, name) !== undefined;
  return !has('external_debug_info') && (sourceMap !== undefined || has('name') || has('.debug_line'));
}

/** The file that a module names; undefined where there is none, or it lies elsewhere. */
export function besideModule(wasmPath: string, url: string): string | undefined {
  if (/^[a-z]+:/.test(url)) return undefined;
  const folder = dirname(wasmPath);
  const path = join(folder, url);
  const stats = isBelow(folder, path) ? statSync(path, { throwIfNoEntry: false }) : undefined;
  return stats?.isFile() === true ? path : undefined;
}

export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The bytes of demangle.wasm, which lies in the package above this file, bundled or not. */
export function demangler(): Uint8Array<ArrayBuffer> | undefined {
  const files = ['..', '../..', '../../..'].map((way) => new URL(`${way}/build/wasm/demangle.wasm`, import.meta.url));
  const found = files.find((file) => existsSync(fileURLToPath(file)));
  return found === undefined ? undefined : Uint8Array.from(readFileSync(fileURLToPath(found)));
}
