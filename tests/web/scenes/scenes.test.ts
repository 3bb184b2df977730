// Every scene, on the real module, with three seeds: what it claims is counted again on the model.

import { describe, expect, test } from 'vitest';
import { addr, bytes, type Seq, seq } from '../../../web/src/base/brand.ts';
import { kindOf } from '../../../web/src/panels/learn/scene_place.ts';
import { puzzleSolved } from '../../../web/src/panels/learn/scene_puzzle.ts';
import { ChunkState } from '../../../web/src/protocol/map_frames.ts';
import { kSceneScenarios, kScenes } from '../../../web/src/scenes/index.ts';
import { kScenePrefix } from '../../../web/src/scenes/scene.ts';
import { kWholeMap, makeEngine, partsIn, wanting } from '../engine/harness.ts';
import { kClaims, kPlaceKinds } from './claims.ts';
import { kNumberClaims } from './number_claims.ts';

const kSeeds = [1, 2, 77];

async function play(id: string, seed: number, number?: number) {
  const { run, ask, frame, notes, operate } = makeEngine();
  await run(kScenePrefix + id, seed, number);
  const { steps } = await ask({ type: 'sceneSteps' }, 'sceneSteps');
  const at = (moment: Seq, place: number | undefined) =>
    frame({
      at: { to: 'seq', seq: moment },
      map: kWholeMap,
      ...wanting({ inspect: place === undefined ? undefined : addr(place) }),
    });
  return { steps, at, frame, operate, last: notes.at(-1) };
}

const titleOf = (id: string, step: { readonly title: string }) => `${id}: ${step.title}`;

