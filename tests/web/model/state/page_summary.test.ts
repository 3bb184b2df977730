import { expect, test } from 'vitest';
import { PageSummary } from '../../../../web/src/model/state/page_summary.ts';
import { Drive } from '../drive.ts';

test('pages are counted once: what is dirty afterwards is what changed since', async () => {
  const drive = await Drive.start(17);
  drive.run(2_000, 90);
  const state = drive.history.head;
  const pages = new PageSummary();
  const dirty = () => state.dirtyPages.reduce((sum, mark) => sum + mark, 0);
  pages.refresh(state, 0, state.dirtyPages.length);
  expect(dirty()).toBe(0);
  drive.run(3, 90);
  expect(drive.compare()).toBeUndefined();
  expect(dirty()).toBeGreaterThan(0);
  const changed = dirty();
  pages.refresh(state, 0, 1);
  expect(dirty()).toBeGreaterThanOrEqual(changed - 1);
  pages.refresh(state, 0, state.dirtyPages.length);
  expect(dirty()).toBe(0);
});
