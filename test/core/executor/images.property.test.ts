/** @file Property tests on random runs: images are sent only to workers that accept images. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canSee, renderMessages, WORKER_KINDS, type ImageReference, type PoolWorker } from '../../../src/core/contract';
import { imageFile } from '../../fixtures/memory-images';
import { poolWorker } from '../../fixtures/run-events';
import { randomPool, randomRun, sceneOf } from './random-scenes';
import { ofType, play } from './scripted';

const images: fc.Arbitrary<ImageReference[]> = fc
  .uniqueArray(fc.nat(9), { maxLength: 4 })
  .map((names) => names.map((name) => referenceOf(`image ${name}`)));

function referenceOf(name: string): ImageReference {
  const { hash, type, width, height, size } = imageFile(name);
  return { hash, type, width, height, size };
}

/** A random kind and a random `canSee` for each of three workers. */
const marks = fc.array(
  fc.record({
    kind: fc.constantFrom(...WORKER_KINDS.filter((kind) => kind !== 'conductor')),
    canSee: fc.option(fc.boolean(), { nil: undefined }),
  }),
  { minLength: 3, maxLength: 3 },
);

function marked(
  worker: PoolWorker,
  mark: { kind: PoolWorker['kind']; canSee: boolean | undefined } | undefined,
): PoolWorker {
  if (!mark || worker.kind === 'conductor') return worker;
  return { ...worker, kind: mark.kind, ...(mark.canSee === undefined ? {} : { canSee: mark.canSee }) };
}

describe('images of a question', () => {
  it('are sent with each call to a worker that accepts images, and with no other call', async () => {
    await fc.assert(
      fc.asyncProperty(randomRun, images, marks, async (random, attached, kinds) => {
        const scene = sceneOf(random);
        const pool = randomPool().map((worker, index) => marked(worker, kinds[index]));
        const question = { text: 'What is in the picture?', ...(attached.length > 0 ? { images: attached } : {}) };
        const { workers, events, run } = await play({ ...scene, start: { ...scene.start, pool, question } });
        const hashes = attached.map(({ hash }) => hash);
        for (const { messages, options } of workers.calls) {
          const sent = messages.flatMap((message) => message.images ?? []);
          expect(sent).toEqual(canSee(options.worker) ? hashes : []);
          const text = messages.map(({ content }) => content).join('\n');
          expect(text.includes('which you cannot see')).toBe(hashes.length > 0 && !canSee(options.worker));
        }
        // Messages that are rebuilt from the run equal the messages that were sent, including their images.
        // If another plan replaced the plan of a step, the messages of the step can't be rebuilt.
        const replaced = new Set(
          run.rounds.flatMap(({ discarded }, round) => discarded.map(({ index }) => `${round} ${index}`)),
        );
        for (const key of ofType(events, 'step-started')) {
          const rendered = renderMessages(run, key);
          if (rendered === null) expect(replaced).toContain(`${key.round} ${key.step}`);
          else expect(workers.calls.map(({ messages }) => messages)).toContainEqual(rendered);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('are accepted only by workers of kind `endpoint` with `canSee`', () => {
    const able = WORKER_KINDS.filter((kind) => canSee(poolWorker(0, { kind, canSee: true })));
    expect(able).toEqual(['endpoint']);
    expect(canSee(poolWorker(0, { kind: 'endpoint' }))).toBe(false);
  });
});
