// The expansion command, with its flags and its result as objects.

import { CommandFlag, kCommandResultLayout, kStatusTexts } from '../protocol/event_layout.ts';
import { kScratch } from '../wasm/heap_scratch.ts';
import { addressOf, type Check, checkOptions, isBoolean, isSize, sizeOf } from './arguments.ts';
import type { HeapModule } from './heap_module.ts';
import type { Command, CommandResult } from './heap_types.ts';

const kFields: Readonly<Record<keyof Command, Check>> = {
  allocateNew: isBoolean,
  expandForward: isBoolean,
  expandBackward: isBoolean,
  shrinkInPlace: isBoolean,
  tryShrinkInPlace: isBoolean,
  objectSize: isSize,
  limit: isSize,
  preferred: isSize,
  reuse: isSize,
};

/** Refuses what is no command (arguments.A1). Flags that contradict each other are the command's own to refuse: its status says so. */
export function checkCommand(command: Command): void {
  checkOptions('command', command, kFields, ['limit', 'preferred']);
}

export function runCommand(module: HeapModule, heap: number, command: Command): CommandResult {
  const { functions, views, scratch } = module;
  const at = scratch + kScratch.commandResult;
  const flags =
    CommandFlag.nothrowAllocation |
    (command.allocateNew ? CommandFlag.allocateNew : 0) |
    (command.expandForward ? CommandFlag.expandFwd : 0) |
    (command.expandBackward ? CommandFlag.expandBwd : 0) |
    (command.shrinkInPlace ? CommandFlag.shrinkInPlace : 0) |
    (command.tryShrinkInPlace ? CommandFlag.tryShrinkInPlace : 0);
  const objectSize = sizeOf(command.objectSize ?? 1, 'objectSize');
  const limit = sizeOf(command.limit, 'limit');
  const preferred = sizeOf(command.preferred, 'preferred');
  functions.hg_heap_command(at, heap, flags, objectSize, limit, preferred, addressOf(command.reuse ?? 0, 'reuse'));
  return {
    address: views.word(at + kCommandResultLayout.mem),
    received: views.word(at + kCommandResultLayout.received),
    reused: views.word(at + kCommandResultLayout.reused) !== 0,
    status: kStatusTexts.get(views.word(at + kCommandResultLayout.status)) ?? 'unknown status',
  };
}
