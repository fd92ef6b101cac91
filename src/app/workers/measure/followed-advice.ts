/** @file Follows advice by changing preferences. The preferences before are kept in the tab, so that this can be undone. */
import { picked, type Preferences } from '../../../core/contract';
import { parsePreferences } from '../../../core/contract/storage/setup-schema';
import type { Advice } from '../../../core/measurement/report/advice';
import type { PreferencesState } from '../../state/preferences.svelte';
import { replacePool } from '../../state/replace-pool';
import { recallJson, remember } from '../../state/tab-memory';
import type { WorkersState } from '../../state/workers.svelte';

type Field = 'pool' | 'otherPool' | 'conductor' | 'effort' | 'skipSettled';

/** The preferences that each kind of advice changes. */
const FIELDS: Readonly<Record<Advice['kind'], readonly Field[]>> = {
  alone: ['pool', 'otherPool', 'conductor'],
  pool: ['pool', 'otherPool', 'conductor'],
  effort: ['effort'],
  skipping: ['skipSettled'],
};

/** The Conductor that asks one worker once. */
const ONE_CALL = 'template:best-single';

const keyOf = ({ kind }: Advice) => `podium:advice:${kind}`;

interface Parts {
  readonly workers: WorkersState;
  readonly preferences: PreferencesState;
}

/** Whether the preferences are as advised. */
export function isFollowed(advice: Advice, { workers, preferences: { current } }: Parts): boolean {
  switch (advice.kind) {
    case 'alone':
      return isPool([advice.worker.id], workers) && current.conductor === ONE_CALL;
    case 'pool':
      return isPool(idsOf(advice), workers) && current.conductor !== ONE_CALL;
    case 'effort':
      return current.effort === advice.effort;
    case 'skipping':
      return current.skipSettled === advice.skip;
    default:
      return advice satisfies never;
  }
}

export function follow(advice: Advice, { workers, preferences }: Parts): void {
  const { current } = preferences;
  remember(keyOf(advice), JSON.stringify(picked(current, FIELDS[advice.kind])));
  switch (advice.kind) {
    case 'alone':
      replacePool(workers, preferences, [advice.worker.id]);
      preferences.change({ conductor: ONE_CALL });
      return;
    case 'pool':
      replacePool(workers, preferences, [...idsOf(advice), ...toolsIn(workers)]);
      if (current.conductor === ONE_CALL) preferences.change({ conductor: null });
      return;
    case 'effort':
      preferences.change({ effort: advice.effort });
      return;
    case 'skipping':
      preferences.change({ skipSettled: advice.skip });
      return;
    default:
      return advice satisfies never;
  }
}

/** The preferences before the advice was followed in this tab. `null`: it was not. */
export function beforeFollowed(advice: Advice): Partial<Preferences> | null {
  const before = recallJson(keyOf(advice));
  return before === null ? null : picked(parsePreferences(before), FIELDS[advice.kind]);
}

export function unfollow(advice: Advice, { preferences }: Pick<Parts, 'preferences'>): void {
  const before = beforeFollowed(advice);
  if (!before) return;
  preferences.change(before);
  remember(keyOf(advice), null);
}

function idsOf({ workers }: Extract<Advice, { kind: 'pool' }>): readonly string[] {
  return workers.map(({ id }) => id);
}

function toolsIn({ pool }: WorkersState): readonly string[] {
  return pool.filter(({ kind }) => kind === 'python').map(({ id }) => id);
}

/** Whether exactly these models are in the pool. */
function isPool(ids: readonly string[], { pool }: WorkersState): boolean {
  const models = pool.filter(({ kind }) => kind !== 'python');
  return models.length === ids.length && models.every(({ id }) => ids.includes(id));
}
