// What strangers try with attach: windows and frames of another origin that know the id, and greetings that are forged or come again.
//
// A call or a greeting that is ignored leaves no trace, so each test waits until the other side has received it, and for a message
// that was sent later by the same side.

import type { BrowserContext, Frame, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { kEvery } from '../every.ts';
import type { Opened, Pages } from './pages.ts';
import { openGlass, verifiedAt, wait } from './window_cases.ts';

const kStranger = 'http://stranger.example/';
const kCaller = '0'.repeat(32);

interface Received {
  readonly origin: string;
  readonly data: { readonly heapglass?: string; readonly caller?: string; readonly name?: string } & object;
}
type Noting = typeof globalThis & { readonly received: Received[] };

/** The stranger's address answers with an empty page, and every page notes what it receives. */
async function prepare({ context, page }: Opened): Promise<void> {
  await context.route(`${kStranger}**`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>A stranger</title>' }),
  );
  const note = () => {
    const received: Received[] = [];
    addEventListener('message', ({ origin, data }) => received.push({ origin, data }));
    Object.assign(globalThis, { received });
  };
  await context.addInitScript(note);
  await page.evaluate(note);
}

const receivedBy = (at: Page | Frame) => at.evaluate(() => (globalThis as unknown as Noting).received);
const idOf = (glass: Page): string => decodeURIComponent(/#live=(.*)$/.exec(glass.url())?.[1] ?? '');

/** A frame of the stranger's inside the program's page. */
async function strangeFrame(page: Page): Promise<Frame> {
  await page.evaluate((address) => {
    document.body.append(Object.assign(document.createElement('iframe'), { src: address, name: 'stranger' }));
  }, kStranger);
  await expect.poll(() => page.frame('stranger')?.url(), wait).toBe(kStranger);
  const frame = page.frame('stranger');
  if (frame === null) throw new Error('no frame');
  await frame.waitForLoadState();
  return frame;
}

/** A frame of the page's own origin: it reaches the windows that the page has opened, and is not the page. */
async function ownFrame(page: Page): Promise<Frame> {
  await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement('iframe'), { name: 'own' }));
  });
  const frame = page.frame('own');
  if (frame === null) throw new Error('no frame');
  return frame;
}

/** A window of the stranger's that the program's page has opened, as by a link. */
async function strangeWindow(context: BrowserContext, page: Page): Promise<Page> {
  const [opened] = await Promise.all([
    context.waitForEvent('page'),
    page.evaluate((address) => void Object.assign(globalThis, { opened: open(address) }), kStranger),
  ]);
  await opened.waitForURL(kStranger);
  return opened;
}

/** A glass of the page's origin, which calls for `id`; the page does not answer by itself. */
async function unansweredGlass({ page, context }: Opened, id: string): Promise<Page> {
  const address = await page.evaluate<string>(
    // as text: Vitest rewrites an import
    `import('./node_modules/heapglass/dist/attach/glass.js').then(({ default: html }) =>
      URL.createObjectURL(new Blob([html], { type: 'text/html' })))`,
  );
  const [glass] = await Promise.all([
    context.waitForEvent('page'),
    page.evaluate(
      ([url, known]) => void Object.assign(globalThis, { opened: open(`${url}#live=${known}`, 'the-glass') }),
      [address, id] as const,
    ),
  ]);
  await expect.poll(() => receivedBy(page), wait).not.toEqual([]); // it calls
  return glass;
}

/** The stranger calls the program's page and gets no greeting, neither by the window nor by the channel. */
async function expectSilence(
  page: Page,
  stranger: Page | Frame,
  target: 'parent' | 'opener',
  id: string,
): Promise<void> {
  const call = { heapglass: 'glass', id, caller: kCaller };
  await stranger.evaluate(
    ([to, message]) => {
      const channel = new BroadcastChannel(`heapglass-${message.id}`);
      channel.onmessage = ({ data }) => (globalThis as unknown as Noting).received.push({ origin: 'channel', data });
      channel.postMessage(message);
      (globalThis[to] as Window).postMessage(message, '*');
    },
    [target, call] as const,
  );
  const origin = new URL(kStranger).origin;
  await expect.poll(() => receivedBy(page), wait).toContainEqual({ origin, data: call });
  // Whatever the page sent is ahead of this.
  await page.evaluate(() => {
    const { opened } = globalThis as unknown as { opened?: Window };
    for (const window of [opened, frames[0]]) window?.postMessage({ last: true }, '*');
  });
  await expect.poll(async () => (await receivedBy(stranger)).length, wait).toBe(1);
  expect((await receivedBy(stranger))[0]?.data).toEqual({ last: true });
}

