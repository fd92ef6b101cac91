import { afterEach, describe, expect, it } from 'vitest';
import { startWorker } from '../../src/platform/start-worker';
import program from '../fixtures/located-worker?worker&url';

const started: Worker[] = [];
afterEach(() => started.splice(0).forEach((worker) => worker.terminate()));

/** Starts the fixture's Web Worker, and returns its report about itself. */
async function located(name?: string): Promise<unknown> {
  const worker = startWorker(program, name);
  started.push(worker);
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage('Where are you?');
  });
}

describe('startWorker', () => {
  it('starts a program from a blob, keeps its module URL, and delivers messages sent while it loads', async () => {
    expect(await located('own')).toEqual({
      received: 'Where are you?',
      name: 'own',
      location: 'blob:',
      module: new URL(program, location.href).pathname,
      origin: location.origin,
    });
  });

  it('can start the same program more than once', async () => {
    const [first, second] = await Promise.all([located('first'), located('second')]);
    expect(first).toMatchObject({ name: 'first' });
    expect(second).toMatchObject({ name: 'second' });
  });

  it.each(['https://elsewhere.example/worker.js', 'data:text/javascript,postMessage(1)', 'blob:null/1'])(
    'rejects the address %s',
    (address) => {
      expect(() => startWorker(address)).toThrow(/starts no Worker from/);
    },
  );
});
