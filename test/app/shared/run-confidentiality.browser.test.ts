import { expect, test } from 'vitest';
import { RunConfidentiality } from '../../../src/app/shared/run-confidentiality.svelte';
import type { ReplayServices } from '../../../src/app/services';
import { CONFIDENTIAL_RUN } from '../../../src/core/contract/run/confidential';
import { foldEvents, type Run } from '../../../src/core/contract';
import { runStarted, stampEvents } from '../../fixtures/run-events';

const OWN = foldEvents(stampEvents([runStarted()]));
const BATCH = { id: 'b', dataset: 'd', task: 't', method: 'm', repeat: 0 };

function serving(find: () => Promise<boolean>): ReplayServices {
  return {
    replayFiles: () => Promise.resolve({ isConfidential: find, write: () => Promise.reject(new Error('unused')) }),
  };
}
const unused = serving(() => Promise.reject(new Error('Storage must not be read.')));
const of = (run: Run | null, services = unused) => new RunConfidentiality(services, () => (run ? [run] : []));

test('an ordinary run can be copied', async () => {
  const confidentiality = of(OWN);
  await confidentiality.check();
  expect(confidentiality).toMatchObject({ isConfidential: false, sentence: '', withheld: null });
});

test('a run marked as confidential cannot be copied, and storage is not read', async () => {
  const confidentiality = of(OWN && { ...OWN, isConfidential: true });
  await confidentiality.check();
  expect(confidentiality).toMatchObject({
    isConfidential: true,
    sentence: CONFIDENTIAL_RUN,
    withheld: CONFIDENTIAL_RUN,
  });
});

test.each([
  [true, CONFIDENTIAL_RUN],
  [false, ''],
])(
  'a batch run cannot be copied before storage is read, or if its batch is confidential (%s)',
  async (isConfidential, sentence) => {
    const confidentiality = of(
      OWN && { ...OWN, batch: BATCH },
      serving(() => Promise.resolve(isConfidential)),
    );
    expect(confidentiality).toMatchObject({ isConfidential: true, sentence: '', withheld: '' });
    await confidentiality.check();
    expect(confidentiality).toMatchObject({ isConfidential, sentence, withheld: isConfidential ? sentence : null });
  },
);

test('a batch run cannot be copied if storage fails', async () => {
  const failing = serving(() => Promise.reject(new Error('Storage failed.')));
  const confidentiality = of(OWN && { ...OWN, batch: BATCH }, failing);
  await confidentiality.check();
  expect(confidentiality).toMatchObject({ isConfidential: true, withheld: '' });
});
