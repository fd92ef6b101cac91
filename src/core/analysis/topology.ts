/** @file Classifies the shape of a workflow by its access lists. */

/**
 * - `one step`: a single step.
 * - `chain`: each step sees the one before it, so no two steps run in parallel.
 * - `fan-in`: the last step sees at least two steps that do not depend on each other.
 * - `other`: anything else, such as two independent steps and a last step that sees only the first.
 */
export const TOPOLOGIES = ['one step', 'chain', 'fan-in', 'other'] as const;
export type Topology = (typeof TOPOLOGIES)[number];

/**
 * The shape of a workflow. `null` for a workflow without steps.
 * @param steps `access` has the 0-based indexes of the earlier steps that a step sees
 */
export function topologyOf(steps: readonly { readonly access: readonly number[] }[]): Topology | null {
  if (steps.length === 0) return null;
  if (steps.length === 1) return 'one step';
  if (steps.every(({ access }, index) => index === 0 || access.includes(index - 1))) return 'chain';
  const dependencies = dependenciesOf(steps);
  const seen = steps.at(-1)?.access ?? [];
  const apart = seen.some((one) => seen.some((other) => other < one && !dependencies[one]?.has(other)));
  return apart ? 'fan-in' : 'other';
}

/** For each step, the 0-based indexes of its direct and indirect dependencies. */
export function dependenciesOf(steps: readonly { readonly access: readonly number[] }[]): ReadonlySet<number>[] {
  const behind: Set<number>[] = [];
  for (const { access } of steps) {
    const own = new Set(access);
    for (const at of access) for (const earlier of behind[at] ?? []) own.add(earlier);
    behind.push(own);
  }
  return behind;
}
