// HG_TRUTH_SEEDS=901,902: what stands on the screen is compared with the model at random moments of the random programs of these seeds, each
// with every kind of call, instead of those that are compared daily.

const kKinds = ['run', 'runMalloc', 'runSmall'] as const;
const given = process.env['HG_TRUTH_SEEDS'];

export const kTruthSeeds: readonly (readonly [seed: number, kind: (typeof kKinds)[number]])[] | undefined = given
  ?.split(',')
  .flatMap((seed) => kKinds.map((kind) => [Number(seed), kind] as const));
