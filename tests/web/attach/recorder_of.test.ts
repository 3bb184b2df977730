// What attach takes, by what it is: a real module's instance and exports, a heap that keeps its events, and what is none of these.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AttachError } from '../../../web/src/attach/attach_error.ts';
import { type Attachable, recorderOf } from '../../../web/src/attach/recorder_of.ts';
import { kTraceVersion } from '../../../web/src/protocol/event_layout.ts';
import type { Packet, Recorder } from '../../../web/src/record/recorder_types.ts';

async function traceModule(): Promise<WebAssembly.WebAssemblyInstantiatedSource> {
  const bytes = readFileSync(new URL('../../../build/wasm/heapglass-trace.wasm', import.meta.url));
  const nothing = () => {};
  return WebAssembly.instantiate(bytes, {
    env: { emscripten_notify_memory_growth: nothing },
    heapglass: { drain: nothing },
  });
}

function refused(target: unknown): AttachError {
  try {
    recorderOf(target as Attachable, undefined);
  } catch (error) {
    if (error instanceof AttachError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

const isEmpty = ({ records }: Packet): boolean => records.length === 0;

describe('of a module with probes', () => {
  it.each(['instance', 'exports', 'source'] as const)('its %s gives what it does', async (what) => {
    const made = await traceModule();
    const { exports } = made.instance as unknown as {
      exports: { hg_heap_allocate(heap: number, size: number): number };
    };
    const given = { instance: made.instance, exports, source: made }[what];
    const recorder = recorderOf(given as unknown as Attachable, undefined);
    const heard: Packet[] = [];
    recorder.subscribe((packet) => heard.push(packet));
    heard.length = 0;
    exports.hg_heap_allocate(0, 100);
    recorder.drain();
    expect(heard.some((packet) => !isEmpty(packet))).toBe(true);
  });
});

describe('is refused, with what to do:', () => {
  it.each([
    [null, 'null is nothing to attach to'],
    [undefined, 'undefined is nothing to attach to'],
    ['heap', 'string is nothing to attach to'],
    [{}, 'there is no recorder in this module'],
    [{ allocate: () => 0, mallocAs: () => 0 }, 'this heap records nothing'],
    [{ memory: { buffer: new ArrayBuffer(8) }, hg_trace_ring: () => 8 }, 'there is no recorder in this module'],
    [{ drain: () => {} }, 'there is no recorder in this module'],
  ])('%o', (target, text) => {
    const { code, message } = refused(target);
    expect(code).toBe('no_recorder');
    expect(message).toContain(text);
  });

  it('a module whose events are of another version', () => {
    const { code, message } = refused({ heapglass: recorderThat({ version: kTraceVersion + 1 }) });
    expect(code).toBe('other_version');
    expect(message).toContain(`version ${kTraceVersion + 1}, and this package reads version ${kTraceVersion}`);
  });
});

/** A recorder of a linked program, with the arguments of each subscription. */
function recorderThat(has: Partial<Recorder>, asked: unknown[] = []): Recorder {
  const subscribe: Recorder['subscribe'] = (_, options) => {
    asked.push(options?.past);
    return () => {};
  };
  return { version: kTraceVersion, keep: 'all', drain: () => {}, checkpoint: () => {}, subscribe, ...has } as Recorder;
}

describe('of a linked program', () => {
  it.each([
    [{ keep: 'all' }, [false, true]],
    [{ keep: 'none' }, [false, false]],
    [{ keep: 'all', version: 0 }, [false, true]],
  ] as const)('%o its past is asked for only where it keeps one', (has, expected) => {
    const asked: unknown[] = [];
    const recorder = recorderOf({ heapglass: recorderThat(has, asked) }, undefined);
    recorder.subscribe(() => {});
    recorder.subscribe(() => {}, { past: true });
    expect(asked).toEqual(expected);
  });
});
