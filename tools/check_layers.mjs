// Who may depend on whom: reads every #include of core and programs and every import of web/src and package, and
// reports each that the lists below do not allow. A new edge is a decision: a line here and one in docs/decisions.
// Over 300 lines: mostly the lists.
//
//   node tools/check_layers.mjs      prints the violations; exit code 1 when there are any
//
//   core   abi > small > pool > heap > index > chunk > base     abi > diagnose > malloc > heap
//          small, malloc > threads > platform > base            heap .. abi > trace > platform
//   web    elements > shell > panels > moment > client > protocol > base       shell, panels > map > dom > base
//          panels > parts > protocol      engine > queries > model      queries > parts
//          attach > elements      moment > live > record > wasm, trace
//          engine > scenes > scenarios    engine > wasm, report > answers > model > trace > protocol > base       experiments > wasm       script > wasm
//
//  L1  A file depends on its own folder, on the folders listed for it, and on nothing else of the project.
//  L2  panels are one folder each and do not know each other. The rooms of model go one way: queries > words > time > state.
//  L7  A panel's folder has three layers, by the names of its files: part*.ts is for both sides, query*.ts and worker.ts are
//      the worker's, all others are the page's.
//  L3  The page never holds the engine or the experiments: only client names their worker.ts, by address (?worker&url) or sealed, and only to start it.
//  L4  package holds re-exports only, but for package/cli, the command line, and package/{recorded,vite,webpack,playwright}, which record the modules
//      of pages: they may use Node, and the packages and folders listed for them.
//  L8  extension shows by elements, follows by live, instruments by instrument, and shares package/recorded's names.
//  L5  The core uses no library but the freestanding headers; platform and threads may use the system's, and so may
//      abi/libc_*.cpp and .hpp, which stand in for a part of libc.
//  L6  A public header knows public headers and the standard library. Programs know heapglass by public headers only;
//      the experiments may use the standard library and Boost, watched programs the standard library and what they show.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const kCoreLayers = {
  base: [],
  platform: ['base'],
  trace: ['platform', 'base'], // who acts: thread numbers, and the lock of builds with threads and probes
  threads: ['platform', 'base'],
  chunk: ['base'],
  index: ['chunk', 'base'],
  heap: ['index', 'chunk', 'platform', 'trace', 'base'],
  pool: ['heap', 'chunk', 'platform', 'trace', 'base'],
  small: ['pool', 'heap', 'chunk', 'threads', 'platform', 'trace', 'base'],
  slab: ['heap', 'chunk', 'platform', 'trace', 'base'], // small blocks without headers
  malloc: ['slab', 'heap', 'chunk', 'threads', 'platform', 'trace', 'base'], // size classes with a cache, over the heap
  diagnose: ['malloc', 'heap', 'chunk', 'platform', 'trace', 'base'], // why memory is out, and a warning before
  abi: ['diagnose', 'malloc', 'slab', 'small', 'pool', 'heap', 'index', 'chunk', 'platform', 'trace', 'base'],
};

