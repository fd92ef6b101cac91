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

  /** Follows forks and follow-ups back to their origins. Runs from a file may refer to each other in a circle. */
  return async function isConfidential(first) {
    /** The checked runs, each with the run that led to it. */
    const visited = new Map<string, string | null>();
    const pending: { readonly event: StoredEvent; readonly from: string | null }[] = [{ event: first, from: null }];
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { event, from } = next;
      if (!isKnownEvent(event) || event.type !== 'run-started' || visited.has(event.runId)) continue;
      const { runId, batch, parent, question } = event;
      visited.set(runId, from);
      const before = known.get(runId);
      if (before === false) continue;
      if (before === true || isMarkedConfidential(event) || (batch !== undefined && secret.has(batch.dataset))) {
        for (let id: string | null = runId; id !== null; id = visited.get(id) ?? null) known.set(id, true);
        return true;
      }
      const turns = question.context ? [question.context, ...(question.context.earlier ?? [])] : [];
      for (const source of [parent?.runId, ...turns.map((turn) => turn.runId)]) {
        if (source === undefined || visited.has(source)) continue;
        const [origin] = await read(source);
        if (origin) pending.push({ event: origin, from: runId });
      }
    }
    for (const runId of visited.keys()) known.set(runId, false);
    return false;
  };
}
