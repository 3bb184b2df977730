// In every frame of every page, apart from the page's own scripts. It does nothing until the script asks that the panel has injected; then
// it passes on what page, workers and panel say to each other.
//
//   br.1  A panel connects to the frames of its own tab. Where none does, or it goes away, the page is told and runs on as it is.

import {
  type FromPage,
  type FromPanel,
  isHere,
  kBegin,
  kBridge,
  kHere,
  type ToPage,
  type ToPanel,
} from './messages.ts';

const places: MessagePort[] = [];
let panel: chrome.runtime.Port | undefined;

addEventListener('message', (event: MessageEvent<unknown>) => {
  const [port] = event.ports;
  if (event.source !== window || event.data !== kBegin || port === undefined) return;
  event.stopImmediatePropagation();
  add(port);
  void callPanel();
});
document.dispatchEvent(new Event(kBridge));

chrome.runtime.onMessage.addListener((message) => {
  if (isHere(message) && places.length > 0) void callPanel();
});

chrome.runtime.onConnect.addListener((port) => {
  panel = port;
  port.onMessage.addListener((message) => {
    const { to, say } = message as FromPanel;
    places[to]?.postMessage(say);
  });
  port.onDisconnect.addListener(() => {
    if (panel !== port) return;
    panel = undefined;
    sayAll({ is: 'alone' });
  });
  sayAll({ is: 'panel' });
});

async function callPanel(): Promise<void> {
  const has = await chrome.runtime.sendMessage(kHere).catch(() => false); // no panel is open
  if (has !== true && panel === undefined) sayAll({ is: 'alone' });
}

function add(port: MessagePort): void {
  const from = places.push(port) - 1;
  port.onmessage = ({ data, ports: [other] }: MessageEvent<FromPage>) => {
    if (data.is === 'worker' && other !== undefined) add(other);
    else panel?.postMessage({ from, say: data } satisfies ToPanel);
  };
  if (panel !== undefined) port.postMessage({ is: 'panel' } satisfies ToPage);
}

function sayAll(message: ToPage): void {
  for (const place of places) place.postMessage(message);
}
