// The mutants of the web half: Stryker's instrumenter finds them, a seed draws a sample, and each is written into the source as text.
//
//   wm.1  Stryker's mutators, without those of string literals: a text is not logic, and the files of sentences would be most of a sample.
//   wm.2  One in a file of types, and one that leaves the text as it was, is none.
//   wm.3  A mutant is known by its file, its place and what replaces it; the same seed draws the same mutants from the same sources.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { kEquivalent } from './web_equivalent.mjs';

/** Those of a score. Any other folder of web/src may be named, too: what only a browser runs has no test here. */
export const kFolders = [
  'trace',
  'model',
  'engine',
  'report',
  'diff',
  'replay',
  'convert',
  'symbols',
  'instrument',
  'record',
];

/** What is replaced stands for one value: in brackets it stays one, whatever is beside it. */
const kOperators = ['ArithmeticOperator', 'EqualityOperator', 'LogicalOperator'];

const kLeftOut = ['StringLiteral'];

/**
 * @typedef {object} Mutant
 * @property {string} folder
 * @property {string} file from the root
 * @property {string} kind Stryker's mutator
 * @property {number} line from 1
 * @property {number} column from 1
 * @property {number} from offset in the file
 * @property {number} to
 * @property {string} original
 * @property {string} replacement
 */

/**
 * All mutants of some folders, in the order of their places.
 * @param {string} root
 * @param {readonly string[]} folders
 * @returns {Promise<Mutant[]>}
 */
export async function listMutants(root, folders) {
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, 'web/src', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .map((name) => ({ folder, file: `web/src/${folder}/${name}` })),
  );
  const mutants = [];
  for (const { folder, file } of paths)
    mutants.push(...(await mutantsOf(folder, file, readFileSync(join(root, file), 'utf8'))));
  return mutants.sort(byPlace);
}

/**
 * @param {string} folder
 * @param {string} file
 * @param {string} content
 * @returns {Promise<Mutant[]>}
 */
export async function mutantsOf(folder, file, content) {
  const quiet = () => {};
  const logger = {
    trace: quiet,
    debug: quiet,
    info: quiet,
    warn: quiet,
    error: quiet,
    fatal: quiet,
    isDebugEnabled: () => false,
  };
  const { mutants } = await new Instrumenter(/** @type {any} */ (logger)).instrument(
    [{ name: file, content, mutate: true }],
    {
      plugins: null,
      excludedMutations: kLeftOut,
      ignorers: [],
    },
  );
  const starts = lineStarts(content);
  return mutants
    .filter(({ status }) => status === undefined)
    .map(({ location: { start, end }, mutatorName, replacement }) => {
      const from = (starts[start.line] ?? 0) + start.column;
      const to = (starts[end.line] ?? 0) + end.column;
      const text = kOperators.includes(mutatorName) ? `(${replacement})` : replacement;
      const place = { line: start.line + 1, column: start.column + 1, from, to };
      return { folder, file, kind: mutatorName, ...place, original: content.slice(from, to), replacement: text };
    })
    .filter(({ original, replacement }) => original !== replacement);
}

/** @param {string} content */
function lineStarts(content) {
  const starts = [0];
  for (let at = content.indexOf('\n'); at >= 0; at = content.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** @type {(one: Mutant, other: Mutant) => number} */
const byPlace = (one, other) =>
  compare(one.file, other.file) ||
  one.from - other.from ||
  one.to - other.to ||
  compare(one.replacement, other.replacement);

/** @type {(one: string, other: string) => number} */
const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);

/**
 * So many of them, the same for the same seed (wm.3).
 * @param {readonly Mutant[]} mutants
 * @param {number} count
 * @param {number} seed
 */
export function drawMutants(mutants, count, seed) {
  const random = mulberry(seed);
  const rest = [...mutants];
  const drawn = [];
  while (drawn.length < count && rest.length > 0) {
    const at = Math.floor(random() * rest.length);
    drawn.push(/** @type {Mutant} */ (rest[at]));
    rest[at] = /** @type {Mutant} */ (rest.at(-1));
    rest.pop();
  }
  return drawn.sort(byPlace);
}

/** @param {number} seed */
function mulberry(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The source with the mutant in it.
 * @param {string} content
 * @param {Mutant} mutant
 */
export const withMutant = (content, { from, to, replacement }) =>
  content.slice(0, from) + replacement + content.slice(to);

/**
 * Why no test can tell the mutant from the original; undefined: one should.
 * @param {Mutant} mutant
 * @returns {string | undefined}
 */
export const whyEquivalent = (mutant) => kEquivalent.find((known) => isAt(known, mutant))?.why;

/** @type {(known: {file: string, from: string, to: string}, mutant: Mutant) => boolean} */
export const isAt = ({ file, from, to }, mutant) =>
  `web/src/${file}` === mutant.file && inOneLine(mutant.original) === from && inOneLine(mutant.replacement) === to;

/** @param {string} text */
export const inOneLine = (text) => text.replace(/\s+/g, ' ').trim();
