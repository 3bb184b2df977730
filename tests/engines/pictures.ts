// Pictures of what an engine shows, in build/engines/pictures.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { root } from '../package/installed.ts';
import type { Engine, EngineName } from './engines.ts';

const kFolder = join(root, 'build/engines/pictures');
const kBetween = 8; // pixels
const fileOf = (what: string, name: EngineName): string => join(kFolder, `${what}-${name}.png`);

/** Of the window, or of its upper left part: WebKit's own picture of an element is of another place. */
export async function savePicture(
  { name, driver }: Engine,
  what: string,
  [width, height] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
): Promise<void> {
  mkdirSync(kFolder, { recursive: true });
  const whole = PNG.sync.read(Buffer.from(await driver.takeScreenshot(), 'base64'));
  const part = new PNG({ width: Math.min(whole.width, width), height: Math.min(whole.height, height) });
  PNG.bitblt(whole, part, 0, 0, part.width, part.height, 0, 0);
  writeFileSync(fileOf(what, name), PNG.sync.write(part));
}

/** The engines' pictures of one thing become one, from left to right. */
export function joinPictures(what: string, names: readonly EngineName[]): void {
  const files = names.map((name) => fileOf(what, name));
  const all = files.map((file) => PNG.sync.read(readFileSync(file)));
  const width = all.reduce((sum, picture) => sum + picture.width + kBetween, -kBetween);
  const joined = new PNG({ width, height: Math.max(...all.map(({ height }) => height)) });
  let left = 0;
  for (const picture of all) {
    PNG.bitblt(picture, joined, 0, 0, picture.width, picture.height, left, 0);
    left += picture.width + kBetween;
  }
  writeFileSync(join(kFolder, `${what}.png`), PNG.sync.write(joined));
}
