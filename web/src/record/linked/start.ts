// The recorder of a program linked with --profile trace or checked, bundled as the Emscripten JavaScript library that
// `npx heapglass --ldflags` names (tools/build_recorder.mjs). It makes Module.heapglass; the type is Recorder in recorder_types.ts.
//
//   threads:  heapglass_take ─▶ take.ts ─ packet over a channel ─┐
//   main:     heapglass_take ─▶ take.ts ─ packet ────────────────┴▶ packets.ts ─▶ Module.heapglass: recorder.ts over source.ts

import { handleWatch, scriptAbove } from '../../handles/watch.ts';
import { joined } from '../../trace/trace_writer.ts';
import { makePackets } from '../packets.ts';
import { type FileOf, fileOfRing, plainFile } from '../plain_file.ts';
import { type EncodeFile, makeRecorder } from '../recorder.ts';
import { connect, isThread, memoryWords, publish } from './program.ts';
import { begin, newSession, take } from './session.ts';
import { makeSetBack } from './set_back.ts';
import { makeLinkedSource } from './source.ts';
import { type Deliver, type Place, takeAtLook } from './take.ts';

const kNotRecorded = 2; // no mode
const kNoProgram: FileOf = { version: 0, wordSize: 4 }; // before the first event

let channel: BroadcastChannel | undefined; // made when it is needed
function channelOf(id: number): BroadcastChannel {
  if (channel === undefined) channel = new BroadcastChannel(`heapglass-${id}`);
  return channel;
}

function startOnThread(): void {
  const deliver: Deliver = (packet, id) => channelOf(id).postMessage(packet);
  connect({
    begin: () => kNotRecorded, // the main thread always comes first
    take: (ring, state) => takeAtLook(placeOf(ring, state), deliver),
  });
}

function startOnMainThread(): void {
  const packets = makePackets();
  const session = newSession(packets, channelOf);
  connect({
    begin: (ring, state) => begin(session, placeOf(ring, state)),
    take: (ring, state) => take(session, placeOf(ring, state)),
    setBack: makeSetBack(session),
  });
  const encode: EncodeFile = (parts, notes) => {
    const of = session.place === undefined ? kNoProgram : fileOfRing(memoryWords(), session.place.ring);
    return joined(plainFile(of, parts, notes));
  };
  const recorder = makeRecorder(makeLinkedSource(session), packets, encode);
  publish(recorder);
  handleWatch().add(recorder, scriptAbove(0));
}

const placeOf = (ring: number, state: number): Place => ({ ring: ring >>> 0, state: state >>> 0 });

if (isThread) startOnThread();
else startOnMainThread();
