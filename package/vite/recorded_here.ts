// In a page or worker in development: modules go to the dev server before they are compiled, and come back with their recorders.
//
//   compilers.ts ─▶ POST: bytes, and who compiles them (served_wasm.ts) ─▶ 200: the recorded form   204: it stays as it is
//
//   here.1  A server that does not answer costs the recording, and never the module.

import { type CompiledModule, type Compilers, replaceCompilers } from '../../web/src/instrument/compilers.ts';
import { kCompiledHeader } from './compiled_by.ts';

type Bytes = CompiledModule['bytes'];

const kOk = 200;

/** `address`: where the server takes modules. */
export function recordModulesBy(address: string, followsThreads: Compilers['followsThreads']): void {
  const headersOf = ({ address: place, scripts }: CompiledModule) => ({
    'content-type': 'application/wasm',
    [kCompiledHeader]: encodeURIComponent(JSON.stringify({ address: place, scripts })),
  });

  async function recorded(module: CompiledModule): Promise<Bytes> {
    try {
      const answer = await fetch(address, { method: 'POST', headers: headersOf(module), body: module.bytes });
      return answer.status === kOk ? new Uint8Array(await answer.arrayBuffer()) : module.bytes;
    } catch {
      return module.bytes; // here.1
    }
  }

  /** A text whose letters are bytes: no other answer may be waited for. */
  function recordedAtOnce(module: CompiledModule): Bytes {
    try {
      const request = new XMLHttpRequest();
      request.open('POST', address, false);
      for (const [name, value] of Object.entries(headersOf(module))) request.setRequestHeader(name, value);
      request.overrideMimeType('text/plain; charset=x-user-defined');
      request.send(module.bytes);
      const text = request.responseText;
      return request.status === kOk ? Uint8Array.from(text, (letter) => letter.charCodeAt(0) & 0xff) : module.bytes;
    } catch {
      return module.bytes;
    }
  }

  const problem = (text: string) => console.warn(`heapglass: ${text}`);
  replaceCompilers({ recorded, recordedAtOnce, problem, followsThreads });
}
