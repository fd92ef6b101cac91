/** @file Decides whether a stored run is confidential. A confidential run must not leave this browser. */
import { isMarkedConfidential } from '../run/confidential';
import { isKnownEvent } from '../run/event-traits';
import type { StoredEvent } from '../run/events';
import type { BatchPlan } from './batch';
import type { Dataset } from './dataset';

/**
 * Whether a run is confidential. Rejects with a `FaultError` if storage fails.
 * @param first the run's first event
 */
export type ConfidentialityCheck = (first: StoredEvent) => Promise<boolean>;

export interface ConfidentialityOptions {
  /** Reads the events of a run. Resolves to an empty array if the run does not exist. */
  readonly read: (runId: string) => Promise<readonly StoredEvent[]>;
  readonly datasets: readonly Pick<Dataset, 'id' | 'isConfidential'>[];
  readonly batches: readonly { readonly plan: Pick<BatchPlan, 'datasets'> }[];
}

/**
 * Creates the check. A run is confidential in these cases:
 * - Its first event marks it as confidential.
 * - The dataset of its batch is confidential.
 * - It is a fork of a confidential run, or a follow-up to one.
 */
export function confidentialityCheck({ read, datasets, batches }: ConfidentialityOptions): ConfidentialityCheck {
  const all = [...datasets, ...batches.flatMap(({ plan }) => plan.datasets)];
  const secret = new Set(all.flatMap(({ id, isConfidential }) => (isConfidential ? id : [])));
  const known = new Map<string, boolean>();

  async function isConfidential(first: StoredEvent, children: ReadonlySet<string>): Promise<boolean> {
    if (!isKnownEvent(first) || first.type !== 'run-started') return false;
    const { runId, batch, parent, question } = first;
    const before = known.get(runId);
    if (before !== undefined) return before;
    const isOwn = isMarkedConfidential(first) || (batch !== undefined && secret.has(batch.dataset));
    const sources = [parent?.runId, question.context?.runId];
    const found = isOwn || (await isAny(sources, new Set([...children, runId])));
    known.set(runId, found);
    return found;
  }

  async function isAny(runIds: readonly (string | undefined)[], children: ReadonlySet<string>): Promise<boolean> {
    for (const runId of runIds) {
      // Skips runs that are being checked, because runs from a file may refer to each other in a circle.
      if (runId === undefined || children.has(runId)) continue;
      const [first] = await read(runId);
      if (first && (await isConfidential(first, children))) return true;
    }
    return false;
  }

  return (first) => isConfidential(first, new Set());
}
