// Holds the model against a trace's checkpoints: at each, the walk of the model must have the hash that the real heap's
// walk had there; then every event is undone, one by one, and the state must be the empty one.

import { undoEvent } from '../../web/src/model/state/apply.ts';
import { kGranuleStep } from '../../web/src/model/state/frame_table.ts';
import { HeapState } from '../../web/src/model/state/heap_state.ts';
import { captureKeyframe } from '../../web/src/model/state/keyframe.ts';
import { hashModelWalk } from '../../web/src/model/state/walk_compare.ts';
import { History } from '../../web/src/model/time/history.ts';
import { EventKind } from '../../web/src/protocol/event_layout.ts';
import { heapOf, type Trace } from '../../web/src/trace/trace.ts';

export interface Proof {
  readonly events: number;
  /** Checkpoints whose hash and number of records were the model's. */
  readonly checkpoints: number;
  /** Of those, how many were proved again on the way back. */
  readonly provedBackward: number;
  /** What is wrong; undefined when all is as it must be. */
  readonly problem: string | undefined;
}

/** Folds the whole trace and undoes it. On the way back every `backwardEvery`-th checkpoint is proved again. */
export function proveTrace(trace: Trace, backwardEvery: number): Proof {
  const history = new History(trace);
  const { head } = history;
  const checkpoints = checkpointsOf(trace);
  let proved = 0;
  let provedBackward = 0;
  const proof = (problem: string | undefined): Proof => ({
    events: trace.count,
    checkpoints: proved,
    provedBackward,
    problem,
  });

  for (const event of checkpoints) {
    history.fold(event - head.seq);
    if (history.broken !== undefined) return proof(`event ${history.broken.seq}: ${history.broken.text}`);
    const wrong = differenceAt(trace, head, event);
    if (wrong !== undefined) return proof(wrong);
    ++proved;
  }
  history.fold();
  if (history.broken !== undefined) return proof(`event ${history.broken.seq}: ${history.broken.text}`);
  if (head.seq !== trace.count) return proof(`folded ${head.seq} of ${trace.count} events`);

  for (let left = checkpoints.length - 1; head.seq > 0; ) {
    const event = checkpoints[left] ?? -1;
    if (event === head.seq) {
      if (left % backwardEvery === 0) {
        const wrong = differenceAt(trace, head, event);
        if (wrong !== undefined) return proof(`going back, ${wrong}`);
        ++provedBackward;
      }
      --left;
    }
    const last = head.seq - 1;
    undoEvent(head, history.lost, trace.head(last), trace.a(last), trace.b(last), trace.c(last));
  }
  return proof(remainsOf(head));
}

function checkpointsOf(trace: Trace): number[] {
  const found: number[] = [];
  for (let event = 0; event < trace.count; ++event) {
    if (trace.kind(event) === EventKind.checkpoint) found.push(event);
  }
  return found;
}

/** pre: the state is the one before `event`, a checkpoint */
function differenceAt(trace: Trace, state: HeapState, event: number): string | undefined {
  const heap = heapOf(trace.head(event));
  const model = hashModelWalk(state, heap, trace.version);
  if (model.hash === trace.a(event) && model.records === trace.b(event)) return undefined;
  const real = `${trace.b(event)} records, hash ${trace.a(event).toString(16)}`;
  return `checkpoint at event ${event}, heap ${heap}: the heap has ${real}; the model ${model.records}, ${model.hash.toString(16)}`;
}

/** What is left where nothing may be. */
function remainsOf(state: HeapState): string | undefined {
  const empty = new HeapState();
  empty.wordSize = state.wordSize;
  const found = captureKeyframe(state);
  if (JSON.stringify(found) !== JSON.stringify(captureKeyframe(empty)))
    return 'undone to zero, the state is not the empty one';
  if (state.chunks.some((word, at) => at % kGranuleStep === 0 && word !== 0)) return 'undone to zero, chunks remain';
  if (state.nodes.some((word) => word !== 0)) return 'undone to zero, nodes remain';
  if (state.pageStarts.some((count) => count !== 0)) return 'undone to zero, pages are not empty';
  return undefined;
}
