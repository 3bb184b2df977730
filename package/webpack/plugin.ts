// The plugin for webpack 5: the wasm that it emits records its heap, and so does what page and workers load of it.
//
//   entries of pages ─▶ one entry more, before all others: the recorder, and the key's dock
//   workers          ─▶ the same as text before their first file: webpack has no entry that is everybody's there
//   *.wasm           ─▶ recorded_wasm.ts, before webpack gives files their checksums
//
//   pack.1  In development everything is recorded; in any other mode a sample, where record: 'sampled' says so; else nothing is changed.
//   pack.2  Only what webpack emits for a script of its own: a file that a plugin copies may be loaded by any script, and an instrumented
//           module does not load without a recorder. It is left as it is, and that is said.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Compilation, Compiler } from 'webpack';
import { packaged, pageScript, recordersScript } from '../recorded/page_scripts.ts';
import { checkPluginOptions, type HeapglassOptions, kKeyInDevelopment, kSample } from '../recorded/plugin_options.ts';
import { makeRecorded, type Recorded } from '../recorded/recorded_wasm.ts';

const kName = 'heapglass';

/** Put it into `plugins` of webpack's configuration. Throws a TypeError when an option is none, or has a value that it cannot have. */
export function heapglass(options: HeapglassOptions = {}): { apply(compiler: unknown): void } {
  checkPluginOptions(options);
  return { apply: (compiler) => applyTo(compiler as Compiler, options) };
}

function applyTo(compiler: Compiler, { record = true, key, sample, ...given }: HeapglassOptions): void {
  const isDevelopment = compiler.options.mode === 'development';
  if (isDevelopment ? record === false : record !== 'sampled') return; // pack.1
  const keyHere = key ?? (isDevelopment ? kKeyInDevelopment : undefined);
  const how = isDevelopment ? given : { ...given, sample: sample ?? kSample };
  const { EntryPlugin, Compilation: Stages } = compiler.webpack;
  const first = keyHere === undefined ? recordersScript() : pageScript(keyHere);
  new EntryPlugin(compiler.context, `data:text/javascript,${encodeURIComponent(first)}`, {}).apply(compiler);
  const inWorkers = packaged(`package/webpack/${keyHere === undefined ? 'recorders' : 'worker'}.text.js`);
  const cache = join(compiler.context, 'node_modules/.cache/heapglass');
  compiler.hooks.thisCompilation.tap(kName, (compilation) => {
    const logger = compilation.getLogger(kName);
    const recorded = makeRecorded({ ...how, isBundled: true }, cache, {
      note: (text) => logger.info(text),
      warn: (text) => void compilation.warnings.push(new compiler.webpack.WebpackError(`${kName}: ${text}`)),
    });
    const stage = Stages.PROCESS_ASSETS_STAGE_ADDITIONS;
    compilation.hooks.processAssets.tapPromise({ name: kName, stage }, async () => {
      startWorkersWith(readFileSync(inWorkers, 'utf8'), compilation);
      await exchangeWasm(compilation, recorded);
    });
  });
}

function startWorkersWith(text: string, compilation: Compilation): void {
  const { ConcatSource } = compilation.compiler.webpack.sources;
  for (const worker of compilation.asyncEntrypoints)
    for (const file of worker.getEntrypointChunk().files)
      if (/\.[cm]?js$/.test(file)) compilation.updateAsset(file, (before) => new ConcatSource(text, '\n', before));
}

async function exchangeWasm(compilation: Compilation, recorded: Recorded): Promise<void> {
  const { compiler } = compilation;
  const { RawSource } = compiler.webpack.sources;
  for (const { name, source, info } of compilation.getAssets()) {
    if (!name.endsWith('.wasm')) continue;
    if (info.copied === true) {
      compilation.getLogger(kName).warn(`${name} was copied by a plugin and is left as it is`); // pack.2
      continue;
    }
    const file = info.sourceFilename === undefined ? undefined : resolve(compiler.context, info.sourceFilename);
    const before = source.buffer();
    const after = await recorded(before, name, file);
    if (after !== before) compilation.updateAsset(name, new RawSource(Buffer.from(after)));
  }
}
