/**
 * @file Looks for API keys in texts before they are written to a file that is meant to be shared. Known keys are found in
 * many forms. Unknown keys are found if they have the format of a common provider.
 */

/**
 * Formats of keys, strict enough not to match ordinary text or code. After the common prefixes of the first two patterns, the
 * text must contain a digit, as random keys do. The lengths are bounded, so that each pattern takes linear time.
 */
const FORMATS = [
  /\bBearer\s{1,4}(?=[A-Za-z0-9._~+/-]{0,80}\d)[A-Za-z0-9._~+/-]{20,400}/i,
  /\b(?:sk|pk|rk|gsk|hf|xai|nvapi|csk|fw|r8|tgp|ghp|gho|glpat|xoxb|xoxp)[-_](?=[A-Za-z_-]{0,80}\d)[A-Za-z0-9_-]{16,400}/,
  /\bAIza[A-Za-z0-9_-]{30,60}/,
  /\bAKIA[A-Z0-9]{16}\b/,
  /\beyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,2000}/,
];

/** @param isKnown whether a text contains a key that the user has entered */
export function mayHoldKey(text: string, isKnown: (text: string) => boolean): boolean {
  return FORMATS.some((format) => format.test(text)) || isKnown(text);
}
