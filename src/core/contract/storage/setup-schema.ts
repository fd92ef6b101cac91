/**
 * @file Validates stored preferences and worker setups. An invalid field falls back to a safe value,
 * usually its default. The contract's index doesn't export this file, so that importing the index
 * doesn't load zod.
 */
import * as z from 'zod/mini';
import {
  amount,
  caps,
  name,
  domainStrengths,
  roleStrengths,
  price,
  speed,
  text,
  usd,
  optionalNumbers,
  systemPrompt,
  workerSampling,
} from './schema-parts';
import { isMoment, LONGEST_NAME } from './bounds';
import { preferenceShape, waitingShape } from './settings-shape';
import { SETTINGS } from '../run/setting-table';
import { conductorPromptsSchema } from '../workflow/conductor-prompt-schema';
import type { Connection } from '../worker/connection';
import { REASONING_LEVELS } from '../worker/provider';
import {
  DEFAULT_PREFERENCES,
  RUN_FILTER_LIMITS,
  SAVED_POOL_LIMITS,
  SETUP_NUMBERS,
  type Preferences,
  type SavedRunFilter,
  type WorkerSetup,
} from '../worker/setup';
import { isRecord } from '../parse-json';

const defaults = DEFAULT_PREFERENCES;
/**
 * An invalid spending cap becomes 0, which allows no spending. A missing cap becomes `null`, which
 * allows unlimited spending.
 */
const usdCap = z.catch(z.nullable(usd), ({ value }) => (value === undefined ? null : 0));
const chosenId = z.catch(z.nullable(text), null);
const chosenIds = z.catch(z.nullable(z.array(text)), null);
const runFilter = z.object({
  name: text.check(z.minLength(1), z.maxLength(RUN_FILTER_LIMITS.name)),
  query: text.check(z.maxLength(RUN_FILTER_LIMITS.query)),
});
const savedPool = z.object({
  name: text.check(z.minLength(1), z.maxLength(SAVED_POOL_LIMITS.name)),
  workers: z.array(text),
});
/** Keeps the last item of each name. Names must be unique, but a restored backup may repeat one. */
function uniqueByName<Item extends { readonly name: string }>(items: Item[]): Item[] {
  return [...new Map(items.map((item) => [item.name, item])).values()];
}

const preferences = z.looseObject({
  ...preferenceShape(SETTINGS),
  theme: z.catch(z.enum(['system', 'light', 'dark']), defaults.theme),
  conductor: chosenId,
  pool: chosenIds,
  otherPool: chosenIds,
  aloneWorker: chosenId,
  caps: z.catch(
    z.looseObject({
      rounds: z.catch(amount, defaults.caps.rounds),
      calls: z.catch(amount, defaults.caps.calls),
      tokens: z.catch(z.nullable(amount), defaults.caps.tokens),
      usd: usdCap,
    }),
    { ...defaults.caps },
  ),
  dayUsd: usdCap,
  prompts: conductorPromptsSchema,
  isPrivate: z.catch(z.boolean(), defaults.isPrivate),
  grammar: z.catch(z.boolean(), defaults.grammar),
  model: chosenId,
  sentenceModel: chosenId,
  speeds: z.catch(z.record(z.string(), speed), {}),
  policy: chosenId,
  runFilters: z.catch(
    z.pipe(z.array(runFilter).check(z.maxLength(RUN_FILTER_LIMITS.count)), z.transform(uniqueByName<SavedRunFilter>)),
    [],
  ),
  savedPools: z.catch(
    z.pipe(
      z.array(savedPool).check(z.maxLength(SAVED_POOL_LIMITS.count)),
      z.transform(uniqueByName<z.infer<typeof savedPool>>),
    ),
    [],
  ),
  restored: z.catch(
    z.nullable(
      z.object({
        ...waitingShape(SETTINGS),
        conductor: z.optional(z.nullable(text)),
        pool: z.optional(z.nullable(z.array(text))),
        otherPool: z.optional(z.nullable(z.array(text))),
        caps: z.optional(caps),
        dayUsd: z.optional(z.nullable(usd)),
        isPrivate: z.optional(z.boolean()),
        prompts: z.optional(conductorPromptsSchema),
      }),
    ),
    null,
  ),
});

