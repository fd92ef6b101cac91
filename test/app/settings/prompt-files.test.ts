import { expect, test } from 'vitest';
import { exportPrompt, importPrompt } from '../../../src/app/settings/prompt-files';
import type { ConductorPrompt } from '../../../src/core/contract';

const PROMPT: ConductorPrompt = {
  template: { fixed: 'Plan in rhymes.', question: '{{workers}}\n{{question}}' },
  examples: 'own',
  ownExamples: 'Mine.',
  showWorkers: 'number',
  later: '{{rounds}} {{choice}}',
};
const fileOf = (content: string) => new File([content], 'prompt.json');

/** Exports a prompt. @returns the file's name and its content */
async function exported(prompt: ConductorPrompt): Promise<{ name: string; content: string }> {
  let [name, content] = ['', ''];
  await exportPrompt(prompt, new AbortController().signal, (suggested) => {
    name = suggested;
    return Promise.resolve({ write: async (stream) => void (content = await new Response(stream).text()) });
  });
  return { name, content };
}

test('a prompt is the same after export and import', async () => {
  const { name, content } = await exported(PROMPT);
  expect(name).toBe('podium-conductor-prompt.json');
  expect(await importPrompt(fileOf(content))).toEqual(PROMPT);
  expect(await importPrompt(fileOf((await exported({})).content))).toEqual({});
});

test('export ends without an error if the user chooses no file', async () => {
  await expect(
    exportPrompt(PROMPT, new AbortController().signal, () => Promise.resolve(null)),
  ).resolves.toBeUndefined();
});

test.each([
  ['not JSON', 'Plan in rhymes.'],
  ['in another format', JSON.stringify({ format: 'podium-backup', version: 1, prompt: PROMPT })],
  ['of a later version', JSON.stringify({ format: 'podium-conductor-prompt', version: 2, prompt: PROMPT })],
  [
    'a prompt with a part of the wrong kind',
    JSON.stringify({ format: 'podium-conductor-prompt', version: 1, prompt: { examples: 5 } }),
  ],
  [
    'too large',
    `${JSON.stringify({ format: 'podium-conductor-prompt', version: 1, prompt: {} })}${' '.repeat(1_000_000)}`,
  ],
])('import fails with an error that names the file if the file is %s', async (_, content) => {
  await expect(importPrompt(fileOf(content))).rejects.toThrow(/^prompt\.json is not a Conductor’s prompt/);
});
