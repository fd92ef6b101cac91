/** @file Validates the fields of the worker form, and creates a worker's setup from them. */
import type { ProviderPreset, ReasoningLevel, WorkerSetup } from '../../core/contract';
import type { AddressChecker, WorkerServices } from '../services';
import { freeColour, freeMark, nameOf } from './worker-look';
import { readLimits, readPrice } from './worker-numbers';

export type FormField = 'address' | 'model' | 'price' | 'limits';

/** Facts about existing workers. A new worker gets their least used color and, if possible, a free mark. */
export interface OtherWorkers {
  readonly colours: readonly number[];
  readonly marks: readonly string[];
  /** Ids of connections whose keys a new worker may use if it calls the same service. */
  readonly ids?: readonly string[];
}

/** The fields as typed. */
export interface TypedWorker {
  readonly server: { readonly address: string; readonly preset: ProviderPreset };
  readonly model: string;
  readonly name: string;
  readonly description: string;
  readonly price: { readonly input: string; readonly output: string; readonly cachedInput: string };
  readonly concurrent: string;
  readonly requestsPerMinute: string;
  readonly tokensPerMinute: string;
  readonly reasoning: ReasoningLevel | '';
  readonly canSee: boolean;
  /** The worker being edited. `null` for a new worker. */
  readonly before: WorkerSetup | null;
}

export interface ReadWorker {
  /** `null` if a field is invalid. Then `problems` has the reason. */
  readonly setup: Omit<WorkerSetup, 'needsKey' | 'priced'> | null;
  readonly problems: Partial<Record<FormField, string>>;
  /** What to check before using the typed address. `null`: nothing. */
  readonly hint: string | null;
}

export function readWorker(
  typed: TypedWorker,
  others: OtherWorkers,
  { checkAddress, providerOf }: AddressChecker & Pick<WorkerServices, 'providerOf'>,
): ReadWorker {
  const { before } = typed;
  const { preset } = typed.server;
  const address = checkAddress(typed.server.address);
  const price = readPrice(typed.price.input, typed.price.output, typed.price.cachedInput);
  const limits = readLimits(typed.concurrent, typed.requestsPerMinute, typed.tokensPerMinute);
  const model = typed.model.trim();
  const problems: Partial<Record<FormField, string>> = {};
  if (!address.ok) problems.address = address.fault.message;
  if (model === '') problems.model = 'Enter the model’s name as the server knows it.';
  if (price === 'unreadable')
    problems.price = 'Enter both prices as numbers of 0 or more, or leave both empty if unknown.';
  if (limits === 'unreadable') problems.limits = 'Enter whole numbers of 1 or more. Leave unknown limits empty.';
  const hint = address.ok ? address.hint : null;
  if (!address.ok || price === 'unreadable' || limits === 'unreadable' || problems.model)
    return { setup: null, problems, hint };
  const { baseUrl } = address;
  const name = typed.name.trim() === '' ? nameOf(model) : typed.name.trim();
  const isDetected = providerOf({ baseUrl }).id === preset.id;
  const setup = {
    id: before?.id ?? `worker:${crypto.randomUUID()}`,
    name,
    mark: before?.mark ?? freeMark(name, others.marks),
    colour: before?.colour ?? freeColour(others.colours),
    baseUrl,
    model,
    price,
    description: typed.description.trim(),
    ...(isDetected ? {} : { provider: preset.id }),
    ...(typed.reasoning === '' ? {} : { reasoning: typed.reasoning }),
    ...(limits ? { limits } : {}),
    ...(typed.canSee ? { canSee: true } : {}),
  };
  return { setup, problems, hint };
}
