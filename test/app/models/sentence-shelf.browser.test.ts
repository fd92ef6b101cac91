import { expect, test, vi } from 'vitest';
import { SentenceShelf } from '../../../src/app/models/sentence-shelf.svelte';
import { fault, FaultError } from '../../../src/core/contract';
import { conductStage } from '../conduct/conduct-services';
import { modelStage } from './model-services';
import { sentenceModel, ScriptedSentenceModels } from '../scripted-sentence-models';

const LOCKED = fault('storage-failed', 'The files could not be deleted.');
const MINI = sentenceModel('Mini');

test('keeps the error of an action until the next action, even if the model’s state changes', async () => {
  const models = modelStage();
  const sentences = new ScriptedSentenceModels(models.cached);
  sentences.listed = [MINI];
  const missing = vi.spyOn(sentences, 'missing');
  const { services } = conductStage();
  const shelf = new SentenceShelf({
    ...services,
    models: models.services,
    sentenceModels: () => Promise.resolve(sentences),
  });
  const close = shelf.open();
  await expect.poll(() => shelf.models.length).toBe(1);
  await expect.poll(() => missing.mock.calls.length).toBe(1);

  vi.spyOn(sentences, 'remove').mockRejectedValueOnce(new FaultError(LOCKED));
  await shelf.remove(MINI);
  expect(shelf.fault).toEqual(LOCKED);
  // Changes the model's state without an action of the shelf. The shelf then reads the cache again.
  await sentences.use(MINI);
  expect(shelf.state?.kind).toBe('ready');
  await expect.poll(() => shelf.cacheOf(MINI)?.complete).toBe(true);
  expect(shelf.fault).toEqual(LOCKED);

  await shelf.remove(MINI);
  expect(shelf.fault).toBeNull();
  close();
});