export const kWebLayers = {
  base: [],
  protocol: ['base'],
  client: ['protocol', 'base'],
  dom: ['base'], // elements made and kept in step, and the palette that they and the canvases share
  map: ['parts', 'dom', 'protocol', 'base'], // what draws or steers the heap map, the strip beside it and the lifetimes
  moment: ['live', 'client', 'protocol', 'base'], // what is shown: state, address, history, the session that answers
  parts: ['protocol', 'base'], // L7: what the two halves of a panel share
  queries: ['answers', 'parts', 'model', 'trace', 'protocol', 'base'], // L7: the worker's half
  panels: ['parts', 'moment', 'map', 'client', 'dom', 'protocol', 'base'], // the page's half
  shell: ['panels', 'parts', 'moment', 'map', 'client', 'dom', 'protocol', 'base'], // bars, layout, keys, notices: the page
  elements: ['shell', 'panels', 'parts', 'moment', 'map', 'live', 'client', 'dom', 'protocol', 'base'], // <hg-glass> and <hg-heap-map>
  live: ['record', 'protocol', 'base'], // a program that runs here, in another window or a worker, shown as it runs
  attach: [
    'elements',
    'shell',
    'panels',
    'moment',
    'dom',
    'live',
    'handles',
    'record',
    'instrument',
    'wasm',
    'trace',
    'protocol',
    'base',
  ], // heapglass/attach: the way from a module to a glass
  wasm: ['protocol', 'base'],
  heap: ['shrink', 'image', 'wasm', 'trace', 'protocol', 'base'], // a traced heap writes its trace file
  shrink: ['image', 'protocol', 'base'], // a linked program moved to another memory, kept as bytes, set back
  image: ['trace', 'protocol', 'base'], // what lives in a memory: copied, written into bytes, compared
  trace: ['protocol', 'base'],
  handles: ['trace', 'base'], // objects in wasm that JavaScript has and nobody deletes: seen at the glue, written by recorders
  record: ['handles', 'wasm', 'trace', 'protocol', 'base'], // the recorder of programs, linked into them too: of wasm what reads a ring
  model: ['parts', 'trace', 'protocol', 'base'],
  symbols: ['trace', 'protocol', 'base'], // names, files and lines of the functions of a wasm file
  instrument: ['symbols', 'handles', 'record', 'trace', 'protocol', 'base'], // finished modules made to record themselves, and what loads them
  answers: ['document', 'parts', 'model', 'trace', 'protocol', 'base'], // the five standing questions, answered from a trace's model
  document: ['base'], // what a command says, and its renderers: text, HTML
  report: ['answers', 'document', 'model', 'trace', 'protocol', 'base'],
  diff: ['document', 'report', 'model', 'base'], // two runs compared by call site
  report_page: ['report', 'base'], // the script inside a report's HTML
  scenarios: ['protocol', 'base'],
  scenes: ['scenarios', 'protocol', 'base'], // lessons, each a scenario with texts and questions
  script: ['wasm', 'protocol', 'base'], // a visitor's script in a worker of its own
  engine: ['queries', 'scenes', 'scenarios', 'wasm', 'answers', 'report', 'model', 'trace', 'protocol', 'base'], // of the report: what counts the program's blocks
  experiments: ['wasm', 'protocol', 'base'],
  replay: ['document', 'report', 'wasm', 'model', 'trace', 'protocol', 'base'], // a program's operations on other allocators, and the report of that
  convert: ['replay', 'report', 'heap', 'wasm', 'model', 'trace', 'protocol', 'base'], // exports, and imports replayed on the traced heap
};

/** L2: the rooms of model, each with those it may depend on. */
export const kModelFolders = {
  state: [], // one moment: what an event changes, and takes back
  time: ['state'], // all moments: fold, keyframes, seek, series
  words: ['time', 'state'], // what happened, in sentences
  queries: ['words', 'time', 'state'], // frames and inspection
};

/** What the command line is made of. */
const kCommandLine = [
  'answers',
  'handles',
  'record',
  'instrument',
  'symbols',
  'replay',
  'document',
  'report',
  'diff',
  'convert',
  'model',
  'trace',
  'protocol',
  'base',
];

/** L4 */
const kPackageParts = {
  cli: { packages: ['commander', 'binaryen'], folders: kCommandLine, parts: ['recorded'] },
  recorded: { packages: ['binaryen'], folders: ['instrument', 'symbols', 'base'], parts: [] }, // modules on their way to a page
  vite: { packages: ['vite'], folders: ['attach', 'live', 'handles', 'instrument', 'base'], parts: ['recorded'] },
  webpack: { packages: ['webpack'], folders: ['attach', 'instrument', 'base'], parts: ['recorded', 'vite'] },
  vitest: { packages: ['vitest'], folders: ['instrument'], parts: ['recorded'] },
  playwright: {
    packages: ['@playwright/test'],
    folders: ['handles', 'instrument', 'record', 'trace', 'base'],
    parts: ['recorded'],
  },
};

/** L8 */
const kExtension = {
  packages: ['binaryen'],
  folders: ['elements', 'handles', 'live', 'instrument', 'base'],
  parts: ['recorded'],
};

/** What client may start. */
const kWorkers = [
  'engine/worker.ts',
  'engine/viewer_worker.ts',
  'engine/map_worker.ts',
  'experiments/worker.ts',
  'script/worker.ts',
];

/** npm packages by folder; a folder that is not listed uses none. */
const kWebPackages = {
  document: /^(@sinclair\/typebox|@fontsource-variable\/.*)$/, // the first in schemas, which are run when the package is built
  convert: /^(apache-arrow|hyparquet-writer|pprof-format|fflate)$/,
  instrument: /^binaryen$/,
  trace: /^fflate$/,
  handles: /^@jridgewell\/trace-mapping$/,
  symbols: /^@jridgewell\/trace-mapping$/,
  dom: /^(d3-(color|interpolate)|gifenc)$/,
  map: /^d3-/,
  replay: /^d3-(scale|shape)$/,
  script: /^acorn$/,
  panels: /^(d3-|@codemirror\/|@lezer\/)/, // CodeMirror: the script's editor, in a chunk of its own
  shell: /^(d3-|@fontsource-variable\/)/,
  report_page: /^(@observablehq\/plot|d3-hierarchy)$/,
};

