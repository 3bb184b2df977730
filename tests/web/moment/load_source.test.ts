// From a source in an address to what is run: a trace that is fetched, what the document brought along, a script that waits.

import { expect, test } from 'vitest';
import { createLoader } from '../../../web/src/moment/load_source.ts';
import type { LoadedSource } from '../../../web/src/moment/session.ts';

const nobody = { show() {}, clear() {} };
const kAddress = 'data:application/octet-stream;base64,aGVsbG8=';

test('a trace is fetched from its address, and until it is there the page is busy', async () => {
  const { load, isBusy } = createLoader(undefined, nobody);
  expect(isBusy()).toBe(false);
  const loading = load({ kind: 'trace', name: 'a.hgtrace', address: kAddress });
  const another = load({ kind: 'trace', name: 'b.hgtrace', address: kAddress });
  expect(isBusy()).toBe(true);
  const loaded = await loading;
  if (loaded?.kind !== 'trace') throw new Error('no trace');
  expect([loaded.name, loaded.address, await loaded.file.text()]).toEqual(['a.hgtrace', kAddress, 'hello']);
  await another;
  expect(isBusy()).toBe(false);
});

test('an address that cannot be fetched is named, and the page is no longer busy', async () => {
  const { load, isBusy } = createLoader(undefined, nobody);
  const address = 'data:no comma';
  await expect(load({ kind: 'trace', name: 'a', address })).rejects.toThrow(`${address} cannot be fetched`);
  expect(isBusy()).toBe(false);
});

test('what an address cannot name is what the document brought along; a script waits; any other source is none', async () => {
  const first: LoadedSource = { kind: 'trace', name: 'own.hgtrace', file: new Blob(['own']) };
  const { load } = createLoader(first, nobody);
  expect(await load({ kind: 'trace', name: 'own.hgtrace' })).toBe(first);
  const script = { kind: 'script', name: 'Script', packed: 'S0' } as const;
  expect(await load(script)).toEqual({ ...script, steps: [] });
  expect(await load({ kind: 'words', name: 'a.txt' })).toBeUndefined();
});

test('a live program that the document was opened for is not called again', async () => {
  const first = { kind: 'live', name: 'app', id: 'x1' } as LoadedSource;
  expect(await createLoader(first, nobody).load({ kind: 'live', name: 'app', id: 'x1' })).toBe(first);
});
