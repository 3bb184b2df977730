// Builds the command heapglass with all it needs beside it, below a folder with the shape of the package's dist/:
//
//   bin/heapglass.mjs      package/cli, with its packages inside; other parts of it in files of their own, loaded when needed
//   bin/record_instrumented.mjs  what run loads into a program before it begins
//   bin/run_watch.mjs      the process that outlives run where that is killed
//   bin/report_page.js     the script inside a report's page
//   bin/*_schema.json      what report, diff and replay write with --json, made from web/src/*/*_schema.ts
//   build/wasm/replay-*    the modules that replay runs on
//   site/                  the glass's page, which view serves
//
//   B1  The wasm modules that it may load are found by the address they have in dist/build/wasm.

import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'esbuild';
import { build as buildPage } from 'vite';
import { recordBundled, recordMetafile } from './third_party.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** How the command line's modules become a file for Node. */
const kNodeBundle = {
  external: ['binaryen'],
  loader: /** @type {const} */ ({ '.css': 'text', '.svg': 'text', '.woff2': 'dataurl' }), // tokens.css?raw, icon.svg?raw and fonts?inline, for the pages that it writes
  bundle: true,
  format: /** @type {const} */ ('esm'),
  platform: /** @type {const} */ ('node'),
  // Packages written for require() find Node's own modules by it.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module';\nconst require = makeRequire(import.meta.url);",
  },
};

/**
 * A program that uses the command line's modules, beside what they find beside themselves: for fuzzing.
 * @param {string} folder @param {string} entry @param {string} outfile below the folder's bin @param {import('esbuild').Plugin[]} [plugins]
 */
export async function buildBesideCommandLine(folder, entry, outfile, plugins = []) {
  await buildCommandLine(folder, { page: false });
  await bundle({
    ...kNodeBundle,
    entryPoints: [entry],
    outfile,
    plugins: [wasmBesideBin(), ...plugins],
    logLevel: 'error',
  });
}

/** @param {string} folder @param {{ page?: boolean }} [parts] page: the site too, which takes some seconds */
export async function buildCommandLine(folder, { page = true } = {}) {
  const dist = resolve(folder);
  const bin = join(dist, 'bin');
  mkdirSync(bin, { recursive: true });
  const command = await bundle({
    entryPoints: {
      heapglass: join(root, 'package/cli/main.ts'),
      record_instrumented: join(root, 'package/cli/record_instrumented.ts'),
      run_watch: join(root, 'package/cli/run_watch.ts'),
    },
    ...kNodeBundle,
    outdir: bin,
    outExtension: { '.js': '.mjs' },
    chunkNames: '[name]-[hash]',
    splitting: true,
    target: 'node20',
    legalComments: 'inline',
    banner: { js: `#!/usr/bin/env node\n${kNodeBundle.banner.js}` },
    plugins: [wasmBesideBin()],
    metafile: true,
    logLevel: 'warning',
  });
  recordMetafile(command.metafile);
  chmodSync(join(bin, 'heapglass.mjs'), 0o755);
  const reportPage = await bundle({
    entryPoints: { report_page: join(root, 'web/src/report_page/main.ts') },
    outdir: bin,
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    legalComments: 'inline',
    metafile: true,
    logLevel: 'warning',
  });
  recordMetafile(reportPage.metafile);
  await writeSchemas(bin);
  copyReplayModules(join(dist, 'build/wasm'));
  if (!page) return;
  await buildPage({
    configFile: join(root, 'vite.config.ts'),
    root: join(root, 'web'),
    logLevel: 'warn',
    plugins: [withoutPrograms(), recordBundled()],
    worker: { plugins: () => [withoutPrograms(), recordBundled()] },
    build: { outDir: join(dist, 'site'), emptyOutDir: true },
  });
}

/** What each command writes with --json, for other programs. */
async function writeSchemas(target) {
  const schemas = { report: 'kReportSchema', answers: 'kAnswersSchema', diff: 'kDiffSchema', replay: 'kReplaySchema' };
  const lines = Object.entries(schemas).map(
    ([name, schema]) => `export { ${schema} as ${name} } from './web/src/${name}/${name}_schema.ts';`,
  );
  const { outputFiles } = await bundle({
    stdin: { contents: lines.join('\n'), resolveDir: root, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  const made = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
  for (const name of Object.keys(schemas))
    writeFileSync(join(target, `${name}_schema.json`), `${JSON.stringify(made[name], undefined, 2)}\n`);
}

/** What replay carries operations out on. */
function copyReplayModules(target) {
  mkdirSync(target, { recursive: true });
  const built = join(root, 'build/wasm');
  const names = readdirSync(built).filter((name) => /^replay(-[\w-]+\.wasm|\.json)$/.test(name));
  for (const name of names) copyFileSync(join(built, name), join(target, name));
}

/** The package's page shows traces; SQLite and others are not part of the package, nor are their licences. */
function withoutPrograms() {
  const why = 'the installed package does not bring it; a clone of the project builds it';
  const text = `
    const none = () => { throw new Error(${JSON.stringify(why)}); };
    export const kTextPrograms = { sqlite: none, lua: none, quickjs: none };
    export const readAvailability = async () => ({ sqlite: why, lua: why, quickjs: why });
    const why = ${JSON.stringify(why)};`;
  return {
    name: 'without-programs',
    enforce: 'pre',
    /** @param {string} id */
    load: (id) => (id.endsWith('web/src/wasm/program_artefacts.ts') ? text : undefined),
  };
}

/** B1: sources name a module from web/src/<room>, three folders below the root; the bundle lies one folder below dist. */
function wasmBesideBin() {
  return {
    name: 'wasm-beside-bin',
    /** @param {import('esbuild').PluginBuild} build */
    setup(build) {
      build.onLoad({ filter: /web[/\\]src[/\\]wasm[/\\][\w]+\.ts$/ }, ({ path }) => {
        const contents = readFileSync(path, 'utf8');
        return { contents: contents.replaceAll("'../../../build/wasm/", "'../build/wasm/"), loader: 'ts' };
      });
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildCommandLine(process.argv[2] ?? join(root, 'dist'), { page: !process.argv.includes('--no-page') });
}
