// Experiments in the browser as the page runs them: a worker, and workers of that worker where rows need threads.

import { expect, test } from '@playwright/test';
import { openEmptyPage, runOnPage, serveSources } from '../../tools/experiments/browser.mjs';
import { inAll } from './open.ts';

const testAll = inAll(test);
const kDivisor = 1000;

test.describe('experiments in a page that is cross-origin isolated', () => {
  let server: Awaited<ReturnType<typeof serveSources>>;
  test.beforeAll(async () => {
    server = await serveSources();
  });
  test.afterAll(() => server.close());

  testAll('BE1 runs in its worker, all memory is given back', async ({ page }) => {
    await openEmptyPage(page, server.url);
    const note = await runOnPage(page, server.url, { id: 'BE1', rounds: 1, divisor: kDivisor });
    expect(note).toMatchObject({ type: 'report', finished: true, report: { id: 'BE1' } });
    expect(note.report.done).toBe(note.report.of);
    expect(note.results.length).toBeGreaterThan(1);
    for (const { figures } of note.results) expect(figures).toMatchObject({ bytes_left: 0 });
  });

  test('CE1 runs its threads in workers on one memory, without an error', async ({ page }) => {
    await openEmptyPage(page, server.url);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
    const note = await runOnPage(page, server.url, { id: 'CE1', rounds: 1, divisor: kDivisor });
    expect(note).toMatchObject({ type: 'report', finished: true, report: { id: 'CE1' } });
    expect(note.results.some(({ row }: { row: { threads: number } }) => row.threads >= 8)).toBe(true);
    for (const { figures } of note.results) expect(figures).toMatchObject({ errors: 0, bytes_left: 0 });
  });
});

testAll(
  'without the two headers rows with threads are left out, and the report names the headers',
  async ({ page }) => {
    const server = await serveSources({ headers: false });
    try {
      await openEmptyPage(page, server.url);
      expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
      const note = await runOnPage(page, server.url, { id: 'CE1', rounds: 1, divisor: kDivisor });
      expect(note).toMatchObject({ type: 'report', finished: true });
      expect(note.report.findings[0]).toContain('Cross-Origin-Opener-Policy: same-origin');
      expect(note.report.findings[0]).toContain('Cross-Origin-Embedder-Policy: require-corp');
      for (const { row } of note.results) expect(row.threads).toBe(0);
    } finally {
      await server.close();
    }
  },
);

test('the page itself is served with the headers', async ({ page, request }) => {
  const headers = (await request.get('./')).headers();
  expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  expect(headers['cross-origin-embedder-policy']).toBe('require-corp');
  await page.goto('./');
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
});
