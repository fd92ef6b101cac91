/** @file Groq. Each family of models is asked in its own way; usage comes under `x_groq` as well. */
import type { ReasoningLevel, ReasoningRequest } from '../../../core/contract';
import { service, SERVICE_LIMITS } from './preset';

export const groq = service('https://console.groq.com/keys', {
  id: 'groq',
  label: 'Groq',
  baseUrl: 'https://api.groq.com/openai/v1',
  reasoning: { ask: (level, { model }) => askGroq(level, model), places: ['reasoning'] },
  // Each model has limits of its own; the requests it tells of are those of the day.
  limits: { ...SERVICE_LIMITS, per: 'model' },
});

function askGroq(level: ReasoningLevel, model: string): ReasoningRequest {
  // It cannot be told not to think, and has no `reasoning_format`.
  if (/gpt-oss/.test(model)) return { fields: { reasoning_effort: level === 'off' ? 'low' : level } };
  const apart = { reasoning_format: level === 'off' ? 'hidden' : 'parsed' };
  if (/qwen/i.test(model)) return { fields: { ...apart, reasoning_effort: level === 'off' ? 'none' : 'default' } };
  return { fields: apart };
}
