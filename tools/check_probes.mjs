// Proves invariant 1: the release wasm holds no trace of the probes.
//
//   node tools/check_probes.mjs
//
// Copies the sources, deletes every HG_PROBE( ... ); statement from the copy, builds both with the same script and
// compares: release must be the same byte for byte, trace must differ (else the deletion deleted nothing).

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const kVariants = ['release', 'trace', 'checked'];
const kArtefacts = [
  'heapglass-release.wasm',
  'libheapglass-release.a',
  'heapglass-trace.wasm',
  'heapglass-checked.wasm',
];

/** The text without its probe statements, and how many there were. Throws at a probe that is not a statement of its own. */
export function withoutProbes(text) {
  let probes = 0;
  const rest = text.replace(/^[ \t]*HG_PROBE\([\s\S]*?\);[ \t]*\n/gm, () => {
    ++probes;
    return '';
  });
  const left = rest.split('\n').find((line) => /\bHG_PROBE\s*\(/.test(line) && !/^\s*(#define|\/\/)/.test(line));
  if (left !== undefined) throw new Error(`a probe that does not stand alone on its lines: ${left.trim()}`);
  return { text: rest, probes };
}

/** Builds the sources as they are and without probes: { probes, artefacts: [{ name, bytes, same }] }. */
export function compareBuilds() {
  const copy = mkdtempSync(join(tmpdir(), 'heapglass-probes-'));
  try {
    for (const path of ['core', 'programs', 'tools', 'wasm-build.sh'])
      cpSync(join(root, path), join(copy, path), { recursive: true });
    let probes = 0;
    for (const entry of readdirSync(join(copy, 'core/src'), { recursive: true })) {
      if (!/\.(cpp|hpp)$/.test(entry)) continue;
      const path = join(copy, 'core/src', entry);
      const stripped = withoutProbes(readFileSync(path, 'utf8'));
      probes += stripped.probes;
      writeFileSync(path, stripped.text);
    }
    execFileSync('./wasm-build.sh', ['product'], { cwd: root, stdio: 'pipe' });
    const env = { ...process.env, HG_ONLY: kVariants.join(' ') };
    execFileSync('./wasm-build.sh', ['product'], { cwd: copy, stdio: 'pipe', env });
    const artefacts = kArtefacts.map((name) => {
      const [ours, stripped] = [root, copy].map((folder) => readFileSync(join(folder, 'build/wasm', name)));
      return { name, bytes: ours.length, strippedBytes: stripped.length, same: ours.equals(stripped) };
    });
    return { probes, artefacts };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { probes, artefacts } = compareBuilds();
  console.log(`${probes} probes deleted from a copy of core/src`);
  for (const { name, bytes, strippedBytes, same } of artefacts) {
    console.log(
      `${name}: ${bytes} bytes, without probes ${strippedBytes}: ${same ? 'the same, byte for byte' : 'different'}`,
    );
  }
  const right = probes > 0 && artefacts.every(({ name, same }) => same === name.includes('release'));
  console.log(right ? 'the release build holds no probe' : 'FAILED: release must be the same and the others different');
  process.exitCode = right ? 0 : 1;
}
