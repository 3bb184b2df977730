#!/usr/bin/env node
// A WebDriver for Firefox where geckodriver is not installed. Firefox has the commands itself, behind a protocol of its own (Marionette);
// what geckodriver adds is HTTP. This adds as much of it as these tests use.
//
//   test ── HTTP, W3C WebDriver ──▶ this ── Marionette over TCP ──▶ Firefox        log events: WebSocket, straight to Firefox
//
//   FD1  Started and asked as geckodriver is: --port=, --websocket-port=, one session, moz:firefoxOptions { binary, args, prefs }.
//   FD2  A message of Marionette is its length, a colon and JSON: [0, id, command, parameters], answered by [1, id, error, result].

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const option = (name) => Number(process.argv.find((one) => one.startsWith(`--${name}=`))?.split('=')[1]);

/** Method and path below /session/ID; `:id` is the element's. What is given goes through `given`, if there is such. */
const kCommands = [
  ['POST', 'url', 'WebDriver:Navigate'],
  ['GET', 'url', 'WebDriver:GetCurrentURL'],
  ['GET', 'title', 'WebDriver:GetTitle'],
  ['GET', 'window', 'WebDriver:GetWindowHandle'],
  ['GET', 'window/rect', 'WebDriver:GetWindowRect'],
  ['POST', 'window/rect', 'WebDriver:SetWindowRect'],
  [
    'POST',
    'frame',
    'WebDriver:SwitchToFrame',
    ({ id }) => (id === null || typeof id === 'number' ? { id } : { element: elementOf(id) }),
  ],
  ['POST', 'execute/sync', 'WebDriver:ExecuteScript'],
  ['POST', 'execute/async', 'WebDriver:ExecuteAsyncScript'],
  ['POST', 'element/:id/click', 'WebDriver:ElementClick'],
  ['POST', 'element/:id/value', 'WebDriver:ElementSendKeys'],
  ['POST', 'actions', 'WebDriver:PerformActions'],
  ['DELETE', 'actions', 'WebDriver:ReleaseActions'],
  ['GET', 'screenshot', 'WebDriver:TakeScreenshot', () => ({ full: false })],
  ['GET', 'timeouts', 'WebDriver:GetTimeouts'],
  ['POST', 'timeouts', 'WebDriver:SetTimeouts'],
];
const kPatience = 60_000;

/** The reference to an element in JSON has one name, which the standard gives. */
const elementOf = (reference) => Object.values(reference)[0];

/** @returns {{ command: string, parameters: object } | undefined} */
function commandOf(method, path, body) {
  for (const [ofMethod, pattern, command, given] of kCommands) {
    const found = ofMethod === method && new RegExp(`^${pattern.replace(':id', '([^/]+)')}$`).exec(path);
    if (!found) continue;
    const parameters = given === undefined ? body : given(body);
    return { command, parameters: found[1] === undefined ? parameters : { ...parameters, id: found[1] } };
  }
  return undefined;
}

function freePort() {
  return new Promise((done) => {
    const server = createTcpServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** FD2 */
async function openMarionette(port, hasEnded) {
  const socket = await connected(port, hasEnded);
  const waiting = new Map();
  let rest = Buffer.alloc(0);
  let last = 0;
  socket.on('data', (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const colon = rest.indexOf(':');
      const end = colon + 1 + Number(rest.subarray(0, Math.max(colon, 0)).toString());
      if (colon < 0 || rest.length < end) return;
      const message = JSON.parse(rest.subarray(colon + 1, end).toString());
      rest = rest.subarray(end);
      if (!Array.isArray(message)) continue; // the greeting
      const [, id, error, result] = message;
      waiting.get(id)?.(error === null ? { result } : { error });
      waiting.delete(id);
    }
  });
  socket.on('close', () => {
    for (const answer of waiting.values()) answer({ error: { error: 'unknown error', message: 'Firefox has ended' } });
    waiting.clear();
  });
  return (command, parameters) =>
    new Promise((answer) => {
      const text = JSON.stringify([0, ++last, command, parameters]);
      waiting.set(last, answer);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
}

/** Firefox listens some time after it was started. */
async function connected(port, hasEnded) {
  for (const over = Date.now() + kPatience; Date.now() < over && !hasEnded(); ) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise((done) =>
      socket.once('connect', () => done(true)).once('error', () => done(false)),
    );
    if (isOpen) return socket;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error('Firefox listens to nobody');
}

/** FD1 */
async function startFirefox({ binary, args = [], prefs = {} }, webSocketPort) {
  const profile = mkdtempSync(join(tmpdir(), 'heapglass-firefox-'));
  const port = await freePort();
  const all = { ...prefs, 'marionette.port': port, 'remote.log.level': 'Error', 'app.update.enabled': false };
  const lines = Object.entries(all).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join(''));
  const own = ['--marionette', '--no-remote', '--profile', profile, `--remote-debugging-port=${webSocketPort}`];
  const browser = spawn(binary, [...args, ...own], { stdio: 'ignore', env: { ...process.env, HOME: profile } }); // root has no session of its own
  const ended = new Promise((done) => browser.once('exit', done).once('error', done));
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const close = async () => {
    browser.kill();
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    return { send: await openMarionette(port, () => isOver), close };
  } catch (error) {
    await close();
    throw error;
  }
}

let firefox;

async function newSession({ capabilities: { alwaysMatch = {}, firstMatch = [{}] } }) {
  if (firefox !== undefined) return { error: { error: 'session not created', message: 'there is one' } };
  const { 'moz:firefoxOptions': options, browserName: _, ...wanted } = { ...alwaysMatch, ...firstMatch[0] };
  firefox = await startFirefox(options, option('websocket-port'));
  return await firefox.send('WebDriver:NewSession', wanted);
}

async function endSession() {
  await firefox?.close();
  firefox = undefined;
  return { result: null };
}

async function answerTo(method, path, body) {
  if (path === '/status') return { result: { ready: firefox === undefined, message: '' } };
  if (method === 'POST' && path === '/session') return await newSession(body);
  const [, below] = /^\/session\/[^/]+\/?(.*)$/.exec(path) ?? [];
  if (method === 'DELETE' && below === '') return await endSession();
  const found = below === undefined || firefox === undefined ? undefined : commandOf(method, below, body);
  if (found === undefined) return { error: { error: 'unknown command', message: `${method} ${path}` } };
  return await firefox.send(found.command, found.parameters);
}

/** A single value comes in an object already. */
const answerIn = (result) => (result !== null && Object.keys(result).join() === 'value' ? result.value : result);

createServer((request, response) => {
  const parts = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', async () => {
    const text = Buffer.concat(parts).toString();
    const given = await answerTo(request.method, request.url, text === '' ? {} : JSON.parse(text)).catch((error) => {
      return { error: { error: 'unknown error', message: String(error) } };
    });
    const value = given.error === undefined ? answerIn(given.result) : { stacktrace: '', ...given.error };
    response.writeHead(given.error === undefined ? 200 : 500, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ value: value ?? null }));
  });
}).listen(option('port'), '127.0.0.1');
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => endSession().then(() => process.exit(0)));
