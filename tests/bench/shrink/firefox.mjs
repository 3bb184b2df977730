// The scene in a page of a Firefox of its own, headless and without a driver: the page asks the server for the next call, and posts the answer.
//
//   GET /next ─▶ { name, given }        POST /answer { value } or { error }

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultsOf, largestOf, residentOf, settled, typeOf } from './resident.mjs';

const kPage = `<!doctype html><title>held</title><script src="/scene.js"></script><script src="/held.js"></script><script type="module">
const call = ({ name, given }) => name === 'start'
  ? heldScene.start(given[0], () => heldProgram(), '/heapglass-release.wasm')
  : heldScene[name](...given);
for (;;) {
  const next = await (await fetch('/next')).json();
  const answer = await Promise.resolve().then(() => call(next)).then((value) => ({ value }), (error) => ({ error: String(error) }));
  await fetch('/answer', { method: 'POST', body: JSON.stringify(answer) });
}
</script>`;

function commandOf() {
  const folders = (process.env.PATH ?? '').split(':');
  const has = (folder, name) => {
    try {
      return readdirSync(folder).includes(name);
    } catch {
      return false;
    }
  };
  return ['firefox-esr', 'firefox'].find((name) => folders.some((folder) => has(folder, name)));
}

/** Processes below one, from /proc. */
function descendantsOf(pid) {
  const parents = new Map();
  for (const name of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, parent] = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8')) ?? [];
      parents.set(Number(name), Number(parent));
    } catch {} // it has ended
  }
  const isBelow = (at) => at !== undefined && (at === pid || isBelow(parents.get(at)));
  return [...parents.keys()].filter((at) => at !== pid && isBelow(parents.get(at)));
}

/** Undefined: no Firefox here. */
export async function openFirefox({ folder, wasmFolder }) {
  const command = commandOf();
  if (command === undefined) return undefined;
  const calls = [];
  let asking; // the page's response that waits for a call
  let answered;
  const hand = () => {
    if (asking === undefined || calls.length === 0) return;
    asking.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(calls.shift()));
    asking = undefined;
  };
  const server = createServer((request, response) => {
    const name = (request.url ?? '/').slice(1);
    if (name === '') return response.writeHead(200, { 'Content-Type': 'text/html' }).end(kPage);
    if (name === 'next') {
      asking = response;
      return hand();
    }
    if (name === 'answer') {
      let text = '';
      request.on('data', (part) => (text += part));
      return request.on('end', () => {
        response.end();
        answered(JSON.parse(text));
      });
    }
    for (const from of [folder, wasmFolder]) {
      try {
        const bytes = readFileSync(join(from, name));
        return response.writeHead(200, { 'Content-Type': typeOf(name) }).end(bytes);
      } catch {} // it may lie in the next one
    }
    return response.writeHead(404).end();
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const profile = mkdtempSync(join(tmpdir(), 'heapglass-firefox-'));
  const given = ['--headless', '--no-remote', '--profile', profile, `http://127.0.0.1:${server.address().port}/`];
  const browser = spawn(command, given, { stdio: 'ignore', env: { ...process.env, HOME: profile } });
  const call = (name, ...args) =>
    new Promise((done, failed) => {
      answered = ({ value, error }) => (error === undefined ? done(value) : failed(new Error(error)));
      browser.once('exit', (code) => failed(new Error(`Firefox ended with ${code}`)));
      calls.push({ name, given: args });
      hand();
    });
  const residentNow = async () =>
    Math.max(
      ...descendantsOf(browser.pid)
        .map((pid) => residentOf(pid))
        .filter((megabytes) => megabytes > 0),
    );
  return {
    name: 'Firefox',
    start: (kind) => call('start', kind),
    call,
    residentNow,
    faults: async () => faultsOf(largestOf(descendantsOf(browser.pid))),
    resident: () => settled(residentNow),
    close: async () => {
      browser.removeAllListeners('exit');
      const ended = new Promise((done) => browser.once('exit', done));
      browser.kill();
      await ended;
      server.closeAllConnections();
      server.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
