// A wasm module from wherever it comes: an address, bytes, a response, or compiled already; in a worker, on a page, in
// Node. Used by the engine and by createHeap(), which differ in what they then give it.

import type { HostModule, HostResponse, HostUrl } from '../base/host_types.ts';

/** Where a wasm module comes from when not from beside this script. */
export type WasmSource = HostUrl | string | ArrayBuffer | ArrayBufferView<ArrayBuffer> | HostModule | HostResponse;

/** The module cannot be found, read, compiled or started; the message says what and where. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
}

/** From any source, by streaming where that is possible. */
export async function compileWasm(source: WasmSource): Promise<HostModule> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string') return compileWasm(new URL(source, baseAddress()));
  try {
    if (source instanceof URL) return await compileAt(source);
    if (typeof Response !== 'undefined' && source instanceof Response) return await compileResponse(source);
    return await WebAssembly.compile(source as BufferSource);
  } catch (cause) {
    throw new LoadError(`the wasm module cannot be loaded: ${textOf(cause)}`, { cause });
  }
}

/** What an error says. */
export const textOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

async function compileAt(url: URL): Promise<WebAssembly.Module> {
  if (url.protocol === 'file:') return WebAssembly.compile(readLocally(url));
  return compileResponse(await fetchFrom(url));
}

/** A small text beside the modules. */
export async function readText(address: HostUrl): Promise<string> {
  const url = new URL(address.href);
  if (url.protocol === 'file:') return new TextDecoder().decode(readLocally(url));
  const response = await fetchFrom(url);
  if (!response.ok) throw new LoadError(`${url.href}: ${response.status} ${response.statusText}`);
  return response.text();
}

function fetchFrom(url: URL): Promise<Response> {
  return fetch(url).catch((cause: unknown) => {
    throw new Error(`${url.href}: ${textOf(cause)}`, { cause });
  });
}

function readLocally(url: URL): Uint8Array<ArrayBuffer> {
  // Not import('node:fs'): bundlers for the web would fail on it, though it is never reached there.
  const files = nodeProcess()?.getBuiltinModule('node:fs');
  if (files === undefined) throw new Error(`${url.href} cannot be read here`);
  return files.readFileSync(url);
}

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  // Streaming refuses any other type; a server that does not know wasm gets the slower way.
  const streams = response.headers.get('content-type')?.startsWith('application/wasm') ?? false;
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** What a relative address given by the caller is relative to. */
function baseAddress(): string {
  if (typeof location !== 'undefined') return location.href;
  return `file://${nodeProcess()?.cwd() ?? ''}/`;
}

interface NodeProcess {
  cwd(): string;
  getBuiltinModule(name: 'node:fs'): { readFileSync(path: URL): Uint8Array<ArrayBuffer> } | undefined;
}
function nodeProcess(): NodeProcess | undefined {
  const found = (globalThis as { readonly process?: Partial<NodeProcess> }).process;
  return typeof found?.getBuiltinModule === 'function' ? (found as NodeProcess) : undefined;
}
