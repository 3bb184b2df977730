// A question in an address and back; what is none means nothing.

import { expect, test } from 'vitest';
import { followsMoment, readQuestion, writeQuestion } from '../../../web/src/moment/question.ts';
import type { Question } from '../../../web/src/protocol/answers.ts';

test.each<[string, Question]>([
  ['holds', { ask: 'holds' }],
  ['holds.load@load.cpp:12', { ask: 'holds', site: 'load@load.cpp:12' }],
  ['through.main', { ask: 'holds', site: 'main', through: true }],
  ['leaked', { ask: 'leaked' }],
  ['grew', { ask: 'grew' }],
  ['grew.1', { ask: 'grew', nth: 1 }],
  ['fits', { ask: 'fits' }],
  ['fits.0', { ask: 'fits', bytes: 0 }],
  ['fits.4294967295', { ask: 'fits', bytes: 0xffff_ffff }],
  ['pins', { ask: 'pins' }],
  ['pins.0x41a30', { ask: 'pins', address: 0x41a30 }],
])('%s', (text, question) => {
  expect(readQuestion(text)).toEqual(question);
  expect(writeQuestion(question)).toBe(text);
});

test('the first growth is written without its number', () => {
  expect(writeQuestion({ ask: 'grew', nth: 0 })).toBe('grew');
});

test.each(['', 'why', 'leaked.1', 'grew.x', 'grew.1.2', 'fits.4294967296', 'fits.-1', 'pins.0x', 'holds.'])(
  '%j is no question',
  (text) => expect(readQuestion(text)).toBeUndefined(),
);

test('a growth keeps its moment, all else is of the one that is shown', () => {
  const asks = ['holds', 'leaked', 'grew', 'fits', 'pins'] as const;
  expect(asks.filter((ask) => !followsMoment({ ask }))).toEqual(['grew']);
});
