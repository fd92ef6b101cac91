/** @file The preset for Groq. Each family of models has its own fields for thinking. Usage may be in the field `x_groq`. */
import type { ReasoningLevel, ReasoningRequest } from '../../../core/contract';
import { service, SERVICE_LIMITS } from './preset';

export const groq = service('https://console.groq.com/keys', {
  id: 'groq',
  label: 'Groq',
  baseUrl: 'https://api.groq.com/openai/v1',
  extraFields: 'groq',
  refuses: ['top_k', 'presence_penalty'],
  reasoning: {
    request: (level, { model }) => groqReasoning(level, model),
    minimal: false,
    budget: null,
    places: ['reasoning'],
  },
  // The headers report how many requests remain for the day, not for the minute.
  limits: { ...SERVICE_LIMITS, per: 'model' },
});

function groqReasoning(level: ReasoningLevel, model: string): ReasoningRequest {
  // These models always think, and they have no `reasoning_format`.
  if (/gpt-oss/.test(model)) return { fields: { reasoning_effort: level === 'off' ? 'low' : level } };
  const apart = { reasoning_format: level === 'off' ? 'hidden' : 'parsed' };
  if (/qwen/i.test(model)) return { fields: { ...apart, reasoning_effort: level === 'off' ? 'none' : 'default' } };
  return { fields: apart };
}
