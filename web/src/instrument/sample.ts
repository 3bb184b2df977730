// --sample: one allocation in so many bytes is told, with the engine's own stack, and so is its free.
//
//   malloc(size):  left = countdown - size;  run it;  countdown = left;  left < 0 ─▶ recorder: sampled() ─▶ distance(), stack()
//   free(p):       bit hash(p) of filter is set ─▶ recorder: forget(p) ─▶ is it in the table of samples? ─▶ free
//
//   sample.1  The distance to the next sample is drawn from an exponential distribution, so each byte asked for is a sample with the same
//             probability, whatever was asked for before (trace/sampling.ts).
//   sample.2  While one of the family runs, the countdown is so large that nothing it asks of the others can end it. So only outermost
//             calls count, and a trap inside ends the sampling of that instance.
//   sample.3  countdown and filter are globals of the recorder that the program imports: reading one is no call.
//   sample.4  A bit of the filter is set while a sampled block has it; with more than 64 of them most are, and a free then costs a
//             call and a look into the table. Nothing is missed: a block's bit is cleared with the last block that has it. With threads
//             the filter is in the recorder's memory, so each free costs a call (sample_table.ts: T3).
//   sample.5  A realloc is a free of the old block, if that was sampled, and an allocation of the whole new size.
//             With threads the recorder keeps the lock meanwhile, so that no other thread tells first that it was given the old block.
//   sample.6  No function keeps a context; where a call stood in the original, place_map.ts tells.

import type binaryen from 'binaryen';
import { Op } from '../protocol/event_layout.ts';
import { readModule } from '../symbols/index.ts';
import { joined } from '../trace/trace_writer.ts';
import type { Member } from './family.ts';
import { addLocal, setBody } from './function_edit.ts';
import {
  type InstrumentContext,
  type Instrumented,
  type InstrumentOptions,
  type InstrumentPass,
  instrument,
} from './instrument.ts';
import { kPlaceSection, writePlaceMap } from './place_map.ts';
import { kNamespace } from './recorder_names.ts';
import { kBitShift, kHashFactor, sampleParts } from './sample_table.ts';
import { customSection } from './sections.ts';
import { addressOf, alignmentOf, innerCall, kLeave, requestOf } from './wrap.ts';

/** pre: 0 < mean < 2^31, whole */
export function instrumentSampled(
  lib: typeof binaryen,
  original: Uint8Array,
  mean: number,
  options: InstrumentOptions = {},
): Instrumented {
  const made = instrument(lib, original, { ...options, wrap: sampling(mean) });
  const places = writePlaceMap(readModule(made.binary), readModule(original));
  return { ...made, binary: joined([made.binary, customSection(kPlaceSection, places)]) };
}

const kCountdown = `${kNamespace}.countdown`;
const kFilter = `${kNamespace}.filter`;
const kSampled = `${kNamespace}.sampled`;
const kForget = `${kNamespace}.forget`;
const kHold = `${kNamespace}.hold`;
const kInside = 2n ** 62n; // sample.2

const sampling =
  (mean: number): InstrumentPass =>
  (context) => {
    const { lib, module, family, recorder, isShared, words } = context;
    const { i32, i64, none } = lib;
    const numbers = (count: number) => new Array<number>(count).fill(words.type);
    module.addGlobalImport(kCountdown, kNamespace, 'countdown', i64, true);
    if (isShared) {
      module.addFunctionImport(kHold, kNamespace, 'hold', words.type, i32);
      module.addFunctionImport(kLeave, kNamespace, 'leave', none, none);
    } else module.addGlobalImport(kFilter, kNamespace, 'filter', i64, true);
    module.addFunctionImport(kSampled, kNamespace, 'sampled', lib.createType([i32, ...numbers(4)]), none);
    module.addFunctionImport(kForget, kNamespace, 'forget', lib.createType(numbers(2)), none);
    for (const member of family.members) {
      if (member.role.size === undefined) watchFree(context, member);
      else countDown(context, member);
    }
    recorder.push(sampleParts(mean));
  };

function watchFree(context: InstrumentContext, { func, role }: Member): void {
  const { lib, module, words } = context;
  const freeing = module.getFunction(func);
  const { body, results } = lib.getFunctionInfo(freeing);
  const forget = forgetIfSampled(context, () => module.local.get(role.from ?? 0, words.type));
  setBody(lib, freeing, module.block(null, [forget, body], results));
}

function forgetIfSampled({ lib, module, words, isShared }: InstrumentContext, address: () => number): number {
  const { i64, none } = lib;
  const { i32 } = module;
  const forget = module.call(kForget, [address(), words.pages()], none);
  if (isShared) return forget;
  const bit = i32.shr_u(i32.mul(words.low(address()), i32.const(kHashFactor)), i32.const(kBitShift));
  const bits = module.i64.shr_u(module.global.get(kFilter, i64), module.i64.extend_u(bit));
  return module.if(i32.and(i32.wrap(bits), i32.const(1)), forget);
}

function countDown(context: InstrumentContext, { func, role }: Member): void {
  const { lib, module, words, isShared } = context;
  const { i32, i64, none } = lib;
  const call = innerCall(lib, module, func);
  const wrapper = module.getFunction(func);
  const { results } = lib.getFunctionInfo(wrapper);
  const result = addLocal(lib, wrapper, results);
  const left = addLocal(lib, wrapper, i64);
  const argument = (index: number) => module.local.get(index, words.type);
  const given = () => module.local.get(result, results);
  const request = () => requestOf(words, role, argument);
  const countdown = module.global.get(kCountdown, i64);
  const held = isShared && role.from !== undefined ? addLocal(lib, wrapper, i32) : undefined;
  const { from } = role;
  const lines: number[] = [];
  if (held !== undefined) lines.push(module.local.set(held, module.call(kHold, [argument(from ?? 0)], i32)));
  lines.push(
    module.local.set(left, module.i64.sub(countdown, words.long(request()))),
    module.global.set(kCountdown, module.i64.const(kInside as unknown as number)),
    module.local.set(result, call()),
    module.global.set(kCountdown, module.local.get(left, i64)),
  );
  if (from !== undefined) {
    // realloc(p, 0) that gives nothing has freed the block; with a size it has failed and left it
    const isGone = module.i32.or(module.i32.eqz(words.isZero(given())), words.isZero(request()));
    lines.push(
      module.if(
        isGone,
        forgetIfSampled(context, () => argument(from)),
      ),
    );
  }
  const values = [
    module.i32.const(from === undefined ? role.op : Op.allocate),
    request(),
    alignmentOf(words, role, argument),
    addressOf(module, words, role, argument, given),
    words.pages(),
  ];
  const isSampled = module.i64.lt_s(module.local.get(left, i64), module.i64.const(0n as unknown as number));
  lines.push(module.if(isSampled, module.call(kSampled, values, none)));
  if (held !== undefined) lines.push(module.if(module.local.get(held, i32), module.call(kLeave, [], none)));
  lines.push(given());
  setBody(lib, wrapper, module.block(null, lines, results));
}
