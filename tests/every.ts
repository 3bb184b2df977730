// How much a run takes: npm test one of each kind, npm run test:all (HG_TEST=all) every program, seed and combination of flags.

export const kEvery = process.env['HG_TEST'] === 'all';

/** All of them; in npm test the first `daily`. */
export const someOf = <T>(all: readonly T[], daily = 1): readonly T[] => (kEvery ? all : all.slice(0, daily));

/** How far a linked program is optimized where the test is not about that: a link at -O1 takes 0.6 s of processor time, at -O2 1.7, at -O3 4.4. */
export const kLevel = kEvery ? '-O2' : '-O1';
