// A build that samples: the wasm that it emits is exchanged, and each of its scripts that begins a page or a worker has the recorder first.
//
//   entry of a page, of a worker ─▶ import of the recorder before it        *.wasm that is emitted ─▶ recorded_wasm.ts ─▶ another name
//
//   build.1  Only what the build emits: its scripts have the recorder. A file of the public folder may be loaded by any script, and an
//            instrumented module does not load without a recorder; so it is left as it is, and that is said.
//   build.2  A name with a checksum stands for the same bytes for ever. So the exchanged module has another name, as long as the old
//            one (source maps stay right), and each chunk's checksum knows of the options.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Plugin, ResolvedConfig, Rolldown } from 'vite';
import { type HeapglassOptions, kSample } from '../recorded/plugin_options.ts';
import { formOf, makeRecorded, type Recorded, type WasmOptions } from '../recorded/recorded_wasm.ts';

type Bundle = Rolldown.OutputBundle;
type Asset = Rolldown.OutputAsset;

/** Modules that are no files. */
export interface VirtualModules {
  resolveId(id: string): string | undefined;
  load(id: string): string | undefined;
}

export const kVirtual = 'virtual:heapglass/';
const kChecksum = 8; // letters: as many as bundlers give

/** Instruments, and says in the terminal what was done and what was not. */
export function recordedBy(
  { record: _, key, ...options }: HeapglassOptions & Pick<WasmOptions, 'isBundled'>,
  { logger, cacheDir }: ResolvedConfig,
): Recorded {
  return makeRecorded(options, join(cacheDir, 'heapglass'), {
    note: (text) => logger.info(`heapglass: ${text}`, { timestamp: true }),
    warn: (text) => logger.warn(`heapglass: ${text}`, { timestamp: true }),
  });
}

export function sampledBuild(options: HeapglassOptions, modules: VirtualModules): Plugin {
  const sampling: HeapglassOptions = { ...options, sample: options.sample ?? kSample };
  let config: ResolvedConfig | undefined; // while it samples
  const entriesOf = (bundle: 'page' | 'worker'): Pick<Plugin, 'transform' | 'augmentChunkHash'> => ({
    transform: {
      order: 'post', // by then a page of HTML is a script
      handler(code, id) {
        if (config === undefined || this.getModuleInfo(id)?.isEntry !== true) return undefined;
        const first = options.key === undefined ? 'recorders' : bundle; // only the dock asks for workers
        return { code: `import '${kVirtual}${first}'; ${code}`, map: null };
      },
    },
    augmentChunkHash: () => (config === undefined ? undefined : formOf(sampling)), // build.2
  });
  return {
    name: 'heapglass:build',
    apply: ({ build }, { command }) => command === 'build' && !build?.ssr,
    config: () => ({ worker: { plugins: () => [{ name: 'heapglass:worker', ...modules, ...entriesOf('worker') }] } }),
    configResolved(resolved) {
      config = resolved;
      saidOfPublic(resolved);
    },
    ...entriesOf('page'),
    generateBundle: {
      order: 'post', // by then the bundles of workers are in it
      async handler(_, bundle) {
        if (config === undefined) return;
        for (const one of await exchangeWasm(bundle, recordedBy({ ...sampling, isBundled: true }, config), config.root))
          this.emitFile({ type: 'asset', ...one });
      },
    },
  };
}

/** What is emitted for each module that is exchanged. */
interface Exchanged {
  readonly fileName: string;
  readonly source: Uint8Array;
}

/** Exchanges the wasm of a bundle; returns what is to be emitted. */
async function exchangeWasm(bundle: Bundle, recorded: Recorded, root: string): Promise<readonly Exchanged[]> {
  const emitted: Exchanged[] = [];
  const renamed = new Map<string, string>();
  for (const asset of Object.values(bundle)) {
    if (asset.type !== 'asset' || !asset.fileName.endsWith('.wasm') || typeof asset.source === 'string') continue;
    const [original] = asset.originalFileNames;
    const file = original === undefined ? undefined : resolve(root, original);
    const source = await recorded(asset.source, asset.fileName, file);
    if (source === asset.source) continue;
    const fileName = newName(asset, source);
    if (fileName === asset.fileName) {
      asset.source = source;
      continue;
    }
    renamed.set(basename(asset.fileName), basename(fileName));
    delete bundle[asset.fileName];
    emitted.push({ fileName, source });
  }
  if (renamed.size > 0) for (const one of Object.values(bundle)) rename(one, renamed);
  return emitted;
}

/** build.2: the same where the name has no checksum. */
function newName({ fileName, names }: Asset, source: Uint8Array): string {
  const name = basename(fileName);
  if (names.includes(name)) return fileName;
  const stem = name.slice(0, -'.wasm'.length);
  const checksum = createHash('sha256').update(source).digest('hex').slice(0, kChecksum);
  return join(dirname(fileName), `${stem.slice(0, -kChecksum)}${checksum}.wasm`);
}

function rename(one: Bundle[string], renamed: ReadonlyMap<string, string>): void {
  const text = one.type === 'chunk' ? one.code : one.source;
  if (typeof text !== 'string') return;
  let now = text;
  for (const [before, after] of renamed) now = now.replaceAll(before, after);
  if (now === text) return;
  if (one.type === 'chunk') one.code = now;
  else one.source = now;
}

/** build.1 */
function saidOfPublic({ publicDir, build, logger }: ResolvedConfig): void {
  if (publicDir === '' || !build.copyPublicDir || !existsSync(publicDir)) return;
  const left = readdirSync(publicDir, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.wasm'));
  if (left.length === 0) return;
  const [lie, are] = left.length === 1 ? ['lies', 'is'] : ['lie', 'are'];
  logger.warn(
    `heapglass: ${left.sort().join(', ')} ${lie} in the public folder and ${are} left as ${left.length === 1 ? 'it is' : 'they are'}: import the address, as in import url from './app.wasm?url', to record it`,
  );
}
