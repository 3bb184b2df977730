// The frame in which a visitor's script runs: a document of the page's folder without an origin (sandbox), whose policy allows no address.
//
//   page ── code, module, text, one end of a channel ──▶ frame ──▶ its worker ── the other end ──▶ page
//
//   F1  A frame of an address has a policy of its own; one of srcdoc or blob: would have the page's, which a script's eval breaks.
//   F2  The worker's code is one text and the module bytes: the frame can load neither.
//   F3  Removing the frame ends its worker.

import type { ScriptPort } from './script_client.ts';

export function startSealed(text: string): ScriptPort {
  const frame = document.createElement('iframe');
  const { port1, port2 } = new MessageChannel();
  const over = new AbortController();
  const port: ScriptPort = {
    onmessage: undefined,
    onerror: undefined,
    terminate() {
      over.abort();
      port1.onmessage = null;
      port1.close();
      frame.remove();
    },
  };
  const fail = (cause: unknown) => port.onerror?.(cause instanceof Error ? cause.message : String(cause));

  port1.onmessage = ({ data }: MessageEvent<unknown>) => port.onmessage?.(data);
  const listen = ({ source, data }: MessageEvent<unknown>) => {
    if (source === null || source !== frame.contentWindow) return;
    const { failed } = (data ?? {}) as { readonly failed?: unknown };
    if (typeof failed === 'string') fail(failed);
  };
  window.addEventListener('message', listen, { signal: over.signal });
  frame.hidden = true;
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.title = 'Script';
  frame.src = new URL('sealed.html', document.baseURI).href;
  const loaded = new Promise<void>((done) => {
    frame.addEventListener('load', () => done(), { once: true });
  });
  document.body.append(frame);
  Promise.all([materials(), loaded])
    .then(([{ code, wasm }]) => {
      if (over.signal.aborted) return;
      frame.contentWindow?.postMessage({ code, wasm, text }, '*', [wasm, port2]); // it has no origin to name
    })
    .catch(fail);
  return port;
}

/** F2 */
async function materials(): Promise<{ readonly code: string; readonly wasm: ArrayBuffer }> {
  const { code, wasm } = await import('../script/worker.ts?sealed');
  const response = await fetch(wasm);
  if (!response.ok) throw new Error(`the module could not be loaded: ${response.status}`);
  return { code, wasm: await response.arrayBuffer() };
}
