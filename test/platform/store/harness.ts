/** @file Creates databases for tests. */
import { deleteDB } from 'idb';
import { onTestFinished } from 'vitest';
import { createDatabase, type Database, type DatabaseOptions } from '../../../src/platform/store/database';

let counter = 0;

export function uniqueName(): string {
  counter += 1;
  return `test-${counter}-${crypto.randomUUID()}`;
}

/**
 * Creates a database that is closed when the test ends. Without a name, the database is new and is also deleted at the end.
 */
export function testDatabase(options: DatabaseOptions = {}): Database & { readonly name: string } {
  const name = options.name ?? uniqueName();
  const database = createDatabase({ pauses: [0, 0], ...options, name });
  onTestFinished(async () => {
    database.close();
    if (options.name === undefined) await deleteDB(name);
  });
  return { ...database, name };
}
