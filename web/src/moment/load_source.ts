// From the source that an address names to the source: a running program is called, a trace is fetched.

import { callProgram } from '../live/connect.ts';
import { fetchTrace } from './files.ts';
import type { Notices } from './notices.ts';
import type { LoadedSource } from './session.ts';
import type { Source } from './state.ts';

/** The program or the trace that an address names; undefined where it names neither. `first`: what the document brings along. */
async function loadSource(
  source: Source,
  first: LoadedSource | undefined,
  notice: Notices,
): Promise<LoadedSource | undefined> {
  if (source.kind === 'live')
    return first?.kind === 'live' && first.id === source.id ? first : await callLive(source.id, notice);
  if (source.kind === 'script') return { ...source, steps: [] }; // shown, and run only when the visitor says so
  if (source.kind !== 'trace') return undefined;
  if (source.address === undefined) return first;
  return { kind: 'trace', name: source.name, address: source.address, file: await fetchTrace(source.address) };
}

export function createLoader(first: LoadedSource | undefined, notice: Notices) {
  let underWay = 0;
  return {
    load: (source: Source): Promise<LoadedSource | undefined> => {
      underWay += 1;
      return loadSource(source, first, notice).finally(() => {
        underWay -= 1;
      });
    },
    /** A trace is fetched, or a program is called. */
    isBusy: () => underWay > 0,
  };
}

async function callLive(id: string, notice: Notices): Promise<LoadedSource> {
  notice.show('Waiting for the program that opened this page …');
  const { name, recorder } = await callProgram(id);
  notice.clear();
  return { kind: 'live', name, id, recorder };
}
