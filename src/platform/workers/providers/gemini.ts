/**
 * @file The preset for Google Gemini's OpenAI-compatible API. Its CORS preflight fails for calls with an unknown header.
 */
import { reasoningEffort, fitBudget, service, SERVICE_LIMITS } from './preset';

export const gemini = service('https://aistudio.google.com/apikey', {
  id: 'gemini',
  label: 'Google Gemini',
  telemetryName: 'gcp.gemini',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
  refuses: ['seed', 'top_k'],
  // Thinking cannot be turned off for the Pro models, so `off` becomes `low`.
  reasoning: {
    request: (level, { model }) => reasoningEffort(level === 'off' && /pro/.test(model) ? 'low' : level),
    minimal: true,
    budget: (tokens, call) => ({
      fields: { extra_body: { google: { thinking_config: { thinking_budget: fitBudget(tokens, call) } } } },
    }),
    places: [],
  },
  models: { open: false, prefix: 'models/', keyHeader: 'authorization', headers: {} },
  // Each model has its own limits. Gemini doesn't report how much of a limit remains.
  limits: { ...SERVICE_LIMITS, headers: null, per: 'model' },
});
