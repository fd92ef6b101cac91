/**
 * @file Detects API keys in the texts of a replay file, because users share these files. The user's
 * own keys are detected in many encodings. Other keys are detected by the formats of common
 * providers.
 */

/**
 * Key formats, strict enough not to match ordinary text or code. The prefixes in the first two
 * patterns also occur in ordinary text. So these patterns require a digit, which random keys
 * contain. The lengths are bounded, so that matching takes linear time.
 */
const FORMATS = [
  /\bBearer\s{1,4}(?=[A-Za-z0-9._~+/-]{0,80}\d)[A-Za-z0-9._~+/-]{20,400}/i,
  /\b(?:sk|pk|rk|gsk|hf|xai|nvapi|csk|fw|r8|tgp|ghp|gho|glpat|xoxb|xoxp)[-_](?=[A-Za-z_-]{0,80}\d)[A-Za-z0-9_-]{16,400}/,
  /\bAIza[A-Za-z0-9_-]{30,60}/,
  /\bAKIA[A-Z0-9]{16}\b/,
  /\beyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,2000}/,
];

/**
 * Whether a text may contain an API key.
 * @param isKnown whether a text contains a key that the user has entered
 */
export function mayHoldKey(text: string, isKnown: (text: string) => boolean): boolean {
  return FORMATS.some((format) => format.test(text)) || isKnown(text);
}