describe('a scene', () => {
  test.each(kScenes.map(({ id }) => id))('%s runs to its end, and its claims are so', async (id) => {
    const scene = kScenes.find((each) => each.id === id);
    for (const seed of kSeeds) {
      const { steps, at, frame, last } = await play(id, seed);
      expect(last).toMatchObject({ running: false, message: undefined });
      const { status } = await frame();
      expect([status.mismatch, status.verifiedAt]).toEqual([undefined, status.head]);
      expect(steps).toHaveLength(scene?.steps.length ?? -1);
      for (const [nth, step] of steps.entries()) {
        const { question, ...info } = scene?.steps[nth] ?? { title: '' };
        if (question === undefined) continue;
        const title = `${titleOf(id, info)}, seed ${seed}`;
        expect(step.to, title).toBeGreaterThan(step.from);
        const place = step.places?.[0];
        const before = await at(step.from, place);
        const after = await at(step.to, place);
        if (question.kind === 'choice') {
          expect(kClaims[titleOf(id, info)]?.({ before, after }), title).toBe(step.right);
          expect(step.right, title).toBe(question.options.findIndex(({ wrong }) => wrong === undefined));
          continue;
        }
        const there = partsIn(before).inspect;
        expect(there && kindOf(there), title).toBe(kPlaceKinds[titleOf(id, info)]);
        // A place can be clicked, and what lies there changes, or stays as the evidence that it is.
        expect(['chunk', 'node'], title).toContain(partsIn(before).inspect?.what);
        const taken = (inspect = partsIn(before).inspect) =>
          inspect?.node === undefined ? inspect?.state === ChunkState.inUse : inspect.node.inUse;
        expect(taken() === taken(partsIn(after).inspect), title).toBe(question.stays === true);
        for (const name of Object.keys(step.wrongPlaces ?? {})) expect(question.wrongs[name], title).toMatch(/\.$/);
      }
    }
  });

  test.each(kScenes.map(({ id }) => id))('%s looks at what its steps are about', async (id) => {
    const { steps } = await play(id, 2);
    for (const [nth, { places = [], reach }] of steps.entries()) {
      const view = steps.slice(0, nth + 1).findLast((step) => step.view !== undefined)?.view;
      if (view === undefined) continue;
      for (const place of places) {
        expect(place, `${id}, step ${nth + 1}`).toBeGreaterThanOrEqual(view.origin);
        expect(place, `${id}, step ${nth + 1}`).toBeLessThan(view.to ?? reach);
      }
    }
  });

  test('begins each step right after the mark of its chapter', async () => {
    const { steps, frame } = await play('joining', 1);
    const { timeline } = await frame({ timeline: { from: seq(0), to: 'head', columns: 100 } });
    expect(timeline?.marks.map((mark) => mark.label)).toEqual(kSceneScenarios[3]?.info.chapters);
    expect(timeline?.marks.map((mark) => mark.seq)).toEqual(steps.map((step) => step.from));
  });

  test('answers every wrong click by what is wrong with it, and every wrong option with words of its own', async () => {
    const silent = new Set<string>();
    for (const { id, steps: infos } of kScenes) {
      const { steps, at } = await play(id, 2);
      for (const [nth, { question, ...info }] of infos.entries()) {
        const title = titleOf(id, info);
        if (question?.kind === 'choice') {
          const faults = question.options.flatMap(({ wrong }) => (wrong === undefined ? [] : [wrong]));
          expect(faults.length, title).toBe(question.options.length - 1);
          expect(new Set(faults).size, title).toBe(faults.length);
          for (const fault of faults) expect(fault, title).toMatch(/\.$/);
        }
        if (question?.kind !== 'place') continue;
        const { places = [], wrongPlaces = {}, from } = steps[nth] ?? {};
        const frame = await at(from ?? seq(0), undefined);
        const { address = [], size = [], state = [] } = frame.map?.chunks ?? {};
        for (const [chunk, begin] of address.entries()) {
          const holds = (place: number): boolean => place >= begin && place < begin + (size[chunk] ?? 0);
          const isRight = places.some(holds);
          const named = Object.entries(wrongPlaces).find(([, wrong]) => wrong.some(holds))?.[0];
          const kind = kindOf({ state: (state[chunk] ?? 0) as ChunkState, node: undefined });
          if (!isRight && question.wrongs[named ?? kind] === undefined) silent.add(`${title}: ${kind}`);
        }
      }
    }
    expect([...silent]).toEqual([]);
  });

  test('leaves evidence at each answer, and has one number to change, whose outcome is said and is so', async () => {
    for (const { id, steps: infos } of kScenes) {
      const nth = infos.findIndex(({ number }) => number !== undefined);
      const number = infos[nth]?.number;
      expect(infos.length - 1 - nth, id).toBe(infos.at(-1)?.puzzle === undefined ? 0 : 1);
      if (number === undefined) throw new Error(`${id} has no number to change`);
      const said = new Set<string>();
      for (const chosen of [number.first, number.least, number.most, Math.round((number.least + number.most) / 2)]) {
        const { steps, at, frame, last } = await play(id, 3, chosen);
        expect(last, `${id}, ${chosen}`).toMatchObject({ running: false, message: undefined });
        expect((await frame()).status.mismatch).toBeUndefined();
        const step = steps[nth];
        said.add(step?.says ?? '');
        const [before, after] = [
          await at(step?.from ?? seq(0), step?.places?.[0]),
          await at(step?.to ?? seq(0), step?.places?.[0]),
        ];
        expect(step?.says, `${id}, ${chosen}`).toBe(
          kNumberClaims[id]?.({ before, after, number: chosen, said: step?.says ?? '', places: step?.places ?? [] }),
        );
        for (const [other, { question, ...info }] of infos.entries())
          if (question !== undefined)
            expect(
              steps[other]?.letters ?? (question.kind === 'place' ? steps[other]?.places : undefined),
              titleOf(id, info),
            ).toBeDefined();
      }
      expect(said.size, id).toBeGreaterThan(1);
    }
  });

  test('of growing backward shows what it says: the first byte lies in the hole before the array', async () => {
    for (const seed of kSeeds) {
      const { steps, at } = await play('growing_backward', seed);
      const [before, grown] = [steps[0]?.places?.[0] ?? 0, steps[1]?.places?.[0] ?? 0];
      expect(grown).toBeLessThan(before);
      const { inspect } = partsIn(await at(steps[1]?.from ?? seq(0), grown));
      expect(inspect?.state).not.toBe(ChunkState.inUse);
    }
  });

  test('puts letters on whole blocks, in the order of their addresses in joining', async () => {
    for (const { id } of kScenes) {
      const { steps, at } = await play(id, 2);
      for (const { to, letters } of steps) {
        for (const letter of letters ?? []) {
          const { inspect } = partsIn(await at(to, letter.at));
          if (inspect?.what === 'node') expect(inspect.node?.address, `${id}: ${letter.name}`).toBe(letter.at);
          else
            expect([inspect?.what, inspect?.chunk], `${id}: ${letter.name}`).toEqual([
              'chunk',
              letter.at - (inspect?.slab?.part === 'block' ? 0 : 4),
            ]);
        }
      }
    }
    const { steps } = await play('joining', 2);
    expect(steps.map(({ letters }) => letters?.map(({ name }) => name).join(' '))).toEqual([
      'A B C D',
      'hole 1 hole 2 B D',
      'hole D',
      'all is top',
      expect.stringContaining('hole 4'),
    ]);
    const addresses = steps[0]?.letters?.map(({ at }) => at) ?? [];
    expect(addresses).toEqual([...addresses].sort((one, other) => one - other));
  });

  test('has a caption for each step, and each title once in its scene', () => {
    for (const { id, steps } of kScenes) {
      const titles = steps.map((step) => step.title);
      expect(new Set(titles).size, id).toBe(titles.length);
      for (const step of steps) expect(step.caption, titleOf(id, step)).toMatch(/\.$/);
    }
  });

  test('is one of at least twelve, and every claim belongs to a question', () => {
    expect(kScenes.length).toBeGreaterThanOrEqual(12);
    const asked = kScenes.flatMap(({ id, steps }) =>
      steps.filter(({ question }) => question?.kind === 'choice').map((step) => titleOf(id, step)),
    );
    expect(Object.keys(kClaims).sort()).toEqual(asked.sort());
  });

  test('differs with another seed, and not with the same', async () => {
    const { info } = kSceneScenarios[4] ?? { info: { id: '' } };
    const files: Buffer[] = [];
    for (const seed of [3, 3, 4]) {
      const { run, ask } = makeEngine();
      await run(info.id, seed);
      files.push(Buffer.from((await ask({ type: 'exportTrace' }, 'trace')).file));
    }
    expect(files[0]?.equals(files[1] ?? Buffer.of())).toBe(true);
    expect(files[0]?.equals(files[2] ?? Buffer.of())).toBe(false);
  });
});

