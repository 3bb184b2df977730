// Where pages and workers of the dev server send a module that they are about to compile.
//
//   POST: bytes ─▶ recorded_wasm.ts ─▶ 200: its recorded form   204: it stays as it is
//
//   served.1  How a module reaches its page, from a folder, another plugin, a script or a database, is nobody's business here.
//   served.2  A module that lies in a folder has its names from beside it; any other from the scripts that compile it.
//   served.3  Scripts try by small modules without a memory what the engine can do: nothing is said of those.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Connect } from 'vite';
import { packaged } from '../recorded/page_scripts.ts';
import { hasMemory, type Recorded } from '../recorded/recorded_wasm.ts';
import type { Script } from '../recorded/said_names.ts';
import { type CompiledBy, compiledBy, kCompiledHeader } from './compiled_by.ts';

export interface ServedOptions {
  /** The path to which modules are sent. */
  readonly address: string;
  readonly base: string;
  /** Where files with an address of their own lie, in this order. */
  readonly folders: readonly string[];
  readonly recorded: Recorded;
}

export function serveWasm({ address, base, folders, recorded }: ServedOptions): Connect.NextHandleFunction {
  const fileOf = (place: string): string | undefined => fileAt(pathOf(place), base, folders);

  async function answer(request: IncomingMessage, response: ServerResponse, by: CompiledBy): Promise<void> {
    const before = await buffer(request);
    const bytes = await recordedBy(before, by);
    response.statusCode = bytes === before ? 204 : 200;
    response.setHeader('cache-control', 'no-store');
    response.end(bytes === before ? undefined : bytes);
  }

  function recordedBy(bytes: Uint8Array, { address: place, scripts }: CompiledBy): Promise<Uint8Array> | Uint8Array {
    if (place === undefined && !hasMemory(bytes)) return bytes; // served.3
    const files = scripts.map(fileOf).filter((file) => file !== undefined && !file.startsWith(packaged('')));
    const own = files as readonly string[];
    const name = place === undefined ? `a module that ${basename(own[0] ?? 'a script')} brings` : pathOf(place);
    return recorded(bytes, name, (place && fileOf(place)) ?? (() => textsOf(own))); // served.2
  }

  return (request, response, next) => {
    const by = request.url === address ? compiledBy(request.headers[kCompiledHeader]) : undefined;
    if (by === undefined) return next();
    void answer(request, response, by).catch(next);
  };
}

const textsOf = (files: readonly string[]): Promise<readonly Script[]> =>
  Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const));

/** Of an address, or the address itself where it is none of a server. */
function pathOf(place: string): string {
  try {
    return decodeURIComponent(new URL(place).pathname);
  } catch {
    return place;
  }
}

function fileAt(path: string, base: string, folders: readonly string[]): string | undefined {
  const inside = path.startsWith(base) ? path.slice(base.length) : path.slice(1);
  const places = inside.startsWith('@fs/')
    ? [inside.slice('@fs'.length)]
    : folders.map((folder) => join(folder, inside));
  return places.find((place) => existsSync(place));
}