/** Files outside web/src that a folder may name. */
const kWasm = /^build\/wasm\/([\w-]+\.wasm|(programs|replay)\.json)$/;
const kWebAssets = { wasm: kWasm, experiments: kWasm, panels: /^(docs|README)/ };

const kFreestanding = new Set(
  'cstddef cstdint cstring type_traits new limits bit concepts utility stddef.h stdint.h string.h'.split(' '),
);

const kStandard = /^[a-z_]+(\.h)?$/; // <vector>, <stdint.h>

/** Every violation below `root`, as "file:line: what". */
export function checkLayers(root) {
  return [
    ...checkCore(root),
    ...checkHeaders(root),
    ...checkPrograms(root),
    ...checkWeb(root),
    ...checkPackage(root),
    ...checkExtension(root),
  ];
}

/** Folders that may use the system's headers (L5). */
const kSystemLayers = new Set(['platform', 'threads']);

const isForLibc = (file) => /\babi[/\\]libc_\w+\.[ch]pp$/.test(file);

function checkCore(root) {
  const found = [];
  const source = join(root, 'core/src');
  for (const file of filesBelow(source, /\.(cpp|hpp|h)$/)) {
    const layer = relative(source, file).split(sep)[0];
    const allowed = kCoreLayers[layer];
    const say = reporter(root, file, found);
    if (allowed === undefined) say(1, `no such layer: core/src/${layer}`);
    for (const { line, target, system } of includesOf(file)) {
      if (system) {
        const ours = /^heapglass\//.test(target);
        if (!ours && !kSystemLayers.has(layer) && !isForLibc(file) && !kFreestanding.has(target))
          say(line, `${layer} may not include <${target}>`);
        continue;
      }
      const other = target.split('/')[0];
      if (kCoreLayers[other] === undefined) say(line, `"${target}" names no layer (write "layer/file.hpp")`);
      else if (other !== layer && !allowed?.includes(other)) say(line, `${layer} may not depend on ${other}`);
    }
  }
  return found;
}

function checkHeaders(root) {
  const found = [];
  for (const file of filesBelow(join(root, 'core/include'), /\.(hpp|h)$/)) {
    const say = reporter(root, file, found);
    for (const { line, target, system } of includesOf(file)) {
      const ours = /^heapglass\//.test(target) || (!system && existsSync(join(dirname(file), target)));
      if (!ours && !(system && kStandard.test(target))) say(line, `a public header may not include ${target}`);
    }
  }
  return found;
}

function checkPrograms(root) {
  const found = [];
  for (const file of filesBelow(join(root, 'programs'), /\.(cpp|hpp|h)$/)) {
    const say = reporter(root, file, found);
    const program = relative(join(root, 'programs'), file).split(sep)[0];
    const library = (target) =>
      program === 'experiments'
        ? kStandard.test(target) || /^boost\//.test(target)
        : program === 'watched'
          ? kStandard.test(target)
          : kFreestanding.has(target);
    for (const { line, target, system } of includesOf(file)) {
      const ours = system
        ? /^heapglass\//.test(target) || library(target)
        : existsSync(join(dirname(file), target)) || target.startsWith(`${program}/`);
      if (!ours) say(line, `a program knows heapglass only by its public headers: ${target}`);
    }
  }
  return found;
}

function checkWeb(root) {
  const found = [];
  const source = join(root, 'web/src');
  for (const file of filesBelow(source, /\.(ts|css)$/)) {
    const path = relative(source, file).split(sep);
    const layer = webLayer(path);
    const allowed = kWebLayers[layer];
    const say = reporter(root, file, found);
    if (allowed === undefined) say(1, `no such layer: web/src/${layer}`);
    for (const { line, target, url } of importsOf(file)) {
      if (!target.startsWith('.')) {
        if (!url && !kWebPackages[layer]?.test(target)) say(line, `${layer} may not use the package ${target}`);
        continue;
      }
      const full = resolve(dirname(file), target.replace(/\?.*$/, ''));
      const inside = relative(source, full).split(sep);
      if (inside[0] === '..') {
        const asset = relative(root, full).split(sep).join('/');
        if (!kWebAssets[layer]?.test(asset)) say(line, `${layer} may not name ${asset}`);
        continue;
      }
      const startsWorker =
        /\?(worker&url|sealed)$/.test(target) && layer === 'client' && kWorkers.includes(inside.join('/'));
      const other = webLayer(inside);
      if (other !== layer && !allowed?.includes(other) && !startsWorker)
        say(line, `${layer} may not depend on ${other}`);
      const otherPanel = path[0] === 'panels' && inside[0] === 'panels' && path.length > 2 && inside.length > 2;
      if (otherPanel && inside[1] !== path[1] && other !== 'parts')
        say(line, `the panel ${path[1]} may not know the panel ${inside[1]}`);
      if (
        layer === 'model' &&
        inside[0] === 'model' &&
        inside[1] !== path[1] &&
        !kModelFolders[path[1]]?.includes(inside[1])
      )
        say(line, `model/${path[1]} may not depend on model/${inside[1]}`);
    }
  }
  return found;
}