/** The cases; `started` gives the pages, which the test file starts and ends. */
export function testStrangers(started: () => Pages): void {
  test('a frame of another origin that knows the id gets no answer', async () => {
    const opened = await started().open('page.html');
    await prepare(opened);
    const glass = await openGlass(opened, { show: 'tab', title: 'Mine' });
    await expect.poll(() => verifiedAt(glass), wait).toBeGreaterThan(500);
    await expectSilence(opened.page, await strangeFrame(opened.page), 'parent', idOf(glass));
    expect(opened.problems).toEqual([]);
    await opened.close();
  });

  test.runIf(kEvery)(
    'a window of another origin that the page opened, and that knows the id, gets no answer',
    async () => {
      const opened = await started().open('page.html');
      await prepare(opened);
      const glass = await openGlass(opened, { show: 'tab', title: 'Mine' });
      await expect.poll(() => verifiedAt(glass), wait).toBeGreaterThan(500);
      const stranger = await strangeWindow(opened.context, opened.page);
      await expectSilence(opened.page, stranger, 'opener', idOf(glass));
      expect(opened.problems).toEqual([]);
      await opened.close();
    },
  );

  test.runIf(kEvery)("the glass's own window gets no answer once it shows another origin", async () => {
    const opened = await started().open('page.html');
    await prepare(opened);
    const glass = await openGlass(opened, { show: 'tab', title: 'Mine' });
    await expect.poll(() => verifiedAt(glass), wait).toBeGreaterThan(500);
    const id = idOf(glass);
    await opened.page.evaluate((known) => {
      Object.assign(globalThis, { opened: open('', `heapglass-${known}`) }); // the glass's window, which is not opened again
    }, id);
    await glass.evaluate((address) => {
      location.href = address;
    }, kStranger);
    await glass.waitForURL(kStranger);
    await expectSilence(opened.page, glass, 'opener', id);
    await opened.close();
  });

  test('a glass takes no greeting but that of its opener to its own call: none of another window, none that comes again', async () => {
    const opened = await started().open('page.html');
    const { page } = opened;
    await prepare(opened);
    const id = 'known-to-all';
    const glass = await unansweredGlass(opened, id);
    const callsOf = async () =>
      new Set((await receivedBy(page)).flatMap(({ data }) => (data.heapglass === 'glass' ? [data.caller] : [])));
    const greet = (from: Page | Frame, caller: string | undefined, name: string) =>
      from.evaluate(
        ([known, of, called]) => {
          const greeting = { heapglass: 'program', id: known, caller: of, name: called };
          const { opened } = parent as unknown as { readonly opened: Window };
          const send = Function('to', 'greeting', `to.postMessage(greeting, '*', [new MessageChannel().port2])`);
          send(opened, greeting); // code of this window, so that it is the sender
        },
        [id, caller, name] as const,
      );
    const namesAt = async () => (await receivedBy(glass)).map(({ data }) => data.name);
    const titled = () => glass.title();

    await expect.poll(async () => (await callsOf()).size, wait).toBe(1);
    const [first] = await callsOf();
    const frame = await ownFrame(page);
    await greet(frame, first, 'forged'); // true but for its sender
    await expect.poll(namesAt, wait).toContain('forged');
    await greet(page, kCaller, 'guessed');
    await expect.poll(namesAt, wait).toContain('guessed');
    expect(await titled()).not.toMatch(/forged|guessed/);

    await glass.reload(); // it calls anew, by another name
    await expect.poll(async () => (await callsOf()).size, wait).toBe(2);
    await greet(page, first, 'again');
    await expect.poll(namesAt, wait).toContain('again');
    expect(await titled()).not.toContain('again');

    const [, second] = await callsOf();
    await greet(page, second, 'Mine');
    await expect.poll(titled, wait).toBe('Mine · heapglass');
    await opened.close();
  });

  test.runIf(kEvery)('a glass does not call its opener once that shows another origin', async () => {
    const opened = await started().open('page.html');
    await prepare(opened);
    const glass = await unansweredGlass(opened, 'known-to-all');
    // By itself: a page that the tester sends elsewhere is no opener any more.
    await opened.page.evaluate((address) => {
      location.href = address;
    }, kStranger);
    await opened.page.waitForURL(kStranger);
    // Five turns of the clock by which it calls; then a message that its opener does get.
    await glass.evaluate(
      () =>
        new Promise<void>((done) => {
          let turns = 0;
          const turning = setInterval(() => {
            if (++turns < 5) return;
            clearInterval(turning);
            (opener as Window).postMessage({ last: true }, '*');
            done();
          }, 200);
        }),
    );
    await expect
      .poll(async () => (await receivedBy(opened.page)).map(({ data }) => data), wait)
      .toEqual([{ last: true }]);
    await opened.close();
  });
}
