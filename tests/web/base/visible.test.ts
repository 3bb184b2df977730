import { expect, test } from 'vitest';
import { visible, visibleJson } from '../../../web/src/base/visible.ts';

test.each([
  ['plain: ü, 漢字, 😀, a b', 'plain: ü, 漢字, 😀, a b'],
  ['\x1b[2J\x1b]0;title\x07', '\\x1b[2J\\x1b]0;title\\x07'],
  ['\x9b31m C1', '\\x9b31m C1'],
  ['\0\b\x7f', '\\x00\\x08\\x7f'],
  ['a\nverified OK\r\t', 'a\\nverified OK\\r\\t'],
  ['user\u202e\u2066gpj.exe\u2069', 'user\\u{202e}\\u{2066}gpj.exe\\u{2069}'],
  [
    '\u061c\u200e\u200f\u2028\u2029\ufeff\u00ad\u200b',
    '\\u{61c}\\u{200e}\\u{200f}\\u{2028}\\u{2029}\\u{feff}\\xad\\u{200b}',
  ],
  ['\u{e0041}\ud800', '\\u{e0041}\\u{d800}'],
  ['👨\u200d👩 \u0645\u06cc\u200c\u062e', '👨\u200d👩 \u0645\u06cc\u200c\u062e'],
])('%j is shown as %j', (text, shown) => {
  expect(visible(text)).toBe(shown);
  expect(visible(shown)).toBe(shown); // it may pass two doors
});

test('lines are kept where they are asked for', () => {
  expect(visible('a\r\n\tb\x1b', { lines: true })).toBe('a\r\n\tb\\x1b');
});

test('no character below U+20000 that is a control or turns direction comes through', () => {
  const letters = Array.from({ length: 0x20000 }, (_, code) => visible(String.fromCodePoint(code)));
  expect(letters.filter((shown) => /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u.test(shown))).toEqual([]);
});

test('JSON keeps its value', () => {
  const value = { text: '\x1b\x9b\u202e\u{e0041}\ud800 ü \u2028', list: [1, null] };
  const text = visibleJson(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(visible(text, { lines: true })).toBe(text);
  expect(text.split('\n')).toHaveLength(7);
});
