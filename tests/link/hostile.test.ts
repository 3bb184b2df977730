// Daily without the two that repeat another beside sbrk.
// Where memory is shared with others, refused, or larger than a signed word; linked by the toolchain, run as a user would.

import { describe, expect, test } from 'vitest';
import { kLevel } from '../every.ts';
import { kProfiles } from './matrix.ts';
import { archive, kFull, toolchains } from './toolchain.ts';

interface Case {
  readonly name: string;
  readonly argument: string;
  readonly flags: string;
  readonly prints: string;
}

const kCases: readonly Case[] = [
  {
    name: 'a program that calls sbrk between mallocs shares memory with them',
    argument: 'share',
    flags: '-sALLOW_MEMORY_GROWTH',
    prints: 'shared, 0 wrong',
  },
  {
    name: 'memory that may not grow: malloc returns NULL, errno is ENOMEM, the program goes on',
    argument: 'run_out',
    flags: '-sABORTING_MALLOC=0 -sINITIAL_MEMORY=6MB',
    prints: 'the program goes on, 0 wrong',
  },
  {
    name: 'memory that may grow to a maximum only',
    argument: 'run_out',
    flags: '-sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=6MB -sMAXIMUM_MEMORY=24MB',
    prints: 'the program goes on, 0 wrong',
  },
  {
    name: '4 GiB: addresses and sizes beyond 2 GiB, up to the end of memory',
    argument: 'middle',
    flags: '-sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB',
    prints: 'beyond 2 GiB: 1, 0 wrong',
  },
  {
    name: '3 GiB in a memory of 4 GiB, grown and shrunk in place, alignments up to 2 GiB',
    argument: 'three',
    flags: '-sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB',
    prints: '3 GiB, 0 wrong',
  },
  {
    name: '3 GiB where the program also uses sbrk',
    argument: 'three',
    flags: '-sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sMALLOC=none -Wl,-u,sbrk',
    prints: '3 GiB, 0 wrong',
  },
  {
    name: 'alignments up to 1 MiB',
    argument: 'align',
    flags: '-sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=1GB',
    prints: 'aligned, 0 wrong',
  },
  {
    name: 'alignments up to 1 MiB where the program also uses sbrk',
    argument: 'align',
    flags: '-O1 -sALLOW_MEMORY_GROWTH -sSAFE_HEAP',
    prints: 'aligned, 0 wrong',
  },
];

const kBesideSbrk = /where the program also uses sbrk$/;
const kDaily = ['fast'] as const; // in npm run test:all also trace, which takes the heap's own paths, as builds with threads do

for (const toolchain of toolchains()) {
  describe(`Emscripten ${toolchain.version}`, () => {
    for (const profile of kFull ? kProfiles : kDaily) {
      for (const { name, argument, flags, prints } of kCases.filter(({ name }) => kFull || !kBesideSbrk.test(name))) {
        test(`${name}, profile ${profile}`, async () => {
          const file = `hostile_${profile}_${kCases.findIndex((other) => other.flags === flags)}`; // linked once
          const linked = await toolchain.link(file, ['hostile.c'], [archive(profile), kLevel, ...flags.split(' ')]);
          expect((await linked.run(argument)).trim()).toBe(prints);
        });
      }
    }
  });
}
