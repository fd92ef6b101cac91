/**
 * @file Creates the page's Trusted Types policies. In the built page, the browser accepts script URLs and markup only from a
 * policy. Each place in the code that creates such a URL or markup has its own policy, which allows only what this place needs.
 */

/**
 * The names of the policies, one for each place that creates script URLs or markup. A policy can be created
 * only once in a page or Web Worker, so a module creates its policy when the module is loaded.
 */
export const POLICY_NAMES = ['podium-worker', 'podium-service-worker', 'podium-sandbox'] as const;
type PolicyName = (typeof POLICY_NAMES)[number];

/**
 * The functions of a real policy return objects instead of strings. These objects are typed as strings here, because
 * TypeScript's DOM types expect strings.
 */
interface Rules {
  createHTML?(input: string): string;
  createScriptURL?(input: string): string;
}

declare global {
  /** Missing in browsers without Trusted Types. */
  var trustedTypes: { createPolicy(name: string, rules: Rules): Required<Rules> } | undefined;
}

/**
 * Creates a function that makes script URLs for Web Workers or a service worker.
 * @param make makes a URL, and throws for an input that is not allowed
 */
export function scriptAddressPolicy(name: PolicyName, make: (input: string) => string): (input: string) => string {
  const policy = globalThis.trustedTypes?.createPolicy(name, { createScriptURL: make });
  return policy ? (input) => policy.createScriptURL(input) : make;
}

/**
 * Creates a function that makes the markup of documents.
 * @param make makes the markup. It must return only markup that is allowed
 */
export function markupPolicy(name: PolicyName, make: (input: string) => string): (input: string) => string {
  const policy = globalThis.trustedTypes?.createPolicy(name, { createHTML: make });
  return policy ? (input) => policy.createHTML(input) : make;
}
