// The link matrix: ways to link a program, and what each must print. Every row is linked with an archive of heapglass's malloc.

export interface Row {
  readonly name: string;
  readonly program: 'daily.c' | 'containers.cpp' | 'threads.c' | 'ends.c' | 'family.c' | 'wrap.c';
  readonly flags: readonly string[];
  /** Part of npm test, with the profile fast; npm run test:all (and check:links) runs every row with every profile. */
  readonly daily: boolean;
  /** The program is told to end, so its exit handlers run. */
  readonly exits: boolean;
}

const row = (name: string, flags: string, more: Partial<Row> = {}): Row => ({
  name,
  program: 'daily.c',
  flags: flags.split(' '),
  daily: true,
  exits: false,
  ...more,
});
const later = { daily: false };
const threads = { program: 'threads.c' } as const;
// A thread's stack is 2 MiB in older Emscriptens. The main thread waits for the others, which Node must have started before.
const kThreads = '-O2 -pthread -sEXIT_RUNTIME -sPTHREAD_POOL_SIZE=3 -sINITIAL_MEMORY=64MB';

export const kRows: readonly Row[] = [
  row('no flag', '-O2'),
  row('-sMALLOC=none', '-O2 -sMALLOC=none', later),
  row('-sMALLOC=emmalloc', '-O2 -sMALLOC=emmalloc', later),
  row('-sMALLOC=dlmalloc', '-O2 -sMALLOC=dlmalloc', later),
  row('-sMALLOC=mimalloc', '-O2 -sMALLOC=mimalloc'),
  row('-flto', '-O2 -flto', later),
  row('-flto, -sMALLOC=none', '-O3 -flto -sMALLOC=none', later),
  row('-sEXIT_RUNTIME', '-O2 -sEXIT_RUNTIME', { exits: true, ...later }),
  row('growth', '-O2 -sALLOW_MEMORY_GROWTH', later),
  row('growth from little memory', '-O2 -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=6MB'),
  row('UBSan', '-O1 -fsanitize=undefined', later),
  row('UBSan, -sMALLOC=none', '-O1 -fsanitize=undefined -sMALLOC=none', later),
  row('-sASSERTIONS=2', '-O1 -sASSERTIONS=2', later),
  row('-sSAFE_HEAP', '-O1 -sSAFE_HEAP', later),
  row('-sSAFE_HEAP, growth', '-O1 -sSAFE_HEAP -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=6MB', later),
  row('-O0', '-O0'),
  row('-O3', '-O3', later),
  row('-Oz', '-Oz', later),
  row('standalone', '-O2 -sSTANDALONE_WASM', { exits: true }),
  row('standalone, growth, -sMALLOC=none', '-O2 -sSTANDALONE_WASM -sALLOW_MEMORY_GROWTH -sMALLOC=none', {
    exits: true,
    ...later,
  }),
  row('C++', '-O2', { program: 'containers.cpp' }),
  row('C++, -sMALLOC=none, growth', '-O2 -sMALLOC=none -sALLOW_MEMORY_GROWTH', { program: 'containers.cpp', ...later }),
  row('C++, -flto', '-O3 -flto', { program: 'containers.cpp', ...later }),
  row('C++, -O0', '-O0', { program: 'containers.cpp', ...later }),
  row('the whole family', '-O1 -fno-builtin', { program: 'family.c' }),
  row('the whole family, -sMALLOC=none', '-O1 -fno-builtin -sMALLOC=none', { program: 'family.c', ...later }),
  row('the whole family, -sMALLOC=emmalloc', '-O1 -fno-builtin -sMALLOC=emmalloc', { program: 'family.c', ...later }),
  row('the whole family, standalone', '-O1 -fno-builtin -sSTANDALONE_WASM', { program: 'family.c', ...later }),
  row('a malloc of its own', '-O1 -fno-builtin', { program: 'wrap.c' }),
  row('a malloc of its own, -O2, -flto', '-O2 -flto -fno-builtin', { program: 'wrap.c', ...later }),
  row('a malloc of its own, -sMALLOC=emmalloc', '-O1 -fno-builtin -sMALLOC=emmalloc', { program: 'wrap.c', ...later }),
  row('a malloc of its own, -sMALLOC=none', '-O1 -fno-builtin -sMALLOC=none', { program: 'wrap.c', ...later }),
  row('-pthread', kThreads, threads),
  row('-pthread, threads that end', kThreads.replace('POOL_SIZE=3', 'POOL_SIZE=6'), { program: 'ends.c', ...later }),
  row('-pthread, -sMALLOC=none', `${kThreads} -sMALLOC=none`, { ...threads, ...later }),
  row('-pthread, -sMALLOC=mimalloc', `${kThreads} -sMALLOC=mimalloc`, { ...threads, ...later }),
  row('-pthread, growth', `${kThreads} -sALLOW_MEMORY_GROWTH`, { ...threads, ...later }),
  row('-pthread, -flto', `${kThreads} -flto`, { ...threads, ...later }),
  row('-pthread, UBSan', `${kThreads} -fsanitize=undefined`, { ...threads, ...later }),
  row('-pthread, -sASSERTIONS=2', `${kThreads} -sASSERTIONS=2`, { ...threads, ...later }),
  row('-sPROXY_TO_PTHREAD', '-O2 -pthread -sPROXY_TO_PTHREAD -sEXIT_RUNTIME -sINITIAL_MEMORY=64MB', {
    ...threads,
    ...later,
  }),
  row('-sPROXY_TO_PTHREAD, daily', '-O2 -pthread -sPROXY_TO_PTHREAD -sEXIT_RUNTIME -sINITIAL_MEMORY=64MB', {
    exits: true,
    ...later,
  }),
];

export const kProfiles = ['fast', 'small', 'hardened', 'checked', 'trace'] as const;
export type Profile = (typeof kProfiles)[number];

/** What `npx heapglass --ldflags` prints beside the archive. */
export const kThreadFlags = ['-Wl,-u,pthread_key_create,-u,pthread_setspecific'];

export const needsThreads = ({ flags }: Row): boolean => flags.includes('-pthread');

export function expectedOutput({ program, exits }: Row): string[] {
  switch (program) {
    case 'daily.c':
      return [
        'sorted 83a58adc',
        'grown and zeroed, 0 wrong',
        'aligned, 0 wrong',
        'refused, 0 wrong',
        'counted 1 1 1',
        'an environment of 1, 19',
        'heapglass 1',
        ...(exits ? ['bye'] : []),
      ];
    case 'containers.cpp':
      return ['words b2a724d9', 'aligned new, 0 wrong', 'a stream of 3 parts', 'heapglass 1'];
    case 'threads.c':
      return ['swapped, 0 wrong', '90 threads left next to nothing', 'heapglass 1'];
    case 'wrap.c':
      return ['wrapped, 0 wrong', 'heapglass 1'];
    case 'ends.c':
      return ['72 threads ended, 0 wrong'];
    case 'family.c':
      return ['the whole family, 0 wrong'];
  }
}
