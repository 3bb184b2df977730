// npm start: everything from a clean clone to the visualizer's address.
//
//   npm start                 builds what changed, builds the page, serves it
//   npm start -- --dev        serves the sources with hot reload instead
//   npm start -- --port 8080  on a port of one's own (else 4173, or the next free one)

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ensure } from './setup.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const begun = performance.now();
const kHost = '127.0.0.1'; // this machine only; a name might not resolve everywhere
const dev = process.argv.includes('--dev');
const port = Number(process.argv[process.argv.indexOf('--port') + 1]) || 4173;

await step('node packages', () => ensure('packages'));
await step('toolchain', () => ensure('emcc', 'cargo')); // cargo fetches SQLite's sources, with which the page opens
await step('boost headers', () => ensure('boost')); // for the experiments with Boost's containers
await step('wasm', () => command('./wasm-build.sh'));
await step('event layout', () => command(process.execPath, 'tools/gen_event_layout.mjs'));
const server = await step(dev ? 'server' : 'page', serve);
console.log(`ready after ${seconds(begun)}`);
console.log(`heapglass: ${server.resolvedUrls.local[0]}`);

async function serve() {
  const vite = await import('vite'); // not there before the first step
  const options = { root: `${root}web`, configFile: `${root}vite.config.ts`, logLevel: 'warn' };
  if (dev) return await (await vite.createServer({ ...options, server: { host: kHost, port } })).listen();
  await vite.build(options);
  return await vite.preview({ ...options, preview: { host: kHost, port } });
}

async function step(name, work) {
  const from = performance.now();
  try {
    const result = await work();
    console.log(`${name}: ${seconds(from)}`);
    return result;
  } catch (error) {
    console.error(`${name} failed: ${error.message}`);
    process.exit(3);
  }
}

function command(program, ...options) {
  const { status } = spawnSync(program, options, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function seconds(from) {
  return `${((performance.now() - from) / 1000).toFixed(1)} s`;
}
