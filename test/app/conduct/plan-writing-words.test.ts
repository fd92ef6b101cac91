import { expect, test } from 'vitest';
import { writingSentence } from '../../../src/app/conduct/plan-writing-words';
import { withPolicyInfo } from '../../../src/core/conductor/with-policy-info';
import { localConductorInfo, type ModelState, type PromptProgress } from '../../../src/core/contract';
import { manifest } from '../../platform/engine/scripted-loader';

const tiny = manifest('Tiny');
const conductor = localConductorInfo(tiny);
const idle: ModelState = { kind: 'idle' };
const none = { conductor, text: '', reasoning: '', firstTokenAt: null };

test('says that the model is reading the prompt until the first token arrives', () => {
  expect(writingSentence(none, 5000, undefined, idle)).toBe('Tiny is reading the prompt.');
});

test('shows a local model’s progress through the prompt if the model reports it', () => {
  const sentence = (reading?: PromptProgress | null, loaded = tiny, info = conductor) => {
    const state: ModelState = {
      kind: 'ready',
      manifest: loaded,
      device: 'webgpu',
      speed: null,
      ...(reading === undefined ? {} : { reading }),
    };
    return writingSentence({ ...none, conductor: info }, 5000, 60, state);
  };
  const half: PromptProgress = { read: 1024, total: 1430 };
  const withHalf = 'Tiny is reading the prompt: 1,024 of 1,430 tokens. Time limit: 1 min 00 s.';
  const without = 'Tiny is reading the prompt. Time limit: 1 min 00 s.';
  expect(sentence(half)).toBe(withHalf);
  expect(sentence(half, tiny, withPolicyInfo('ranking', conductor))).toBe(withHalf);
  expect(sentence()).toBe(without);
  expect(sentence(null)).toBe(without);
  expect(sentence(half, manifest('Another'))).toBe(without);
});

test('says that the model is thinking while it has written only reasoning', () => {
  const plan = { ...none, reasoning: 'Hmm. Yes.', firstTokenAt: 1000 };
  expect(writingSentence(plan, 5000, 300, idle)).toBe(
    'Tiny is thinking: about 3 tokens in 4.0 s. Time limit: 5 min 00 s.',
  );
});

test('says that the model is writing the plan, and counts tokens of reasoning too', () => {
  const plan = { ...none, reasoning: 'Hmm.', text: 'model_id = [', firstTokenAt: 1000 };
  expect(writingSentence(plan, 3500, undefined, idle)).toBe('Tiny is writing the plan: about 4 tokens in 2.5 s.');
});
