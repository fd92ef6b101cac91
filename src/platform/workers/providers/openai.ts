/** @file The preset for OpenAI. OpenAI never returns a model's thinking. A page can't read OpenAI's reply to a wrong key. */
import type { ReasoningLevel, ReasoningRequest } from '../../../core/contract';
import { reasoningEffort, service, SERVICE_LIMITS } from './preset';

export const openai = service('https://platform.openai.com/api-keys', {
  id: 'openai',
  label: 'OpenAI',
  baseUrl: 'https://api.openai.com/v1',
  extraFields: 'openai',
  limit: 'max_completion_tokens',
  refuses: ['top_k'],
  reasoning: { request: (level, { model }) => openAiReasoning(level, model), minimal: true, budget: null, places: [] },
  hidesRefusals: true,
  // Each model has its own limits.
  limits: { ...SERVICE_LIMITS, per: 'model' },
});

/** For GPT-5 before 5.1 and for the o-series, thinking cannot be turned off, so `off` becomes their lowest effort. */
function openAiReasoning(level: ReasoningLevel, model: string): ReasoningRequest {
  if (level !== 'off') return reasoningEffort(level);
  if (/^gpt-5(?!\.\d)/.test(model)) return { fields: { reasoning_effort: 'minimal' } };
  if (/^o\d/.test(model)) return { fields: { reasoning_effort: 'low' } };
  return reasoningEffort('off');
}
