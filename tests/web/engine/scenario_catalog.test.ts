// Which scenarios can be run: those whose program was not built are listed with the reason, and refused with it.

import fs from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { createCatalog } from '../../../web/src/engine/scenario_catalog.ts';
import type { Scenario } from '../../../web/src/scenarios/scenario.ts';

/** What the build says of programs that it could not make. Here all could be made, so another file is read in its place. */
function builtWithout(...reasons: readonly (object | Error)[]) {
  const read = fs.readFileSync;
  let reads = 0;
  const instead = (path: fs.PathOrFileDescriptor) => {
    if (!String(path).endsWith('/programs.json')) return read(path);
    const said = reasons[Math.min(reads++, reasons.length - 1)];
    if (said instanceof Error) throw said;
    return Buffer.from(JSON.stringify(said));
  };
  vi.spyOn(fs, 'readFileSync').mockImplementation(instead as typeof fs.readFileSync);
  return () => reads;
}
afterEach(() => void vi.restoreAllMocks());

const kTexts = { language: 'any', about: '', examples: [] };
const scenario = (id: string, program?: 'lua' | 'sqlite'): Scenario => ({
  info: {
    ...{ id, title: `The ${id}`, summary: '', chapters: [], experiment: undefined },
    ...(program && { program: kTexts }),
  },
  ...(program && { program }),
  *run() {},
});
const plain = scenario('plain');
const lua = scenario('story', 'lua');
const sqlite = scenario('table', 'sqlite');

test('a scenario whose program is not here is listed with the reason and refused with it, and the others are found', async () => {
  builtWithout({ sqlite: null, lua: 'no network', quickjs: 'no network' });
  const catalog = createCatalog([plain, sqlite, lua]);
  expect((await catalog.list()).map(({ id, unavailable }) => [id, unavailable])).toEqual([
    ['plain', undefined],
    ['table', undefined],
    ['story', 'no network'],
  ]);
  expect([await catalog.find('plain'), await catalog.find('table')]).toEqual([plain, sqlite]);
  await expect(catalog.find('story')).rejects.toThrow('The story: not here, no network');
  await expect(catalog.find('lua')).rejects.toThrow('there is no scenario lua');
});

test('an experiment needs no program that may be absent', async () => {
  builtWithout({ sqlite: 'no network', lua: 'no network', quickjs: 'no network' });
  const experiment: Scenario = { ...plain, program: 'experiments' };
  const catalog = createCatalog([experiment, lua]);
  expect((await catalog.list())[0]).toBe(experiment.info);
  expect(await catalog.find('plain')).toBe(experiment);
});

test('what the build says is read once, where a scenario needs a program; and again when it could not be read', async () => {
  const reads = builtWithout(new Error('torn'), { sqlite: null, lua: null, quickjs: null });
  const without = createCatalog([plain]);
  await without.list();
  await without.find('plain');
  expect(reads()).toBe(0);
  const catalog = createCatalog([plain, lua]);
  await expect(catalog.list()).rejects.toThrow('torn');
  expect(await catalog.find('story')).toBe(lua);
  expect((await catalog.list())[1]).toBe(lua.info);
  expect(reads()).toBe(2);
});
