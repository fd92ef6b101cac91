/**
 * @file The schemas of settings, derived from the table of settings. Runs and batches store such settings. A batch stores them
 * once for each of its methods.
 */
import * as z from 'zod/mini';
import { amount, caps, conductor, name, poolWorker, sampling, within } from './schema-parts';
import {
  entriesOf,
  RUN_SETTINGS,
  type RecordedOf,
  type SettingEntry,
  type SettingTable,
  type ValuesOf,
} from '../run/setting-table';
import type { CheckTrust } from '../workflow/check-trust';
import { conductorPromptSchema } from '../workflow/conductor-prompt-schema';

type ShapeOf<Values> = {
  readonly [Name in keyof Values]-?: undefined extends Values[Name]
    ? z.ZodMiniOptional<z.ZodMiniType<Exclude<Values[Name], undefined>>>
    : z.ZodMiniType<Values[Name]>;
};

function valueSchema(entry: SettingEntry, range: 'stored' | 'recorded'): z.ZodMiniType {
  return 'options' in entry ? z.literal([...entry.options]) : within(entry[range] ?? entry);
}

/** The schema of the settings that a run records. */
function recordedShape<Table extends SettingTable>(table: Table): ShapeOf<RecordedOf<Table>>;
function recordedShape(table: SettingTable): object {
  return shapeOf(table, (entry) => {
    const schema = valueSchema(entry, 'recorded');
    if ('optional' in entry) return z.optional(schema);
    return entry.older === undefined ? schema : z._default(schema, entry.older);
  });
}

/** The schema of stored preferences. An invalid value becomes the default. */
export function preferenceShape<Table extends SettingTable>(table: Table): ShapeOf<ValuesOf<Table>>;
export function preferenceShape(table: SettingTable): object {
  return shapeOf(table, (entry) => z.catch(storedSchema(entry), entry.default));
}

/** The schema of settings from a backup that wait for the user's confirmation. Other settings never wait. */
export function waitingShape<Table extends SettingTable>(table: Table): ShapeOf<Partial<ValuesOf<Table>>>;
export function waitingShape(table: SettingTable): object {
  return shapeOf(table, (entry) => entry.restores && z.optional(storedSchema(entry)));
}

function storedSchema(entry: SettingEntry): z.ZodMiniType {
  const schema = valueSchema(entry, 'stored');
  return 'optional' in entry ? z.nullable(schema) : schema;
}

function shapeOf(table: SettingTable, schemaOf: (entry: SettingEntry) => z.ZodMiniType | undefined): object {
  const schemas = entriesOf(table).map(([name, entry]) => [name, schemaOf(entry)] as const);
  return Object.fromEntries(schemas.filter(([, schema]) => schema));
}

const rightCount = z.looseObject({ right: amount, of: amount });
const checkTrust: z.ZodMiniType<CheckTrust> = z.looseObject({
  bound: amount,
  goesOn: z.optional(z.literal(true)),
  checkers: z.record(z.string(), z.looseObject({ ofRight: rightCount, ofWrong: rightCount })),
  solvers: z.record(z.string(), rightCount),
});

/**
 * Every setting except the question and the seed. Some fields have a default, because records of older
 * versions lack them.
 */
export const settingsShape = {
  ...recordedShape(RUN_SETTINGS),
  pool: z.array(poolWorker),
  conductor,
  maxSteps: amount,
  caps,
  sampling,
  prompt: z.optional(conductorPromptSchema),
  leaveOutFailed: z.optional(z.boolean()),
  skipSettled: z.optional(z.boolean()),
  trust: z.optional(checkTrust),
  alone: z.optional(z.looseObject({ worker: name, share: amount, equalCost: z.optional(z.literal(true)) })),
};
