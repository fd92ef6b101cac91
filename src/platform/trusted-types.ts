/**
 * @file Creates the page's Trusted Types policies. The built page refuses plain strings where the browser would run or parse
 * them, so each place that needs such a value has a policy of its own, which allows nothing else.
 */

/** One for each place. The browser lets each be created once per page or Worker, so they are created at module level. */
export const POLICY_NAMES = ['podium-worker', 'podium-service-worker', 'podium-sandbox'] as const;
type PolicyName = (typeof POLICY_NAMES)[number];

/** `createPolicy` returns objects that stand for strings. The DOM's types take strings there, so they are typed as strings. */
interface Rules {
  createHTML?(input: string): string;
  createScriptURL?(input: string): string;
}

declare global {
  /** Missing in browsers without Trusted Types. */
  var trustedTypes: { createPolicy(name: string, rules: Rules): Required<Rules> } | undefined;
}

/** Makes an address for a Worker or service worker. `make` decides which addresses there can be, and throws for others. */
export function scriptAddressPolicy(name: PolicyName, make: (input: string) => string): (input: string) => string {
  const policy = globalThis.trustedTypes?.createPolicy(name, { createScriptURL: make });
  return policy ? (input) => policy.createScriptURL(input) : make;
}

/** Makes the markup of a document. `make` decides which documents there can be. */
export function markupPolicy(name: PolicyName, make: (input: string) => string): (input: string) => string {
  const policy = globalThis.trustedTypes?.createPolicy(name, { createHTML: make });
  return policy ? (input) => policy.createHTML(input) : make;
}
