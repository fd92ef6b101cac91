/**
 * @file Adapts the plan of an imported batch to this browser. Datasets are matched by revision. Workers and Conductors are
 * matched by id, and must have the same model and the same address.
 */
import { partsOf } from '../../core/conductor/solo';
import type {
  BatchDataset,
  BatchPlan,
  ConductorInfo,
  Dataset,
  Method,
  PoolWorker,
  Preferences,
} from '../../core/contract';
import type { ConductorChoice } from '../services';

/** The datasets, workers and Conductors of this browser. */
export interface PlanParts {
  readonly datasets: readonly Dataset[];
  /** Workers that the user can choose. */
  readonly workers: readonly PoolWorker[];
  /** All Conductors in the menu. `missing` is set if a Conductor can't plan now. */
  readonly conductors: readonly ConductorChoice[];
  readonly preferences: Pick<Preferences, 'isPrivate'>;
}

/** `problems`: why the plan can't be used in this browser, as sentences. */
export type PlanHere =
  { readonly ok: true; readonly plan: BatchPlan } | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Returns the plan with this browser's dataset ids and prices. Prices from the file are replaced, because the money cap must
 * not depend on them.
 */
export function planHere(plan: BatchPlan, parts: PlanParts): PlanHere {
  const problems = new Set<string>();
  const datasets = plan.datasets.map((dataset) => datasetHere(dataset, parts, problems));
  const methods = plan.methods.map((method) => methodHere(method, parts, problems));
  const judge = plan.judge && workerHere(plan.judge, parts, problems);
  if (problems.size > 0) return { ok: false, problems: [...problems] };
  return { ok: true, plan: { ...plan, datasets, methods, judge } };
}

function datasetHere(wanted: BatchDataset, { datasets }: PlanParts, problems: Set<string>): BatchDataset {
  const found = datasets.find(({ revision }) => revision === wanted.revision);
  if (found) {
    const { id, map, isConfidential } = found;
    return { ...wanted, id, isConfidential: wanted.isConfidential || isConfidential, ...(map && { map }) };
  }
  const hasName = datasets.some(({ name }) => name === wanted.name);
  problems.add(
    hasName
      ? `The dataset ${wanted.name} differs from the one in this batch. Import the file that this batch used, with the same columns.`
      : `This browser has no dataset named “${wanted.name}”. Import it on Evaluate.`,
  );
  return wanted;
}

function methodHere(method: Method, parts: PlanParts, problems: Set<string>): Method {
  const { settings } = method;
  const conductor = conductorHere(settings.conductor, parts, problems);
  const pool = settings.pool.map((worker) => workerHere(worker, parts, problems));
  return { ...method, settings: { ...settings, conductor, pool } };
}

function workerHere(wanted: PoolWorker, { workers, preferences }: PlanParts, problems: Set<string>): PoolWorker {
  const { id, name, kind, model, origin } = wanted;
  if (kind === 'conductor') return wanted;
  if (kind === 'recorded') {
    problems.add(
      'The recorded workers of this batch belong to a table in another browser. Add the table here, then start a new batch.',
    );
    return wanted;
  }
  const found = workers.find((worker) => worker.id === id);
  if (!found) {
    problems.add(
      preferences.isPrivate && origin !== null
        ? `The worker “${name}” runs on a server. Turn Private off to use it.`
        : `This browser has no worker named “${name}”. Restore a backup that has it, or start a new batch with your own workers.`,
    );
    return wanted;
  }
  if (found.kind !== kind || found.model !== model || found.origin !== origin) {
    problems.add(
      `The worker ${name} is ${placeOf(wanted)} in this batch, but ${placeOf(found)} here. Change it under Workers.`,
    );
  }
  return { ...wanted, price: found.price };
}

function conductorHere(
  wanted: ConductorInfo,
  { conductors, preferences }: PlanParts,
  problems: Set<string>,
): ConductorInfo {
  const { label, model, price } = wanted;
  const origin = wanted.origin ?? null;
  // The id of a template can include the id of a worker, and `partsOf` removes it. The worker is in the pool, so
  // `workerHere` checks the worker.
  const found = conductors.find(({ info }) => info.id === partsOf(wanted.id).template);
  if (!found) {
    problems.add(
      preferences.isPrivate && origin !== null
        ? `The Conductor “${label}” runs on a server. Turn Private off to use it.`
        : `This browser has no Conductor named “${label}”. Restore a backup that has it, or start a new batch with another Conductor.`,
    );
    return wanted;
  }
  if (found.missing !== undefined) problems.add(found.missing);
  if (found.info.model !== model || (found.info.origin ?? null) !== origin) {
    problems.add(`The Conductor ${label} has another model or address here. Change it under Workers.`);
  }
  return price === undefined ? wanted : { ...wanted, price: found.info.price ?? null };
}

function placeOf({ model, origin }: PoolWorker): string {
  return origin === null ? model : `${model} at ${origin}`;
}
