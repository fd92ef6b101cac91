/** @file Judges how well an API key can be recognized in a text, so that it can be removed from what a server sends. */

/**
 * - `placeholder`: a word that stands for no key, for servers that need none but require the header. It is no secret
 * - `number`: a short number. Numbers in answers must stay as they are
 * - `short`: too short to search for its changed forms
 * - `long`: a usual key
 */
export type KeyKind = 'placeholder' | 'number' | 'short' | 'long';

/** Minimum number of letters and digits of a long key. Ordinary text could match the changed forms of shorter keys. */
export const SHORTEST_LONG_KEY = 16;
/** A short number has fewer digits than this. */
const SHORTEST_SECRET_NUMBER = 8;
/** A key with fewer letters and digits than this is no secret. */
const SHORTEST_SECRET = 4;

/** Matches the letters and digits of a placeholder, in lower case. */
const PLACEHOLDER =
  /^(?:sk)?(?:x*|ollama|lmstudio|vllm|sglang|llamacpp|llamafile|localai|koboldcpp|oobabooga|tabbyapi|jan|gpt4all|litellm|local|localhost|empty|none|null|undefined|false|true|nokey|nokeyrequired|nokeyneeded|keynotneeded|apikeynotneeded|notneeded|notrequired|notused|unused|noauth|anonymous|anything|whatever|dummy|dummykey|fake|fakekey|placeholder|default|test|testkey|testing|example|key|apikey|yourkey|yourapikey|yourapikeyhere|myapikey|token|bearer|openai|ignored|optional|required)$/;

export function keyKindOf(key: string): KeyKind {
  const letters = key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const [first = ''] = letters;
  const isPlaceholder =
    letters.length < SHORTEST_SECRET || PLACEHOLDER.test(letters) || letters.replaceAll(first, '') === '';
  if (isPlaceholder) return 'placeholder';
  if (letters.length < SHORTEST_SECRET_NUMBER && /^\d+$/.test(letters)) return 'number';
  return letters.length < SHORTEST_LONG_KEY ? 'short' : 'long';
}
