import { describe, expect, test } from 'vitest';
import { actionOf, kKeyTable, type Press } from '../../../web/src/shell/keys.ts';

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  altKey: false,
  metaKey: false,
  focus: 'page',
  ...more,
});

describe('keys', () => {
  test('every row of the table reaches its action', () => {
    for (const row of kKeyTable) for (const key of row.keys) expect(actionOf(press(key), true)).toBe(row.action);
  });

  test('no key stands in two rows', () => {
    const keys = kKeyTable.flatMap((row) => row.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('a field keeps all its keys', () => {
    for (const row of kKeyTable)
      for (const key of row.keys) expect(actionOf(press(key, { focus: 'field' }), true)).toBeUndefined();
  });

  test('Ctrl, Alt and Meta belong to the browser', () => {
    for (const held of ['ctrlKey', 'altKey', 'metaKey'] as const)
      expect(actionOf(press('.', { [held]: true }), true)).toBeUndefined();
  });

  test('switched off, single characters do nothing and Home, End and Escape still work', () => {
    expect(actionOf(press('.'), false)).toBeUndefined();
    expect(actionOf(press(' '), false)).toBeUndefined();
    expect(actionOf(press('Home'), false)).toBe('first');
    expect(actionOf(press('End'), false)).toBe('last');
    expect(actionOf(press('Escape'), false)).toBe('clearSelection');
  });

  test('space on a button presses the button only', () => {
    expect(actionOf(press(' ', { focus: 'control' }), true)).toBeUndefined();
    expect(actionOf(press('.', { focus: 'control' }), true)).toBe('forwardEvent');
    expect(actionOf(press('Home', { focus: 'control' }), true)).toBe('first');
  });
});