describe('the puzzle of fragmentation', () => {
  test('is solved by freeing blocks that are not neighbours, and not by others', async () => {
    const puzzle = kScenes.find(({ id }) => id === 'fragmentation')?.steps.at(-1)?.puzzle;
    for (const by of [2, 1]) {
      const { frame, operate } = await play('fragmentation', 1);
      const map = (await frame({ map: kWholeMap })).map;
      const blocks = [...(map?.chunks?.address ?? [])].filter((_, at) => map?.chunks?.state[at] === ChunkState.inUse);
      for (let at = 0; at < 16; at += by) {
        await operate({ op: 'deallocate', mem: addr((blocks[at] ?? 0) + 4) });
        if (by === 1 && at === 8) break; // nine neighbours: as many bytes, in one piece
      }
      const { status } = await frame();
      const holds = (puzzle?.goal ?? []).every(
        ({ figure, least = 0, most = Number.POSITIVE_INFINITY }) => status[figure] >= least && status[figure] <= most,
      );
      expect(status.freeBytes).toBeGreaterThanOrEqual(4000);
      expect(holds).toBe(by === 2);
      const { footprint } = status;
      await operate({ op: 'allocate', size: bytes(1200) });
      expect((await frame()).status.footprint > footprint).toBe(by === 2);
    }
  });
});

/** The puzzle of a scene, whose last step it is, on a heap that nobody touched yet. */
async function puzzleOf(id: string) {
  const puzzle = kScenes.find((scene) => scene.id === id)?.steps.at(-1)?.puzzle;
  if (puzzle === undefined) throw new Error(`${id} has no puzzle`);
  const played = await play(id, 1);
  const heap = played.steps.find((step) => step.heap !== undefined)?.heap ?? 0;
  return {
    ...played,
    heap,
    groups: played.steps.at(-1)?.groups ?? [],
    solved: async (refused?: number) => puzzleSolved(puzzle, await played.frame({ heap }), refused),
  };
}

describe('the puzzle of refusal', () => {
  test.each([
    ['the first half', 0, false],
    ['every second block', 1, true],
    ['three of four', 2, false],
  ])('freeing %s', async (_, group, solves) => {
    const { heap, groups, operate, solved, frame } = await puzzleOf('refusal');
    expect(await solved(4096)).toBe(false);
    expect(await operate({ op: 'burstDeallocate', mems: groups[group] ?? [] }, heap)).toMatchObject({ ok: true });
    const { ok } = await operate({ op: 'allocate', size: bytes(4096) }, heap);
    expect(ok).toBe(!solves);
    expect(await solved(ok ? undefined : 4096)).toBe(solves);
    expect(await solved()).toBe(false);
    expect((await frame()).status.mismatch).toBeUndefined();
  });
});

describe('the puzzle of broken_link', () => {
  test('is solved by a write into a free chunk, which the walk of the heap finds, and not by one into a block', async () => {
    for (const letter of [0, 1, 2, 3, 4]) {
      const { steps, operate, solved, frame } = await puzzleOf('broken_link');
      const at = steps[0]?.letters?.[letter]?.at ?? addr(0);
      const { inspect } = partsIn(await frame(wanting({ inspect: at })));
      expect(inspect?.state).toBe(ChunkState.free);
      await operate({ op: 'write', at: addr(at + (inspect?.size ?? 0)), word: 42 });
      expect(await solved()).toBe(false); // the next block's first word
      await operate({ op: 'write', at, word: 42 });
      expect(await solved()).toBe(true);
      expect((await frame()).status.mismatch).toContain('bin entry at 0x0000_002a');
    }
  });
});
