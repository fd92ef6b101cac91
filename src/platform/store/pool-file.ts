/**
 * @file The file format `podium-pool`: the workers of a pool, the Conductor, and the preferences of runs. A pool file contains no
 * API keys. The page exports and imports pool files, and the command line reads them.
 */
import {
  DEFAULT_PREFERENCES,
  entriesOf,
  fault,
  FaultError,
  isRecord,
  isWebAddress,
  parseJson,
  picked,
  SETTINGS,
  SETUP_NUMBER_NAMES,
  type PoolFile,
  type Preferences,
  type WorkerSetup,
} from '../../core/contract';
import { parsePreferences, parseWorkerSetup, WORKER_FIELDS } from '../../core/contract/storage/setup-schema';

const FORMAT = 'podium-pool';
/** Increase this number when older versions of Podium can no longer read the file. */
const VERSION = 1;

/** These settings need a user at the page. */
const PAGE_ONLY: readonly (keyof Preferences)[] = ['choice', 'approval', 'dayUsd', 'importedGrades'];

const FILE_SETTINGS: readonly (keyof Preferences)[] = [
  ...entriesOf(SETTINGS).flatMap(([name]) => (PAGE_ONLY.includes(name) ? [] : [name])),
  'caps',
  'prompts',
];

/** The fields of a worker whose values change what a call costs or returns. An invalid value is refused. */
const STRICT: readonly (keyof WorkerSetup)[] = [
  ...SETUP_NUMBER_NAMES,
  'price',
  'needsKey',
  'reasoning',
  'sampling',
  'system',
  'extraFields',
  'extraUsd',
  'limits',
];

/**
 * Returns the text of a pool file.
 * @param app the version of Podium
 */
export function writePoolFile({ name, pool, workers, conductor, preferences }: PoolFile, app: string): string {
  const settings = Object.fromEntries(FILE_SETTINGS.map((name) => [name, preferences[name]]));
  return `${JSON.stringify({ format: FORMAT, version: VERSION, app, name, pool, conductor, workers, settings }, null, 2)}\n`;
}

/** Reads the text of a pool file. Throws a `FaultError` (`bad-request`) with the reason if the file is invalid. */
export function readPoolFile(text: string): PoolFile {
  const value = parseJson(text);
  if (value === undefined) refuse('This file is not JSON. Export the pool again, or check its commas and quotes.');
  if (!isRecord(value) || value.format !== FORMAT) {
    refuse('This file is not a pool. Export one on the Workers page, or see docs/command-line.md.');
  }
  if (typeof value.version === 'number' && value.version > VERSION) {
    refuse('This pool was exported by a newer version of Podium. Update Podium, then try again.');
  }
  const workers = readWorkers(value.workers ?? []);
  const { name, pool = null, conductor = null, settings = {} } = value;
  if (name !== undefined && typeof name !== 'string') refuse('The field “name” must be a text.');
  if (pool !== null && !isTexts(pool)) refuse('The field “pool” must be a list of worker ids.');
  if (conductor !== null && typeof conductor !== 'string')
    refuse('The field “conductor” must be the id of a Conductor.');
  if (!isRecord(settings)) refuse('The field “settings” must be an object.');
  const unknown = Object.keys(settings).find((name) => !FILE_SETTINGS.some((known) => known === name));
  if (unknown !== undefined) refuse(`The setting “${unknown}” is unknown. Known are ${FILE_SETTINGS.join(', ')}.`);
  const preferences: Preferences = { ...DEFAULT_PREFERENCES, ...parsePreferences(settings) };
  // `parsePreferences` replaces an invalid value with the default. So a value was invalid if it was not kept.
  const invalid = FILE_SETTINGS.find((name) => name in settings && !isKept(settings[name], preferences[name]));
  if (invalid !== undefined) {
    refuse(`The setting “${invalid}” has an invalid value: ${JSON.stringify(settings[invalid])}.`);
  }
  return { ...(name === undefined ? {} : { name }), pool, workers, conductor, preferences };
}

/** Whether every value of `given` is also in `read`, which may have more fields. */
function isKept(given: unknown, read: unknown): boolean {
  if (Array.isArray(given) && Array.isArray(read)) {
    return given.length === read.length && given.every((value, index) => isKept(value, read[index]));
  }
  if (isRecord(given) && isRecord(read)) {
    return Object.entries(given).every(([name, value]) => isKept(value, read[name]));
  }
  return given === read;
}

function readWorkers(values: unknown): readonly WorkerSetup[] {
  if (!Array.isArray(values)) return refuse('The field “workers” must be a list of workers.');
  const workers = values.map((value: unknown, index): WorkerSetup => {
    const setup = parseWorkerSetup(value);
    if (!setup || !isRecord(value)) return refuse(`Worker ${index + 1} needs an id, a baseUrl and a model.`);
    if (!isWebAddress(setup.baseUrl)) {
      return refuse(`Worker ${index + 1} needs a baseUrl that starts with http:// or https://, without a user name.`);
    }
    // `parseWorkerSetup` replaces an invalid value with a default. So a value was invalid if it was not kept.
    const invalid = STRICT.find((name) => name in value && !isKept(value[name], setup[name]));
    if (invalid !== undefined) {
      const rule = invalid === 'price' ? ' Prices are numbers of 0 or more, in US dollars per million tokens.' : '';
      return refuse(
        `The field “${invalid}” of worker ${index + 1} has an invalid value: ${JSON.stringify(value[invalid], finite)}.${rule}`,
      );
    }
    // The user of the command line chooses this file, so the addresses of its workers need no confirmation there.
    // Unknown fields are dropped, because the page stores the workers, and a file could contain a key.
    const { unconfirmed: _unconfirmed, ...confirmed } = picked(setup, WORKER_FIELDS);
    return confirmed;
  });
  const twice = workers.find(({ id }, index) => workers.findIndex((each) => each.id === id) < index);
  return twice ? refuse(`Two workers have the id “${twice.id}”. Give each worker its own id.`) : workers;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function refuse(message: string): never {
  throw new FaultError(fault('bad-request', message));
}

/** JSON has no infinite numbers and would show them as `null`. */
function finite(_name: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
}
