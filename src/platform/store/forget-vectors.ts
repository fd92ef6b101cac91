/** @file Deletes the embeddings of all questions, and checks whether there are any. */
import type { Database } from './database';

/** Whether any embeddings are stored. They exist only if the user has used a sentence model. */
export function hasQuestionVectors(database: Database): Promise<boolean> {
  return database.transact(['vectors'], 'readonly', async (transaction) => {
    return (await transaction.objectStore('vectors').count()) > 0;
  });
}

export function forgetAllQuestions(database: Database): Promise<void> {
  return database.transact(['vectors'], 'readwrite', (transaction) => transaction.objectStore('vectors').clear());
}
