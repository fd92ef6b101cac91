/** @file The preset for Ollama on the user's machine. Ollama refuses calls from web pages until the user allows their origin. */
import { BY_EFFORT, ownServer } from './preset';

export const ollama = ownServer({
  id: 'ollama',
  label: 'Ollama',
  baseUrl: 'http://localhost:11434/v1',
  // Ollama's OpenAI-compatible API ignores top-k.
  refuses: ['top_k'],
  reasoning: { ...BY_EFFORT, places: ['reasoning'] },
  allowPage: (origin) => `Set OLLAMA_ORIGINS=${origin} and restart Ollama.`,
});
