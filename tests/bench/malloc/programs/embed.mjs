// A script as a C array, so that a program needs no file system: a module sees only its standard output and a clock.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../tools/fetch/crates.mjs';

/**
 * Writes `const char script[]`, which ends in a zero that `script_size` does not count, and returns the C file's path.
 * @param {string} program
 * @param {string} script
 */
export function embed(program, script) {
  const folder = join(root, 'build/programs', program);
  mkdirSync(folder, { recursive: true });
  const bytes = readFileSync(script);
  const file = join(folder, 'script.c');
  const array = [...bytes, 0].join(',').replaceAll(/(.{100,}?,)/g, '$1\n');
  writeFileSync(file, `const unsigned script_size = ${bytes.length};\nconst char script[] = {${array}};\n`);
  return file;
}
