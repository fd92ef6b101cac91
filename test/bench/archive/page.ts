/**
 * @file Generates runs, and stores their summaries and search index in a database. `scripts/bench-archive.mjs` then opens
 * Podium at the same origin, so Podium uses this database. The URL's hash is the number of runs.
 */
import { createDatabase } from '../../../src/platform/store/database';
import { fillIndex } from '../index/fill';

const NAME = 'podium';

try {
  const database = createDatabase({ name: NAME });
  await fillIndex(database, NAME, Number(location.hash.slice(1)));
  database.close();
} catch (thrown) {
  console.error('The database could not be filled.', thrown);
}
globalThis.benchDone = true;
