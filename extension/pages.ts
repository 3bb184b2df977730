// The panel's end of the bridges: what the frames of the page and their workers have recorded, and the modules that they ask for.

import { remoteRecorder } from '../web/src/live/link.ts';
import type { RemoteRecorder } from '../web/src/live/live_recorder.ts';
import type { Instrument } from './instrumenter.ts';
import type { FromPage, FromPanel, ToPage, ToPanel } from './messages.ts';
import { pageScripts } from './page_scripts.ts';

/** A module that records its heap. */
export interface Program {
  readonly name: string;
  readonly recorder: RemoteRecorder;
}

export interface PageListeners {
  come(program: Program): void;
  /** With its page, or because the page was asked anew. */
  gone(program: Program): void;
  problem(text: string): void;
}

export function followPage(port: chrome.runtime.Port, instrument: Instrument, listeners: PageListeners): void {
  const programs: Program[] = [];
  const wires = new Map<string, (message: unknown) => void>();
  const wanted = new Map<string, (bytes: Uint8Array<ArrayBuffer>) => void>();
  const say = (to: number, message: ToPage) => {
    if (isOpen) port.postMessage({ to, say: message } satisfies FromPanel);
  };
  let isOpen = true;

  function add(from: number, nth: number, name: string): void {
    const recorder = remoteRecorder({
      post: (message) => say(from, { is: 'wire', nth, message }),
      listen: (listener) => wires.set(`${from} ${nth}`, listener),
      close() {},
    });
    const program = { name, recorder };
    programs.push(program);
    listeners.come(program);
  }

  async function answer(from: number, { number, name, checksum }: Extract<FromPage, { is: 'module' }>): Promise<void> {
    const bytes = () =>
      new Promise<Uint8Array<ArrayBuffer>>((got) => {
        wanted.set(`${from} ${number}`, got);
        say(from, { is: 'wanted', number });
      });
    const made = await instrument({ name, checksum, bytes }, pageScripts).catch(String);
    wanted.delete(`${from} ${number}`);
    if (typeof made === 'string') listeners.problem(`${name} is not recorded: ${made}.`);
    say(from, typeof made === 'string' ? { is: 'module', number } : { is: 'module', number, bytes: made });
  }

  port.onMessage.addListener((message) => {
    const { from, say: said } = message as ToPanel;
    if (said.is === 'recorder') add(from, said.nth, said.title);
    else if (said.is === 'wire') wires.get(`${from} ${said.nth}`)?.(said.message);
    else if (said.is === 'problem') listeners.problem(said.text);
    else if (said.is === 'bytes') wanted.get(`${from} ${said.number}`)?.(said.bytes);
    else if (said.is === 'module') void answer(from, said);
  });
  port.onDisconnect.addListener(() => {
    isOpen = false;
    for (const program of programs) listeners.gone(program);
  });
}
