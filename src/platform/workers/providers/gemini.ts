/**
 * @file Google Gemini's OpenAI-compatible API. One header that it does not know makes its preflight fail.
 */
import { askByEffort, service, SERVICE_LIMITS } from './preset';

export const gemini = service('https://aistudio.google.com/apikey', {
  id: 'gemini',
  label: 'Google Gemini',
  baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
  refuses: ['seed'],
  // The Pro models cannot be told not to think.
  reasoning: {
    ask: (level, { model }) => askByEffort(level === 'off' && /pro/.test(model) ? 'low' : level),
    places: [],
  },
  models: { open: false, prefix: 'models/', keyHeader: 'authorization', headers: {} },
  // Counted for each model; what is left it does not say.
  limits: { ...SERVICE_LIMITS, headers: null, per: 'model' },
});
