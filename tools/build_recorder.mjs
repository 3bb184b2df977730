// Builds the JavaScript of linked programs: heapglass_recorder.js, the Emscripten JavaScript library that records one, from
// web/src/record/linked; and heapglass_shrink.js, which stands before a program's JavaScript (--pre-js), from web/src/shrink/linked. It
// takes a twentieth of a second, so whoever links with them builds them (the package, the command line of tests, benchmarks) and none is
// stale.
//
//   node tools/build_recorder.mjs [folder]        default: build/emscripten
//
//  B1  Emscripten takes the text of each function of a library and puts it into the program's JavaScript, where its own names are found
//      (web/src/record/linked/program.ts). So the bundle is the body of one function.
//  B2  Emscripten 3.1.6 must understand it: its parser knows 2018, its optimizer loses destructured variables in loops, fails at a spread
//      in an object and, from -O2 on, leaves out a variable that only a parameter's default names; and its preprocessor reads lines that
//      begin with # and threefold braces. The build fails where the bundle has any of these, or a class.
//  B3  The functions of the library are declared by the word `function`.
//  B4  Closure (--closure 1) shortens names of properties, and heapglass/shrink, which it does not see, asks for them. heapglass_shrink.externs.js
//      lists all that the script has: Closure keeps what --externs names.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'acorn';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const kYear = 2018;
const kRefused = /^(ObjectPattern|ArrayPattern|Class(Declaration|Expression)|PrivateIdentifier)$/;

/** The text of the library. */
export const recorderLibrary = () => libraryOf(bundleOf('web/src/record/linked/start.ts').replace(/^(?=.)/gm, '    '));

/** The text before a program's JavaScript. */
export const shrinkScript = () => `// Memory that goes back, for emcc --pre-js.
// Built from web/src/shrink/linked by tools/build_recorder.mjs.
/** @suppress {undefinedVars|missingProperties|checkTypes|duplicate} */
${bundleOf('web/src/shrink/linked/start.ts')}
`;

/** B4 */
export function shrinkExterns() {
  const names = new Set();
  eachNode(parse(shrinkScript(), { ecmaVersion: kYear }), (node) => {
    const name = node.type === 'MemberExpression' ? node.property : node.type === 'Property' ? node.key : undefined;
    if (name?.type === 'Identifier' && !node.computed) names.add(name.name);
  });
  const lines = [...names].sort().map((name) => `HeapglassNames.prototype.${name};`);
  return `/** @externs */\n/** @record */\nvar HeapglassNames = function () {};\n${lines.join('\n')}\n`;
}

function eachNode(node, visit) {
  if (typeof node !== 'object' || node === null) return;
  if (typeof node.type === 'string') visit(node);
  for (const part of Object.values(node)) eachNode(part, visit);
}

/** B1, B2 */
function bundleOf(entry) {
  const { outputFiles } = buildSync({
    entryPoints: [join(root, entry)],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'neutral',
    target: `es${kYear}`,
    charset: 'utf8',
    legalComments: 'none',
    tsconfigRaw: {},
    logLevel: 'warning',
  });
  const body = outputFiles[0].text.replace(/^\s*\/\/ web\/src\/.*\n/gm, '');
  checkForEmscripten(body);
  return body.trimEnd();
}

/** Writes it into the folder; its path. */
export const writeRecorder = (folder) => writeScript(folder, 'heapglass_recorder.js', recorderLibrary());

/** Writes it into the folder; its path. */
export const writeShrinkExterns = (folder) => writeScript(folder, 'heapglass_shrink.externs.js', shrinkExterns());

/** Writes it into the folder, with the names for Closure beside it; its path. */
export function writeShrink(folder) {
  writeShrinkExterns(folder);
  return writeScript(folder, 'heapglass_shrink.js', shrinkScript());
}

function writeScript(folder, name, text) {
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  if (textOf(path) === text) return path;
  writeFileSync(`${path}.${process.pid}`, text); // several tests may do so at once
  renameSync(`${path}.${process.pid}`, path);
  return path;
}

/** @param {string} path */
function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** B1, B3 */
const libraryOf = (body) => `// The recorder of a program linked with --profile trace or checked, for emcc --js-library.
// Built from web/src/record/linked by tools/build_recorder.mjs.
mergeInto(LibraryManager.library, {
  $heapglassRecorder: {},
  $startHeapglassRecorder__deps: ['$heapglassRecorder'],
  $startHeapglassRecorder__postset: 'startHeapglassRecorder();',
  $startHeapglassRecorder: function () {
${body}
  },

  heapglass_begin__deps: ['$heapglassRecorder', '$startHeapglassRecorder'],
  heapglass_begin: function (ring, state) {
    return heapglassRecorder.begin(ring, state);
  },
  heapglass_take__deps: ['$heapglassRecorder', '$startHeapglassRecorder'],
  heapglass_take: function (ring, state) {
    heapglassRecorder.take(ring, state);
  },
});
`;

/** B2: throws an Error that shows the line. */
export function checkForEmscripten(text) {
  const read = /^.*(?:^\s*#|\{\{\{|\}\}\}).*$/m.exec(text);
  if (read !== null) throw new Error(`the script has a line that Emscripten's preprocessor reads: ${read[0].trim()}`);
  const refused = firstRefused(parse(text, { ecmaVersion: kYear }));
  if (refused === undefined) return;
  const line = text.slice(0, refused.start).split('\n').length;
  throw new Error(`the script has a ${refused.type}: ${text.split('\n')[line - 1].trim()}`);
}

/** The first node of the tree that Emscripten 3.1.6 cannot take. */
function firstRefused(node) {
  if (Array.isArray(node)) return node.map(firstRefused).find((found) => found !== undefined);
  if (typeof node !== 'object' || node === null) return undefined;
  if (kRefused.test(node.type) || (node.type === 'AssignmentPattern' && hasName(node.right))) return node;
  if (node.type === 'ObjectExpression' && node.properties.some(({ type }) => type === 'SpreadElement')) return node;
  return firstRefused(Object.values(node));
}

function hasName(tree) {
  let found = false;
  eachNode(tree, ({ type }) => {
    if (type === 'Identifier') found = true;
  });
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? join(root, 'build/emscripten');
  console.log(`${writeRecorder(folder)}\n${writeShrink(folder)}`);
}
