// Prints a bench's tables and, with --json <file>, writes its figures. A bench never passes or fails on time.

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname } from 'node:path';

/** Columns aligned: the first to the left, the others to the right. */
export function printTable(title, head, rows) {
  const lines = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  const draw = (line) =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  ');
  console.log(`\n${title}`);
  console.log(draw(lines[0]));
  console.log(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const line of lines.slice(1)) console.log(draw(line));
}

export const fixed = (value, digits = 2) => (Number.isFinite(value) ? value.toFixed(digits) : '-');

/** --name value from the command line, or the default. */
export function option(name, otherwise) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : (process.argv[at + 1] ?? otherwise);
}

export const machine = () => ({
  node: process.version,
  processor: cpus()[0]?.model ?? 'unknown',
  processors: cpus().length,
});

/** Writes the figures when --json was given. */
export function writeJson(figures) {
  const file = option('json', undefined);
  if (file === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ machine: machine(), ...figures }, undefined, 2)}\n`);
  console.log(`\nwritten: ${file}`);
}
