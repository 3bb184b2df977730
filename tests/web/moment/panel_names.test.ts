// Which panel is open: the first one where nothing names another, and the first that a source opens.

import { expect, test } from 'vitest';
import { type Beginning, isOpen, openedWith, type PanelName } from '../../../web/src/moment/panel_names.ts';

const kPanels: readonly PanelName[] = [
  { id: 'lists' },
  { id: 'sizes', opensWith: () => undefined },
  { id: 'script', opensWith: ({ by }) => (by === 'visitor' ? { playing: false } : undefined) },
  { id: 'learn', opensWith: () => ({}) },
];
const openIn = (tab: string): string[] => kPanels.map(({ id }) => id).filter((id) => isOpen(kPanels, tab, id));

test('one panel is open: the first where none is named', () => {
  expect(['', 'lists', 'learn'].map(openIn)).toEqual([['lists'], ['lists'], ['learn']]);
  expect(isOpen([], '', 'lists')).toBe(false);
});

test('a source opens the first panel that says so, with more of the state, or none', () => {
  const begins = (by: Beginning['by']): Beginning => ({ by }) as Beginning;
  expect(openedWith(kPanels, begins('visitor'))).toEqual({ tab: 'script', playing: false });
  expect(openedWith(kPanels, begins('link'))).toEqual({ tab: 'learn' });
  expect(openedWith(kPanels.slice(0, 2), begins('link'))).toEqual({});
});
