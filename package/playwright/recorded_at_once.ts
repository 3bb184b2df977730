// The recorded form of a module for a script that cannot wait: a request that the test answers. Where the page's policy forbids it, the module
// stays as it is.

import type { CompiledModule } from '../../web/src/instrument/compilers.ts';
import { base64Of, bytesOf } from './base64.ts';
import { type Compiled, kNoServer, kRecordPath } from './page_names.ts';

/** What the test answers on the page's own server, or on none. */
export const answeredAt = (path: string): string =>
  new URL(path, /^https?:/.test(location.origin) ? location.origin : kNoServer).href;

export const compiledOf = ({ bytes, address, scripts }: CompiledModule): Compiled => ({
  bytes: base64Of(bytes),
  scripts,
  ...(address === undefined ? {} : { address }),
});

export function recordedAtOnce(module: CompiledModule): CompiledModule['bytes'] {
  const request = new XMLHttpRequest();
  try {
    request.open('POST', answeredAt(kRecordPath), false);
    request.send(JSON.stringify(compiledOf(module)));
  } catch {
    return module.bytes;
  }
  return request.status === 200 ? bytesOf(request.responseText) : module.bytes;
}
