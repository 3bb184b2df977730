// In every page in development: modules have their recorders, and a key shows their heaps in the dock.
//
//   page.1  The glass is loaded when the key is pressed for the first time. Events are kept from the first one on.
//   page.2  Pressed again, the key closes the dock; pressed once more, it shows all modules there are then.

import type { Attachment } from '../../web/src/attach/attach.ts';
import { recorders } from '../../web/src/instrument/installed.ts';
import { isNamed, kChannel, type Named } from './workers.ts';

type Glass = Pick<typeof import('../../web/src/attach/attach.ts'), 'attach'>;

const kWaitForWorkers = 300; // milliseconds

/** `key`: as in options.ts. */
export function startPage(key: string, load: () => Promise<Glass>): void {
  let shown: readonly Attachment[] = [];
  let busy = false;

  async function toggle(): Promise<void> {
    const isOpen = shown.some(({ element }) => element?.recorder !== undefined); // the dock has a button that closes it too
    for (const each of shown) each.detach();
    shown = [];
    if (isOpen) return;
    const { attach } = await load();
    const attached: Attachment[] = []; // one after the other: the dock has them in this order
    for (const [nth, recorder] of recorders.entries()) attached.push(await attach(recorder, { title: titleOf(nth) }));
    for (const { name, title } of await recordedWorkers())
      attached.push(await attach(attach.fromWorker(name), { title: `${document.title || 'the page'}, ${title}` }));
    shown = attached;
    if (shown.length === 0) console.info('heapglass: no module of this page or of its workers is recorded yet');
  }

  addEventListener('keydown', (event) => {
    if (!isKey(event, key) || busy) return;
    event.preventDefault();
    busy = true;
    void toggle()
      .catch((error: unknown) => console.error('heapglass:', error))
      .finally(() => {
        busy = false;
      });
  });
}

function titleOf(nth: number): string {
  const title = document.title || 'the page';
  return recorders.length === 1 ? title : `${title}, module ${nth + 1}`;
}

function isKey(event: KeyboardEvent, key: string): boolean {
  const parts = key.toLowerCase().split('+');
  const last = parts.at(-1) ?? '';
  const wants = (name: string): boolean => parts.includes(name);
  const { code } = event; // of the place on the keyboard: with Alt the letter is another one
  return (
    (code === `Key${last.toUpperCase()}` || code === `Digit${last}`) &&
    event.ctrlKey === wants('ctrl') &&
    event.altKey === wants('alt') &&
    event.shiftKey === wants('shift') &&
    event.metaKey === wants('meta')
  );
}

function recordedWorkers(): Promise<readonly Named[]> {
  const named = new Map<string, Named>();
  const channel = new BroadcastChannel(kChannel);
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    if (isNamed(data)) named.set(data.name, data);
  };
  channel.postMessage({ who: true });
  return new Promise((resolve) => {
    setTimeout(() => {
      channel.close();
      resolve([...named.values()]);
    }, kWaitForWorkers);
  });
}
