import { DynamicCache, Tensor } from '@huggingface/transformers';
import { expect, it, vi } from 'vitest';
import { Answer, type AnswerOptions } from '../../../../src/platform/engine/transformers/answer';
import type { GenerateCommand } from '../../../../src/platform/engine/generate-command';

const PROMPT = 40;
const command: GenerateCommand = {
  type: 'generate',
  messages: [
    { role: 'system', content: 'Instructions' },
    { role: 'user', content: 'Question' },
  ],
  grammar: null,
  bounds: [],
  temperature: 0,
  maxTokens: 5,
};

it('an answer stopped after reading its instructions frees their memory, and reads nothing further', async () => {
  const generate = vi.fn(() => Promise.reject(new Error('The rest of the prompt is read.')));
  const dispose = vi.fn(() => Promise.resolve());
  const tokens = new Tensor('int64', new BigInt64Array(PROMPT), [1, PROMPT]);
  const library = {
    model: { generate, forward: generate },
    tokenizer: { apply_chat_template: () => tokens, decode: () => '', all_special_ids: [] },
  } as unknown as Pick<AnswerOptions, 'model' | 'tokenizer'>;
  const reads: number[] = [];
  const answer: Answer = new Answer({
    ...library,
    named: { label: 'A model', host: null },
    grammars: { mask: () => Promise.reject(new Error('There is no grammar.')) },
    prefix: { begin: () => Promise.resolve({ cache: new DynamicCache({}), tokens: 32, reused: 0, dispose }) },
    context: 4096,
    ends: [],
    ontext: () => undefined,
    onread: (read) => {
      reads.push(read);
      if (reads.length === 2) answer.stop();
    },
  });
  expect(await answer.write(command)).toBeNull();
  expect(reads).toEqual([0, 32]);
  expect(generate).not.toHaveBeenCalled();
  expect(dispose).toHaveBeenCalledOnce();
});
