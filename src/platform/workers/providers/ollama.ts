/** @file Ollama on the user's machine. It refuses pages of other origins until they are allowed. */
import { BY_EFFORT, ownServer } from './preset';

export const ollama = ownServer({
  id: 'ollama',
  label: 'Ollama',
  baseUrl: 'http://localhost:11434/v1',
  // Its compatible API ignores it.
  refuses: ['top_k'],
  reasoning: { ...BY_EFFORT, places: ['reasoning'] },
  allowPage: (origin) => `Set OLLAMA_ORIGINS=${origin} and restart Ollama.`,
});
