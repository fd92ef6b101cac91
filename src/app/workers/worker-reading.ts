/** @file Validates the fields of the worker form, and creates a worker's setup from them. */
import type { ReasoningLevel, WorkerSetup } from '../../core/contract';
import { nameOf } from './worker-look';
import { readPrice } from './worker-numbers';

export type FormField = 'model' | 'price';

/** The fields as typed. */
export interface TypedWorker {
  readonly model: string;
  readonly name: string;
  readonly description: string;
  readonly price: { readonly input: string; readonly output: string; readonly cachedInput: string };
  readonly reasoning: ReasoningLevel | '';
  readonly canSee: boolean;
  /** The worker being edited. */
  readonly before: WorkerSetup;
}

export interface ReadWorker {
  /** `null` if a field is invalid. Then `problems` has the reason. */
  readonly setup: Omit<WorkerSetup, 'priced'> | null;
  readonly problems: Partial<Record<FormField, string>>;
}

export function readWorker(typed: TypedWorker): ReadWorker {
  const { id, mark, colour, baseUrl, needsKey } = typed.before;
  const price = readPrice(typed.price.input, typed.price.output, typed.price.cachedInput);
  const model = typed.model.trim();
  const problems: Partial<Record<FormField, string>> = {};
  if (model === '') problems.model = 'Enter the model’s name as the server knows it.';
  if (price === 'unreadable')
    problems.price = 'Enter both prices as numbers of 0 or more, or leave both empty if unknown.';
  if (price === 'unreadable' || problems.model) return { setup: null, problems };
  const setup = {
    id,
    name: typed.name.trim() === '' ? nameOf(model) : typed.name.trim(),
    mark,
    colour,
    baseUrl,
    needsKey,
    model,
    price,
    description: typed.description.trim(),
    ...(typed.reasoning === '' ? {} : { reasoning: typed.reasoning }),
    ...(typed.canSee ? { canSee: true } : {}),
  };
  return { setup, problems };
}
