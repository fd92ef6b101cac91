/** @file Takes out what sentence models said of questions whose runs are deleted: a place tells a good part of the text. */
import { sha256Hex } from '../../core/contract';
import type { Database } from './database';

/** Digests are hexadecimal. */
const PAST_EVERY_DIGEST = 'g';

/** Whether anything was ever said of a question: without a sentence model nothing was. */
export function isAnyQuestionPlaced(database: Database): Promise<boolean> {
  return database.transact(['vectors'], 'readonly', async (transaction) => {
    return (await transaction.objectStore('vectors').count()) > 0;
  });
}

/** Whatever was said of one question, by any model. */
export function forgetQuestion(database: Database, question: string): Promise<void> {
  const digest = sha256Hex(question);
  return database.transact(['vectors'], 'readwrite', async (transaction) => {
    const vectors = transaction.objectStore('vectors');
    // Keys are ordered by model: one look for each model, past all that it has.
    let cursor = await vectors.openKeyCursor();
    while (cursor) {
      const [model] = cursor.key;
      await vectors.delete([model, digest]);
      cursor = await cursor.continue([model, PAST_EVERY_DIGEST]);
    }
  });
}

export function forgetAllQuestions(database: Database): Promise<void> {
  return database.transact(['vectors'], 'readwrite', (transaction) => transaction.objectStore('vectors').clear());
}
