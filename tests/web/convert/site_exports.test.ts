// Profiles of call sites, each opened by its own reader: pprof-format's decoder and Go's pprof, and speedscope in a browser.

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import Ajv from 'ajv';
import { Profile } from 'pprof-format';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchOptions } from '../../../tools/find_chromium.mjs';
import { kFormats } from '../../../web/src/convert/formats.ts';
import { kQuantities } from '../../../web/src/convert/site_profile.ts';
import { readSites, type SummedSite } from '../../../web/src/report/site_sums.ts';
import type { TraceFile } from '../../../web/src/trace/trace_file.ts';
import { withSites } from '../model/sited_trace.ts';
import { playCounted } from '../report/counted_heap.ts';

const speedscope = fileURLToPath(new URL('../../../node_modules/speedscope/dist/release/', import.meta.url));
const hasGo = spawnSync('go', ['tool', 'pprof', '-h']).status !== null;

const stackOf = (operation: number): readonly string[] =>
  operation % 9 === 0
    ? []
    : ['main@app.cpp:9', `load_${operation % 4}@src/load.cpp:${operation % 40}`, 'std::vector<int>::grow'];

const folder = mkdtempSync(join(tmpdir(), 'heapglass-sites-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let file: TraceFile;
let sites: readonly SummedSite[];
beforeAll(async () => {
  const played = await playCounted(8, 3000);
  file = { ...played.file, trace: withSites(played.file.trace, stackOf), notes: { title: 'sited' } };
  ({ sites } = readSites(file));
});

const sum = (nth: number, fits: (site: SummedSite) => boolean = () => true): number =>
  sites.filter(fits).reduce((total, { figures }) => total + (kQuantities[nth]?.of(figures) ?? 0), 0);

const written = async (name: string): Promise<Uint8Array> => {
  const content = await kFormats.find((format) => format.name === name)?.write?.(file);
  return typeof content === 'string' ? new TextEncoder().encode(content) : (content ?? new Uint8Array());
};

describe('a pprof file', () => {
  test('has each site with its stack, lines and values', async () => {
    const profile = Profile.decode(gunzipSync(await written('pprof')));
    const text = (index: number | bigint) => profile.stringTable.strings[Number(index)];
    expect(profile.sampleType.map(({ type, unit }) => `${text(type)}/${text(unit)}`)).toEqual(
      kQuantities.map(({ name, unit }) => `${name}/${unit}`),
    );
    const named = profile.sample.map(({ locationId, value }) => {
      const frames = locationId.map((id) => {
        const location = profile.location.find((each) => each.id === id);
        const code = profile.function.find((each) => each.id === location?.line[0]?.functionId);
        const [name, path, line] = [text(code?.name ?? 0), text(code?.filename ?? 0), Number(location?.line[0]?.line)];
        return path === '' ? name : `${name}@${path}:${line}`;
      });
      return [frames.join(' < '), ...value.map(Number)];
    });
    const wanted = sites.map(({ stack, figures }) => [
      stack.length === 0 ? '(call site not known)' : stack.join(' < '),
      ...kQuantities.map(({ of }) => of(figures)),
    ]);
    expect(named).toEqual(wanted);
  });

  test.skipIf(!hasGo)("is read by Go's pprof", async () => {
    const path = join(folder, 'heap.pb.gz');
    writeFileSync(path, await written('pprof'));
    const options = ['tool', 'pprof', '-top', '-unit=B', '-sample_index=alloc_space', '-nodecount=50', path];
    const shown = execFileSync('go', options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    expect(shown).toContain('Type: alloc_space');
    const grown = sum(1, ({ stack }) => stack.length > 0);
    expect(shown).toMatch(new RegExp(`^\\s*${grown}B .* std::vector(<int>)?::grow`, 'm'));
  });
});

describe('a speedscope file', () => {
  test('fits the schema that speedscope brings', async () => {
    const schema: unknown = JSON.parse(readFileSync(join(speedscope, 'file-format-schema.json'), 'utf8'));
    const validate = new Ajv({ strict: false }).compile(schema as object);
    expect(
      validate(JSON.parse(new TextDecoder().decode(await written('speedscope')))),
      JSON.stringify(validate.errors),
    ).toBe(true);
  });

  test('has a profile for each quantity, the peak first', async () => {
    const { profiles } = JSON.parse(new TextDecoder().decode(await written('speedscope')));
    const names = profiles.map(({ name }: { name: string }) => name);
    expect(names[0]).toBe(kQuantities.find(({ name }) => name === 'peak_space')?.what);
    expect([...names].sort()).toEqual(kQuantities.map(({ what }) => what).sort());
  });

  test('gives a frame the file and the line that are known, and no other', async () => {
    const { shared } = JSON.parse(new TextDecoder().decode(await written('speedscope')));
    const named = (name: string) => shared.frames.filter((frame: { name: string }) => frame.name === name);
    expect(named('main')).toEqual([{ name: 'main', file: 'app.cpp', line: 9 }]);
    expect(named('std::vector<int>::grow')).toEqual([{ name: 'std::vector<int>::grow' }]);
  });

  test.skipIf(!existsSync(speedscope))('is shown by speedscope itself', async () => {
    const content = Buffer.from(await written('speedscope')).toString('base64');
    const script = join(folder, 'profile.js');
    writeFileSync(script, `speedscope.loadFileFromBase64('heap.speedscope.json', ${JSON.stringify(content)})`);
    const browser = await chromium.launch(launchOptions());
    try {
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('dialog', (dialog) => {
        errors.push(dialog.message());
        void dialog.dismiss();
      });
      await page.goto(`${pathToFileURL(join(speedscope, 'index.html')).href}#localProfilePath=${script}`);
      await page.getByText('bytes at the peak').first().waitFor();
      await page.getByText('Sandwich').first().click();
      await page.getByText('std::vector<int>::grow').first().waitFor();
      expect(errors).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});

test('a DHAT file has a program point for each site, and adds up to the same', async () => {
  interface Dhat {
    readonly pps: readonly {
      readonly tb: number;
      readonly tbk: number;
      readonly eb: number;
      readonly fs: readonly number[];
    }[];
    readonly ftbl: readonly string[];
  }
  const { pps, ftbl } = JSON.parse(new TextDecoder().decode(await written('dhat'))) as Dhat;
  const known = sites.filter(({ stack }) => stack.length > 0);
  for (const { stack, figures } of known) {
    const point = pps.find(({ fs }) => fs.map((frame) => ftbl[frame]).join() === stack.join());
    // A block that is resized is born anew, by the call that resized it.
    expect(point?.tbk, stack.join()).toBeGreaterThanOrEqual(figures.allocations);
  }
  expect(pps.reduce((total, { eb }) => total + eb, 0)).toBe(sum(3));
});
