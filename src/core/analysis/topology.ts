/**
 * @file The shape of a workflow: who waits for whom, told from its access lists alone. Curves, figures and reports that
 * speak of shapes all go by these words.
 */

/**
 * `one step`: just that. `chain`: each step sees the one before it, so that nothing runs side by side. `fan-in`: some steps
 * run side by side, and the last step sees at least two of which neither waits for the other. `other`: anything else, such as
 * a step that nobody sees.
 */
export const TOPOLOGIES = ['one step', 'chain', 'fan-in', 'other'] as const;
export type Topology = (typeof TOPOLOGIES)[number];

/** The shape of a workflow, or `null` for one without steps. @param steps what each sees: earlier steps, 0-based */
export function topologyOf(steps: readonly { readonly access: readonly number[] }[]): Topology | null {
  if (steps.length === 0) return null;
  if (steps.length === 1) return 'one step';
  if (steps.every(({ access }, index) => index === 0 || access.includes(index - 1))) return 'chain';
  const behind = waitsFor(steps);
  const seen = steps.at(-1)?.access ?? [];
  const apart = seen.some((one) => seen.some((other) => other < one && !behind[one]?.has(other)));
  return apart ? 'fan-in' : 'other';
}

/** For each step all that must be done before it, directly or not. */
function waitsFor(steps: readonly { readonly access: readonly number[] }[]): ReadonlySet<number>[] {
  const behind: Set<number>[] = [];
  for (const { access } of steps) {
    const own = new Set(access);
    for (const at of access) for (const earlier of behind[at] ?? []) own.add(earlier);
    behind.push(own);
  }
  return behind;
}
