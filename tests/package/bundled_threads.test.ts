// What a bundler's plugin does with a module whose memory threads share, also when the dev server has kept its recorded form.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRecorded } from '../../package/recorded/recorded_wasm.ts';
import { bumpAllocator, sharedAllocator } from './bump_allocator.ts';

test('a bundler leaves a module with threads as it is, and says why', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'heapglass-bundled-'));
  const [notes, warnings]: [string[], string[]] = [[], []];
  const speaker = { note: (text: string) => notes.push(text), warn: (text: string) => warnings.push(text) };
  try {
    const shared = sharedAllocator();
    const inServer = makeRecorded({}, cache, speaker);
    expect(await inServer(shared, 'shared.wasm', undefined)).not.toBe(shared); // who compiles it knows about its workers
    expect(warnings).toEqual([]);
    const bundled = makeRecorded({ isBundled: true }, cache, speaker);
    for (const _ of [1, 2]) expect(await bundled(shared, 'shared.wasm', undefined)).toBe(shared);
    expect(warnings).toEqual([
      expect.stringMatching(/^shared\.wasm is served as it is and records nothing: it has threads/),
    ]);
    const alone = bumpAllocator('malloc', 'free');
    expect(await bundled(alone, 'alone.wasm', undefined)).not.toBe(alone);
    expect(notes.map((note) => note.split(' ', 1)[0])).toEqual(['shared.wasm', 'alone.wasm']);
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
});
