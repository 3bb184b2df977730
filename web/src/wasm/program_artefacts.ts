// Where the programs of other makers lie, and which are not there: their sources are packages, which a build may not reach
// (tools/build_programs.mjs). One literal URL each, as in heap_artefacts.ts. A file of its own, so that a bundle which is to bring no
// such program replaces it (tools/build_command_line.mjs).

import { readText } from './compile_wasm.ts';

/** Programs that run texts (programs/watched). */
export type TextProgram = 'sqlite' | 'lua' | 'quickjs';

export const kTextPrograms: Readonly<Record<TextProgram, () => URL>> = {
  sqlite: () => new URL('../../../build/wasm/sqlite.wasm', import.meta.url),
  lua: () => new URL('../../../build/wasm/lua.wasm', import.meta.url),
  quickjs: () => new URL('../../../build/wasm/quickjs.wasm', import.meta.url),
};

/** Why a program could not be built here, null when it was. */
export async function readAvailability(): Promise<Readonly<Record<TextProgram, string | null>>> {
  return JSON.parse(await readText(new URL('../../../build/wasm/programs.json', import.meta.url)));
}