/** L7 */
function webLayer(path) {
  const name = path.at(-1);
  if (path[0] !== 'panels') return path[0];
  if (path.length > 2 && /^part\w*\.ts$/.test(name)) return 'parts';
  return /^query\w*\.ts$/.test(name) || path.join('/') === 'panels/worker.ts' ? 'queries' : 'panels';
}

function checkPackage(root) {
  const found = [];
  for (const file of filesBelow(join(root, 'package'), /(?<!\.d)\.ts$/)) {
    const say = reporter(root, file, found);
    const part = relative(root, file).split(sep)[1];
    if (kPackageParts[part] !== undefined) {
      checkPart(root, file, part, say);
      continue;
    }
    const rest = withoutComments(readFileSync(file, 'utf8'), /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g)
      .replace(/export\s+(type\s+)?(\*(\s+as\s+\w+)?|\{[^}]*\})\s+from\s+'[^']+';/g, '')
      .replace(/import\s+'[^']+';/g, '')
      .trim();
    if (rest !== '') say(1, `package holds re-exports only, found: ${rest.split('\n')[0]}`);
  }
  return found;
}

function checkExtension(root) {
  const found = [];
  for (const file of filesBelow(join(root, 'extension'), /(?<!\.d)\.ts$/))
    checkPart(root, file, 'extension', reporter(root, file, found), kExtension);
  return found;
}

const shownPart = (part) => (part === 'extension' ? part : `package/${part}`);

function checkPart(root, file, part, say, { packages, folders, parts } = kPackageParts[part]) {
  for (const { line, target } of importsOf(file)) {
    if (!target.startsWith('.')) {
      if (!target.startsWith('node:') && !packages.includes(target))
        say(line, `${shownPart(part)} may not use the package ${target}`);
      continue;
    }
    const [top, source, folder] = relative(root, resolve(dirname(file), target)).split(sep);
    const allowed =
      top === part ||
      (top === 'package' ? source === part || parts.includes(source) : source === 'src' && folders.includes(folder));
    if (!allowed) say(line, `${shownPart(part)} may not depend on ${target}`);
  }
}

function includesOf(file) {
  const text = withoutComments(readFileSync(file, 'utf8'), /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g);
  return [...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)/gm)].map((match) => ({
    line: lineOf(text, match.index),
    target: match[1] ?? match[2],
    system: match[2] !== undefined,
  }));
}

function importsOf(file) {
  const text = withoutComments(readFileSync(file, 'utf8'), /\/\*[\s\S]*?\*\/|^\s*\/\/[^\n]*/gm);
  const patterns = [
    [/\b(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/g, false],
    [/(?:^|[;}\s])(?:@?import)\s*\(?\s*(?:url\()?['"]([^'"]+)['"]/g, false],
    [/\bnew URL\(\s*['"]([^'"]+)['"]\s*,\s*import\.meta\.url/g, true],
  ];
  return patterns.flatMap(([pattern, url]) =>
    [...text.matchAll(pattern)].map((match) => ({ line: lineOf(text, match.index), target: match[1], url })),
  );
}

// Comments become spaces, so that lines keep their numbers.
function withoutComments(text, pattern) {
  return text.replace(pattern, (comment) => comment.replace(/[^\n]/g, ' '));
}

function lineOf(text, index) {
  return text.slice(0, index).split('\n').length;
}

function reporter(root, file, found) {
  return (line, what) => found.push(`${relative(root, file).split(sep).join('/')}:${line}: ${what}`);
}

function filesBelow(folder, pattern) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = checkLayers(fileURLToPath(new URL('..', import.meta.url)));
  for (const violation of found) console.error(violation);
  console.log(`layers: ${found.length} violations`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
