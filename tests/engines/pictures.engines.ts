// Every place at three widths, in light and dark, as three engines show it: HG_PICTURES=write npm run check:engines writes them to
// build/engines/pictures, the engines beside each other. For eyes: nothing compares them.

import { afterAll, beforeAll, describe, test } from 'vitest';
import { type Engine, findEngine, kEngines, startEngine } from './engines.ts';
import { settled } from './glass_steps.ts';
import { joinPictures, savePicture } from './pictures.ts';
import { type Places, startPlaces } from './places.ts';
import { type Reader, readerOf } from './reader.ts';

const kSizes = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;
const kFound = kEngines.filter((name) => typeof findEngine(name) !== 'string');

/** What is pictured: an address, and what must be there first. */
const kViews: Readonly<
  Record<string, { readonly at: (places: Places) => string; ready(reader: Reader): Promise<unknown> }>
> = {
  page: { at: ({ page }) => page, ready: settled },
  sites: {
    at: ({ page }) => `${page}?src=traces/words.hgtrace#event=20000&ask=holds.remember_note&tab=sites`,
    ready: settled,
  },
  glass: { at: ({ glass }) => glass, ready: settled },
  report: { at: ({ report }) => report, ready: (reader) => reader.find('figure[data-plot] svg') },
  site: {
    at: ({ site }) => site,
    async ready(reader) {
      await reader.driver.switchTo().frame(await reader.find('iframe.hg-glass'));
      await reader.find('.hg-answer__sentence');
      await settled(reader);
    },
  },
  plots: {
    at: ({ site }) => site.replace('index.html', 'malloc_figures.html'),
    async ready(reader) {
      const plot = await reader.find('.hg-plot');
      await reader.driver.executeScript(`arguments[0].scrollIntoView({ block: 'start' })`, plot);
    },
  },
};

describe.runIf(process.env['HG_PICTURES'] === 'write')('pictures', () => {
  let places: Places;
  beforeAll(async () => {
    places = await startPlaces();
  });
  afterAll(() => places?.dispose());

  describe.each(['light', 'dark'] as const)('%s', (scheme) => {
    test.each(kFound)('%s', { timeout: 600_000 }, async (name) => {
      const engine = await startEngine(name, scheme);
      try {
        await engine.driver.manage().window().setRect({ x: 0, y: 0, width: 1500, height: 1150 });
        for (const view of wanted()) for (const size of kSizes) await picture(engine, places, view, size, scheme);
      } finally {
        await engine.close();
      }
    });
    test('beside each other', { timeout: 600_000 }, () => {
      for (const view of wanted()) for (const [width] of kSizes) joinPictures(`${view}-${width}-${scheme}`, kFound);
    });
  });
});

/** HG_VIEWS=site,report: these only. */
const wanted = (): readonly string[] => process.env['HG_VIEWS']?.split(',') ?? Object.keys(kViews);

/** In a frame: Firefox and WebKit make no window as narrow as a phone. */
async function picture(
  engine: Engine,
  places: Places,
  view: string,
  [width, height]: readonly [number, number],
  scheme: string,
): Promise<void> {
  const { driver } = engine;
  const shown = kViews[view];
  if (shown === undefined) throw new Error(`no view ${view}`);
  await driver.get(places.frame);
  await driver.executeScript(
    `const frame = document.createElement('iframe');
     frame.style.cssText = 'border: 0; display: block; width: ' + arguments[1] + 'px; height: ' + arguments[2] + 'px';
     frame.src = arguments[0];
     document.body.style.margin = 0;
     document.body.append(frame);`,
    shown.at(places),
    width,
    height,
  );
  const reader = readerOf(driver);
  const frame = await reader.find('iframe');
  await driver.switchTo().frame(frame);
  await shown.ready(reader);
  await driver.switchTo().defaultContent();
  await savePicture(engine, `${view}-${width}-${scheme}`, [width, height]);
}