/** Reads preferences. Invalid fields fall back to their defaults. Invalid spending caps become 0. */
export function parsePreferences(value: unknown): Preferences {
  return z.parse(preferences, isRecord(value) ? value : {});
}

const rateLimit = z.catch(z.nullable(z.int().check(z.gte(1))), null);
const shortName = name.check(z.maxLength(LONGEST_NAME));
const server = {
  baseUrl: shortName,
  needsKey: z.catch(z.boolean(), true),
  provider: z.catch(z.optional(text), undefined),
  limits: z.catch(
    z.optional(z.looseObject({ concurrent: rateLimit, requestsPerMinute: rateLimit, tokensPerMinute: rateLimit })),
    undefined,
  ),
  extraNames: z.catch(z.optional(z.array(shortName)), undefined),
  // The setups of older versions lack this field. The user entered all these setups, so a missing value counts as
  // confirmed. An invalid value counts as unconfirmed.
  unconfirmed: z.catch(z.optional(z.boolean()), true),
};
const workerSetup = z.looseObject({
  ...server,
  ...optionalNumbers(SETUP_NUMBERS, true),
  id: shortName,
  name: z.catch(text.check(z.maxLength(LONGEST_NAME)), ''),
  mark: z.catch(text.check(z.maxLength(LONGEST_NAME)), '··'),
  colour: z.catch(z.int().check(z.gte(1), z.lte(9)), 1),
  connection: z.catch(z.optional(shortName), undefined),
  model: shortName,
  price: z.catch(z.nullable(price), null),
  priced: z.catch(
    z.optional(
      z.looseObject({
        by: z.enum(['person', 'provider', 'table']),
        date: z.string().check(z.refine((date) => isMoment(Date.parse(date)))),
        source: z.optional(text),
      }),
    ),
    undefined,
  ),
  description: z.catch(text, ''),
  reasoning: z.catch(z.optional(z.nullable(z.enum(REASONING_LEVELS))), undefined),
  sampling: z.catch(z.optional(workerSampling), undefined),
  listed: z.catch(
    z.optional(
      z.looseObject({
        maxOutput: z.optional(amount),
        parameters: z.optional(z.array(text)),
        isGone: z.optional(z.boolean()),
        priceBefore: z.optional(price),
      }),
    ),
    undefined,
  ),
  system: z.catch(z.optional(systemPrompt), undefined),
  extraFields: z.catch(z.optional(z.record(z.string(), z.unknown())), undefined),
  extraUsd: z.catch(z.optional(usd), undefined),
  canSee: z.catch(z.optional(z.boolean()), undefined),
  knownAs: z.catch(z.optional(z.nullable(shortName)), undefined),
  domains: z.catch(z.optional(domainStrengths), undefined),
  strengths: z.catch(z.optional(roleStrengths), undefined),
});
const connection = z.looseObject({ ...server, id: shortName, name: z.catch(z.optional(shortName), undefined) });

/** The names of all fields of a worker's setup. */
export const WORKER_FIELDS = Object.keys(workerSetup.shape) as readonly (keyof WorkerSetup)[];

/** Reads a worker's setup. `null` if the worker can't be called, because its id, address or model is invalid. */
export function parseWorkerSetup(value: unknown): WorkerSetup | null {
  const parsed = z.safeParse(workerSetup, value);
  if (!parsed.success) return null;
  return { ...parsed.data, name: parsed.data.name === '' ? parsed.data.model : parsed.data.name };
}

/** Reads a connection. `null` if its id or address is invalid. */
export function parseConnection(value: unknown): Connection | null {
  return z.safeParse(connection, value).data ?? null;
}
