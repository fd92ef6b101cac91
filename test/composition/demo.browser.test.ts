import { describe, expect, test } from 'vitest';
import { loadDemo, type DemoMemory } from '../../src/composition/demo';
import { conductStage } from '../app/conduct/conduct-services';
import { finishedRunBodies, stampEvents } from '../fixtures/run-events';

function memory(): DemoMemory {
  const values = new Map<string, string>();
  return { getItem: (key) => values.get(key) ?? null, setItem: (key, value) => void values.set(key, value) };
}

describe('a demo site', () => {
  test('loads the sample runs only on the first visit', async () => {
    const { services } = conductStage();
    const kept = memory();
    let loaded = 0;
    const load = () => Promise.resolve(++loaded > 0);
    await loadDemo(services, kept, load);
    await loadDemo(services, kept, load);
    expect(loaded).toBe(1);
  });

  test('tries again on the next visit if the download failed', async () => {
    const { services } = conductStage();
    const kept = memory();
    await loadDemo(services, kept, () => Promise.resolve(false));
    let loaded = 0;
    await loadDemo(services, kept, () => Promise.resolve(++loaded > 0));
    expect(loaded).toBe(1);
  });

  test('loads nothing into a browser that has runs', async () => {
    const { services, store } = conductStage();
    for (const event of stampEvents(finishedRunBodies())) await store.append(event);
    await loadDemo(services, memory(), () => Promise.reject(new Error('must not load')));
  });
});
