import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import AnswerActions from '../../../src/app/shared/AnswerActions.svelte';
import { CONFIDENTIAL_RUN } from '../../../src/core/contract/run/confidential';

test.each([
  ['shows Copy if the answer may leave this browser', null, 'Copy'],
  ['shows the reason if the answer must not leave this browser', CONFIDENTIAL_RUN, CONFIDENTIAL_RUN],
  ['shows nothing if the reason for no follow-up is an empty text', '', ''],
])('the place beside the follow-up button %s', async (_when, withheld, text) => {
  const screen = await render(AnswerActions, { answer: '4', withheld, onfollowup: () => undefined });
  await expect.element(screen.getByRole('button', { name: 'Ask a follow-up' })).toBeVisible();
  expect(screen.container.textContent.replace('Ask a follow-up', '').trim()).toBe(text);
});
