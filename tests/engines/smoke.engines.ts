// The page, <hg-glass>, a live program, a report and the site, each used in Chromium, Firefox and WebKitGTK by the same steps.

import type { WebElement } from 'selenium-webdriver';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { kScenes } from '../../web/src/scenes/index.ts';
import { type Engine, findEngine, kEngines, startEngine } from './engines.ts';
import { ask, dropFile, seek, seeOpen, seeOpened, settled, zoom } from './glass_steps.ts';
import { savePicture } from './pictures.ts';
import { type Places, startPlaces } from './places.ts';
import { type Reader, readerOf } from './reader.ts';

let places: Places;
beforeAll(async () => {
  places = await startPlaces();
});
afterAll(() => places?.dispose());

describe.each(kEngines)('%s', (name) => {
  const missing = findEngine(name);
  if (typeof missing === 'string') {
    console.log(`left out: ${missing}`);
    test.skip(missing, () => {});
    return;
  }
  let engine: Engine;
  let reader: Reader;
  beforeAll(async () => {
    engine = await startEngine(name, 'light');
    await engine.driver.manage().window().setRect({ x: 0, y: 0, width: 1440, height: 1000 });
    reader = readerOf(engine.driver);
  });
  afterAll(() => engine?.close());
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await savePicture(engine, `failed-${task.name.replaceAll(/\W+/g, '_')}`);
  });

  /** Anew: an address that differs behind # only would not load the page again. */
  async function open(address: string): Promise<void> {
    await engine.driver.get('about:blank');
    await engine.driver.get(address);
  }
  const quiet = async () => expect(await engine.problems(), 'errors and warnings').toEqual([]);

  test('the page: open, seek, zoom, ask, drop a file', async () => {
    await open(places.page);
    await seeOpen(reader);
    await seek(reader);
    await zoom(reader);
    await ask(reader);
    await dropFile(reader, places.trace);
    await ask(reader);
    await quiet();
  });

  test('a file chosen in the page opens as a dropped one', async () => {
    await open(places.page);
    await settled(reader);
    const field = await engine.driver.executeScript<WebElement>(
      `return document.querySelector('.hg-scenarios input[type=file]')`,
    );
    await field.sendKeys(places.trace);
    await seeOpened(reader, 'words.hgtrace');
    await quiet();
  });

  test('<hg-glass>: open, seek, zoom, ask', async () => {
    await open(places.glass);
    await seeOpen(reader);
    await seek(reader);
    await zoom(reader);
    await ask(reader);
    await quiet();
  });

  test('attach: the heap of a program, live in its page', async () => {
    await open(places.program);
    const verifiedAt = async () =>
      Number(/verified at ([\d,]+)/.exec(await reader.text('.hg-dock__bar'))?.[1]?.replaceAll(',', '') ?? -1);
    const before = await reader.until('the dock', verifiedAt, (event) => event > 0);
    await reader.press('#work');
    await reader.until('the program went on', verifiedAt, (event) => event > before + 2000);
    expect(await reader.colours('.hg-map canvas')).toBeGreaterThan(3);
    await quiet();
  });

  test('a report: plots, a table sorted, a flame graph zoomed, also from the disk', async () => {
    for (const address of [places.report, places.reportFile]) {
      await open(address);
      await reader.find('figure[data-plot] svg');
      const first = () => reader.text('.sortable tbody tr td');
      const before = await first();
      await reader.press('.sortable th:last-child button');
      await reader.press('.sortable th:last-child button');
      await reader.until('another first row', first, (text) => text !== before);
      const frames = async () => (await reader.text('.flame')).length;
      const whole = await frames();
      await reader.press('.flame button:nth-of-type(3)');
      await reader.until('fewer frames', frames, (count) => count !== whole);
      await quiet();
    }
  });

  test('the site: its front page is a glass that answers; a scene; search', async () => {
    await open(places.site);
    await engine.driver.switchTo().frame(await reader.find('iframe.hg-glass'));
    await seeOpen(reader);
    await zoom(reader);
    await reader.press('.hg-ask__question', 'Why did it grow?');
    await reader.until(
      'an answer',
      () => reader.text('.hg-answer__sentence'),
      (text) => text.length > 20,
    );
    await engine.driver.switchTo().defaultContent();
    await reader.press('a', `Learn in ${kScenes.length} scenes`);
    await reader.find('h1', 'Learn: what an allocator does');
    await engine.driver.switchTo().frame(await reader.find('iframe[title^="Scene:"]'));
    await reader.press('button', 'Next');
    await engine.driver.switchTo().defaultContent();
    await quiet();
  });
});
