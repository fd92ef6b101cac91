/**
 * @file The models that the server offers. A model id chooses the effort or the Conductor of a run, and whether the client gets
 * the plan and the progress of its steps.
 */
import { followsEffort } from '../../../core/conductor/effort';
import { EFFORTS, type ConductorInfo, type Effort } from '../../../core/contract';
import type { Engine } from '../../engine';
import { ApiError } from '../http/api-error';

/** The model with the server's own Conductor and effort. The ids of all other models begin with it. */
const MODEL = 'podium';
/** A model id with this ending leaves out the progress. */
const QUIET = '-quiet';

export interface ServedModel {
  readonly id: string;
  /** `null`: the request or the pool file decides. */
  readonly effort: Effort | null;
  /** `null`: the Conductor of the server. */
  readonly conductor: ConductorInfo | null;
  readonly isQuiet: boolean;
}

/** The models in the order of the list. Effort applies only to some Conductors. */
export function servedModels({ conductor, conductors }: Engine): readonly ServedModel[] {
  const usual: ServedModel = { id: MODEL, effort: null, conductor: null, isQuiet: false };
  const efforts = followsEffort(conductor) ? EFFORTS : [];
  return [
    usual,
    ...efforts.map((effort) => ({ ...usual, id: `${MODEL}-${effort}`, effort })),
    { ...usual, id: `${MODEL}${QUIET}`, isQuiet: true },
    ...conductors.map((info) => ({ ...usual, id: `${MODEL}/${info.id}`, conductor: info })),
  ];
}

/** Finds a model. Every id can also end in `-quiet`. Throws an `ApiError` (404) that lists the models. */
export function findModel(id: string, models: readonly ServedModel[]): ServedModel {
  const found = models.find((model) => model.id === id);
  if (found) return found;
  const base = id.endsWith(QUIET) ? models.find((model) => model.id === id.slice(0, -QUIET.length)) : undefined;
  if (base) return { ...base, id, isQuiet: true };
  const names = models.map((model) => model.id).join(', ');
  const text = `There is no model “${id}”. The models are ${names}.`;
  throw new ApiError(404, text, { code: 'model_not_found', param: 'model' });
}
