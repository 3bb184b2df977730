// Sites out of the texts that engines give for a stack, and what a look at the stack leaves as it was.

import { expect, test } from 'vitest';
import { kDeepest, SiteBook, stackHere, withFrames } from '../../../web/src/instrument/site_book.ts';
import type { PlacedCall } from '../../../web/src/instrument/site_table.ts';

/** Calls of the module by function and offset; each path of calls gets the next number. */
function makeBook() {
  const asked: string[] = [];
  const numbers = new Map<string, number>();
  const book = new SiteBook(
    (index, at) => {
      asked.push(`${index}:${at.toString(16)}`);
      if (index === 99) return undefined; // none of the program's
      return { function: index === 98 ? -1 : index, at, original: at } as PlacedCall;
    },
    (parent, call) => {
      const key = `${parent}<${call.function}:${call.at}`;
      numbers.set(key, numbers.get(key) ?? numbers.size + 1);
      return numbers.get(key) ?? 0;
    },
  );
  return { book, asked, numbers };
}

const kV8 = [
  'Error',
  '    at put (wasm://wasm/recorder-1:wasm-function[3]:0x10)',
  '    at grow (wasm://wasm/app-2:wasm-function[7]:0x1a2b)',
  '    at Object.call (file:///glue.js:10:3)',
  '    at wasm://wasm/other-3:wasm-function[1]:0x5',
  '    at main (wasm://wasm/app-2:wasm-function[99]:0x44)',
  '    at main (wasm://wasm/app-2:wasm-function[98]:0x45)',
  '    at main (wasm://wasm/app-2:wasm-function[2]:0x30)',
].join('\n');
const kFirefox = [
  'put@wasm://recorder:wasm-function[3]:0x10',
  'grow@http://x/app.wasm:wasm-function[7]:0x1a2b',
  'call@http://x/glue.js:10:3',
  'main@http://x/app.wasm:wasm-function[2]:0x30',
].join('\n');

test.each([
  ['V8', kV8],
  ['Firefox', kFirefox],
])('a site is the path of the calls of the module, outermost first: %s', (_, stack) => {
  const { book, numbers } = makeBook();
  expect(book.siteOf(stack)).toBe(2);
  expect([...numbers]).toEqual([
    [`0<2:${0x30}`, 1],
    [`1<7:${0x1a2b}`, 2],
  ]);
});

test('a stack that was seen is not read again', () => {
  const { book, asked } = makeBook();
  const site = book.siteOf(kFirefox);
  const before = asked.length;
  expect(book.siteOf(kFirefox)).toBe(site);
  expect(asked.length).toBe(before);
  expect(book.siteOf(kFirefox.replace('0x30', '0x31'))).not.toBe(site);
});

test('a stack without the module is of no site', () => {
  expect(makeBook().book.siteOf('Error\n    at main (file:///a.js:1:2)')).toBe(0);
});

test('a look at the stack leaves the limit and the way that errors are printed as they were', () => {
  const errors = Error as { stackTraceLimit?: number; prepareStackTrace?: unknown };
  const before = { ...{ limit: errors.stackTraceLimit, prepare: errors.prepareStackTrace } };
  const prepare = () => 'mine';
  try {
    errors.stackTraceLimit = 3;
    errors.prepareStackTrace = prepare;
    const deep = (left: number): number =>
      left === 0 ? (withFrames(5, (frames) => frames.length) ?? 0) : deep(left - 1);
    expect(deep(20)).toBe(5);
    stackHere();
    expect([errors.stackTraceLimit, errors.prepareStackTrace]).toEqual([3, prepare]);
    expect(new Error('x').stack).toBe('mine');
  } finally {
    errors.stackTraceLimit = before.limit ?? kDeepest;
    errors.prepareStackTrace = before.prepare;
  }
});
