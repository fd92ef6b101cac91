import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { CONFIDENTIAL_RUN } from '../../../src/core/contract/run/confidential';
import { finishedRun } from '../scripted-runs';
import AnswerHost from './AnswerHost.svelte';

const run = finishedRun();
const batch = { id: 'b', dataset: 'd', task: 't', method: 'm', repeat: 0 };

test.each([
  ['shows Copy if the answer may leave this browser', [run], 'Copy'],
  ['shows the reason if the answer must not leave this browser', [{ ...run, isConfidential: true }], CONFIDENTIAL_RUN],
  ['shows nothing while it is not known whether the answer may leave this browser', [{ ...run, batch }], ''],
  ['shows nothing if the page does not tell whether the answer may leave this browser', null, ''],
] as const)('the place beside the follow-up button %s', async (_when, runs, text) => {
  const screen = await render(AnswerHost, { runs });
  await expect.element(screen.getByRole('button', { name: 'Ask a follow-up' })).toBeVisible();
  expect(screen.container.textContent.replace('Ask a follow-up', '').trim()).toBe(text);
});
