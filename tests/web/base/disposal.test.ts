import { expect, test } from 'vitest';
import { createDisposal } from '../../../web/src/base/disposal.ts';

test('what was made last ends first, each once', () => {
  const ended: string[] = [];
  const owned = createDisposal();
  const first = { dispose: () => ended.push('first') };
  expect(owned.own(first)).toBe(first);
  owned.defer(() => ended.push('second'));
  owned.own({ dispose: () => ended.push('third') });
  owned.dispose();
  owned.dispose();
  expect(ended).toEqual(['third', 'second', 'first']);
});

test('one that fails keeps no other from ending, and its error is thrown', () => {
  const ended: string[] = [];
  const owned = createDisposal();
  owned.defer(() => ended.push('first'));
  owned.defer(() => {
    throw new Error('cannot end');
  });
  owned.defer(() => ended.push('third'));
  expect(() => owned.dispose()).toThrow('cannot end');
  expect(ended).toEqual(['third', 'first']);
});
