// The workers of a recorded page: what they compile is instrumented, and what they record is sent, by way of the page.
//
//   page.3  A worker that is busy answers late, and one that has ended never. A test waits kPatience for it, and then not again before the worker has
//           said something. What it has sent before is there in any case, since a full batch is posted from inside malloc.

import type { CompiledModule } from '../../web/src/instrument/compilers.ts';
import type { FromWorker, ToWorker } from './worker_names.ts';

const kPatience = 1000; // milliseconds

export interface PageWorkersOptions {
  recorded(module: CompiledModule): Promise<CompiledModule['bytes']>;
  /** A new module among those of the page: its number. */
  begin(): number;
  send(module: number, records: Uint32Array): void;
  problem(text: string): void;
}

export interface PageWorkers {
  /** Of a worker that begins. */
  connect(port: MessagePort): void;
  /** Until all have drained their modules, and put the mark onto their time lines. */
  ask(mark?: string): Promise<void>;
}

export function pageWorkers({ recorded, begin, send, problem }: PageWorkersOptions): PageWorkers {
  const ports: MessagePort[] = [];
  const late = new Set<MessagePort>(); // page.3
  const waiting = new Map<number, () => void>();
  let asked = 0;
  const say = (port: MessagePort, message: ToWorker) => port.postMessage(message);

  function connect(port: MessagePort): void {
    const modules: number[] = [];
    ports.push(port);
    port.onmessage = async ({ data, ports: [other] }: MessageEvent<FromWorker>) => {
      late.delete(port);
      if (data.is === 'worker') {
        if (other !== undefined) connect(other);
      } else if (data.is === 'problem') problem(data.text);
      else if (data.is === 'compile')
        say(port, { is: 'compiled', number: data.number, bytes: await recorded(data.module) });
      else if (data.is === 'events') {
        modules[data.module] ??= begin();
        send(modules[data.module] as number, data.records);
      } else {
        waiting.get(data.number)?.();
        waiting.delete(data.number);
      }
    };
  }

  return {
    connect,
    async ask(mark) {
      await Promise.all(
        ports.map((port) => {
          const number = ++asked;
          say(port, { is: 'ask', number, ...(mark === undefined ? {} : { mark }) });
          if (late.has(port)) return undefined;
          return new Promise<void>((resolve) => {
            const patience = setTimeout(() => {
              late.add(port);
              resolve();
            }, kPatience);
            waiting.set(number, () => {
              clearTimeout(patience);
              resolve();
            });
          });
        }),
      );
    },
  };
}
