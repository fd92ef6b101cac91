import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../fixtures/fake-clock';
import { imageFile, memoryImages } from '../../fixtures/memory-images';
import { optionsFor, setupOf, workersFor } from './calls';

const IMAGE = imageFile('photo');

describe('images for a worker that accepted images when the run began', () => {
  test.each([[undefined], [true as const]])(
    'are sent only if the worker is still marked as accepting images: %s',
    async (canSee) => {
      const images = memoryImages();
      await images.put(IMAGE);
      let called = 0;
      const setup = setupOf('http://127.0.0.1:9', 'ok', canSee ? { canSee } : {});
      const workers = workersFor(setup, new FakeClock(), {
        images,
        fetch: () => {
          called += 1;
          return Promise.resolve(new Response('', { status: 400 }));
        },
      });
      // The run stores that the worker accepted images when the run began.
      const options = optionsFor({ ...setup, canSee: true });
      const message = { role: 'user' as const, content: 'What is this?', images: [IMAGE.hash] };
      const events = [];
      for await (const event of workers.run([message], options, new AbortController().signal)) events.push(event);
      expect(called).toBe(canSee ? 1 : 0);
      expect(JSON.stringify(events)).toMatch(canSee ? /400/ : /isn’t marked as able to see/);
    },
  );
});
