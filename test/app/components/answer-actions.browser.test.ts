import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import AnswerActions from '../../../src/app/components/AnswerActions.svelte';
import { CONFIDENTIAL_RUN } from '../../../src/core/contract/run/confidential';

test.each([
  ['may leave this browser', null, 'Copy'],
  ['must not leave this browser', CONFIDENTIAL_RUN, CONFIDENTIAL_RUN],
  ['is still being checked', '', ''],
])('an answer that %s shows Copy, a reason or nothing beside the follow-up button', async (_when, withheld, text) => {
  const screen = await render(AnswerActions, { answer: '4', withheld, onfollowup: () => undefined });
  await expect.element(screen.getByRole('button', { name: 'Ask a follow-up' })).toBeVisible();
  expect(screen.container.textContent.replace('Ask a follow-up', '').trim()).toBe(text);
});
