/** @file Deletes the embeddings of questions when their runs are deleted, because an embedding reveals much about its text. */
import { sha256Hex } from '../../core/contract';
import type { Database } from './database';

/** Sorts after every digest, because digests are hexadecimal. */
const PAST_EVERY_DIGEST = 'g';

/** Whether any embeddings are stored. They exist only if the user has used a sentence model. */
export function hasQuestionVectors(database: Database): Promise<boolean> {
  return database.transact(['vectors'], 'readonly', async (transaction) => {
    return (await transaction.objectStore('vectors').count()) > 0;
  });
}

/** Deletes all embeddings of one question. There may be one from each model. */
export function forgetQuestion(database: Database, question: string): Promise<void> {
  const digest = sha256Hex(question);
  return database.transact(['vectors'], 'readwrite', async (transaction) => {
    const vectors = transaction.objectStore('vectors');
    // Keys are ordered by model, then by digest. The cursor skips all digests of a model, so the loop visits each
    // model once.
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
