// What one does with a glass, in whichever place it stands: open, seek, zoom, ask, drop a file. The same in every engine.

import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Reader } from './reader.ts';

const kTime = '.hg-timeline[role=slider], .hg-timeline [role=slider]';
/** web/public/traces/words.hgtrace */
const kEventsOfTrace = 32_365;
const kMap = '.hg-map canvas';

export const shownEvent = async (reader: Reader): Promise<number> =>
  Number(await reader.attribute(kTime, 'aria-valuenow'));
const headOf = async (reader: Reader): Promise<number> => Number(await reader.attribute(kTime, 'aria-valuemax'));

export const settled = (reader: Reader) =>
  reader.until(
    'the glass settles',
    () => reader.attribute('.hg-page', 'data-settled'),
    (value) => value === 'true',
  );

/** Its own walk and the model are equal, and the map is drawn. */
export async function seeOpen(reader: Reader): Promise<void> {
  await settled(reader);
  expect(await reader.attribute('.hg-badge', 'data-badge')).toBe('verified');
  expect(await reader.colours(kMap)).toBeGreaterThan(3);
  expect(await headOf(reader)).toBeGreaterThan(1000);
}

/** By keys, by the pointer on the time line, and by a number in the question line. */
export async function seek(reader: Reader): Promise<void> {
  const head = await headOf(reader);
  await reader.press('button', 'Newest event');
  await reader.until(
    'the newest event',
    () => shownEvent(reader),
    (event) => event === head,
  );
  await reader.press('button', 'One step back');
  await reader.until(
    'a step back',
    () => shownEvent(reader),
    (event) => event < head && event > head - 2000,
  );
  await settled(reader);
  const map = await reader.drawn(kMap);
  await reader.press(kTime); // in its middle
  const middle = await reader.until(
    'the middle',
    () => shownEvent(reader),
    (event) => event < 0.8 * head,
  );
  expect(middle).toBeGreaterThan(0.2 * head);
  await settled(reader);
  expect(await reader.drawn(kMap)).not.toBe(map);
  await reader.enter('.hg-ask__field', '1000');
  await reader.until(
    'event 1,000',
    () => shownEvent(reader),
    (event) => event === 1000,
  );
  await settled(reader);
}

/** By the wheel, and by a button. */
export async function zoom(reader: Reader): Promise<void> {
  const rowBytes = async () => bytesOf(await reader.text('.hg-map__row-bytes'));
  const first = await rowBytes();
  await reader.press('button', 'Zoom in');
  const nearer = await reader.until('nearer by the button', rowBytes, (bytes) => bytes < first);
  await reader.press('.hg-map__surface'); // a guest's wheel is its own while the focus is in it
  await reader.wheel('.hg-map__surface', -400);
  const nearest = await reader.until('nearer by the wheel', rowBytes, (bytes) => bytes < nearer);
  await settled(reader);
  await reader.press('button', 'Show all of the heap');
  await reader.until('all of the heap', rowBytes, (bytes) => bytes > nearest);
}

/** Of "4 KiB a row". */
function bytesOf(text: string): number {
  const [, figure = '', unit = ''] = /^([\d.,]+)\s*(B|KiB|MiB|GiB) a row/.exec(text) ?? [];
  return Number(figure.replaceAll(',', '')) * 1024 ** ['B', 'KiB', 'MiB', 'GiB'].indexOf(unit);
}

/** A standing question by its button; the map lights what the answer is about. */
export async function ask(reader: Reader): Promise<void> {
  await reader.enter('.hg-ask__field', '9000');
  await reader.until(
    'event 9,000',
    () => shownEvent(reader),
    (event) => event === 9000,
  );
  await settled(reader);
  await reader.press('.hg-ask__question', 'Who holds it?');
  const sentence = () => reader.text('.hg-answer__sentence');
  const first = await reader.until('an answer', sentence, (text) => /hold|in use/.test(text));
  await reader.press('.hg-ask__question', 'Why did it grow?');
  await reader.until('another answer', sentence, (text) => text !== first && /^At event [\d,]+/.test(text));
  await settled(reader);
}

/** A trace from another window. */
export async function dropFile(reader: Reader, file: string): Promise<void> {
  await reader.drop('.hg-page', 'dropped.hgtrace', readFileSync(file));
  await seeOpened(reader, 'dropped.hgtrace');
}

/** The trace is in the place of what was there, and it plays; who goes to an event stops that. */
export async function seeOpened(reader: Reader, name: string): Promise<void> {
  await reader.until(
    'the trace is named',
    () => reader.text('.hg-scenarios__open'),
    (text) => text.includes(name),
  );
  await reader.until(
    'all of it is read',
    () => headOf(reader),
    (head) => head === kEventsOfTrace,
  );
  await reader.press('button', 'Newest event');
  await seeOpen(reader);
}
