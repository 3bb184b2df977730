// Invariant 1 on the binary: probes off, they compile to nothing.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { compareBuilds, withoutProbes } from '../../tools/check_probes.mjs';
import { kEvery } from '../every.ts';

test.runIf(kEvery)('the release wasm is the same, byte for byte, when every probe is deleted from the sources', () => {
  const { probes, artefacts } = compareBuilds();
  expect(probes).toBeGreaterThan(30);
  const same = artefacts.filter((artefact) => artefact.same).map((artefact) => artefact.name);
  expect(same).toEqual(['heapglass-release.wasm', 'libheapglass-release.a']);
});

test('each probe of the sources stands alone, so it can be deleted', () => {
  const sources = fileURLToPath(new URL('../../core/src/', import.meta.url));
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(cpp|hpp)$/.test(path));
  const probes = files.map((path) => withoutProbes(readFileSync(`${sources}${path}`, 'utf8')).probes);
  expect(probes.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100);
});

test('a probe over several lines is deleted whole and nothing else is', () => {
  const source = 'a();\n  HG_PROBE(mark, id_, f(1), a,\n           b, c);\nb();\n';
  expect(withoutProbes(source)).toEqual({ text: 'a();\nb();\n', probes: 1 });
});

test('a probe that shares its line with other code is refused', () => {
  expect(() => withoutProbes('if (x) HG_PROBE(mark, 1, 0, 0, 0, 0);\n')).toThrow('does not stand alone');
});
