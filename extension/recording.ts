// In a recorded page or worker, before its own scripts: modules go to the panel before they are compiled, and get their recorders.
//
//   compilers.ts ─▶ checksum, and bytes when they are wanted ─▶ panel ─▶ bytes of the recorded form ─▶ the browser's own compiler
//
//   re.1  A module that cannot be recorded is compiled as it is; why is said in the panel.
//   re.2  `new WebAssembly.Module` cannot wait for an answer: such a module is not recorded.
//   re.3  What is said before a panel has connected waits for it. Without one nothing waits.
//   re.4  A browser makes checksums only for secure pages and on the machine itself; a page by http has none to say.

import { fetchText, sourcePlaces } from '../web/src/handles/source_places.ts';
import { handleWatch } from '../web/src/handles/watch.ts';
import { type Compilers, nameOf, replaceCompilers } from '../web/src/instrument/compilers.ts';
import type { InstrumentedRecorder } from '../web/src/instrument/instrumented_recorder.ts';
import { install, type LoaderOptions } from '../web/src/instrument/loader.ts';
import { serveRecorder } from '../web/src/live/link.ts';
import { checksumOf } from './checksum.ts';
import type { FromPage, ToPage } from './messages.ts';

export interface RecordingOptions
  extends Pick<LoaderOptions, 'sharedMemory' | 'isThread'>,
    Pick<Compilers, 'followsThreads'> {
  /** To the bridge. */
  readonly port: MessagePort;
  /** What the panel calls the next recorder. */
  title(): string;
}

interface Made {
  readonly recorder: InstrumentedRecorder;
  readonly title: string;
  /** What the glass in the panel asks of it. */
  asked: (message: unknown) => void;
  end: (reason: string) => void;
}

/** A module whose recorded form the page waits for. */
interface Waiting {
  readonly said: FromPage;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly answer: (bytes?: Uint8Array<ArrayBuffer>) => void;
}

/** Gives what says a problem. */
export function startRecording({ port, title, followsThreads, ...loading }: RecordingOptions): (text: string) => void {
  const made: Made[] = [];
  const waiting = new Map<number, Waiting>();
  const problems: string[] = [];
  let state: 'unknown' | 'panel' | 'alone' = 'unknown';
  let asked = 0;
  const say = (message: FromPage) => {
    if (state === 'panel') port.postMessage(message);
  };

  function serve(nth: number): void {
    const one = made[nth];
    if (one === undefined) return;
    const wire = {
      post: (message: unknown) => say({ is: 'wire', nth, message }),
      listen(listener: (message: unknown) => void) {
        one.asked = listener;
      },
      close() {},
    };
    one.end = serveRecorder(wire, one.recorder, () => {});
    say({ is: 'recorder', nth, title: one.title });
  }

  port.onmessage = ({ data }: MessageEvent<ToPage>) => {
    if (data.is === 'module') {
      waiting.get(data.number)?.answer(data.bytes);
      waiting.delete(data.number);
    } else if (data.is === 'wanted') {
      const module = waiting.get(data.number);
      if (module !== undefined) say({ is: 'bytes', number: data.number, bytes: module.bytes });
    } else if (data.is === 'wire') made[data.nth]?.asked(data.message);
    else {
      for (const { end } of made) end('the panel has closed');
      state = data.is;
      if (state === 'panel') {
        for (const nth of made.keys()) serve(nth);
        for (const text of problems) say({ is: 'problem', text });
        for (const { said } of waiting.values()) say(said);
      } else {
        for (const { answer } of waiting.values()) answer();
        waiting.clear();
      }
    }
  };

  const recorded: Compilers['recorded'] = async (module) => {
    const { bytes } = module;
    const checksum = isSecureContext ? await checksumOf(bytes) : undefined; // re.4
    if (state === 'alone') return bytes; // re.3
    const said = { is: 'module', number: ++asked, name: nameOf(module), checksum } as const;
    const answer = new Promise<Uint8Array<ArrayBuffer> | undefined>((resolve) =>
      waiting.set(said.number, { said, bytes, answer: resolve }),
    );
    say(said);
    return (await answer) ?? bytes;
  };
  const problem = (text: string) => {
    problems.push(text);
    say({ is: 'problem', text });
  };

  replaceCompilers({ recorded, problem, followsThreads });
  handleWatch().resolveBy(sourcePlaces(fetchText));
  install({
    ...loading,
    onRecorder(recorder, shared) {
      if (shared !== undefined && loading.isThread?.() === true) return; // another realm has it
      made.push({ recorder, title: title(), asked() {}, end() {} });
      if (state === 'panel') serve(made.length - 1);
    },
  });
  return problem;
}
