/**
 * @file Deletes the embeddings of a question when the last run with this question is deleted, because an embedding reveals much
 * about the question's text. Lazy-loaded, to keep the first page small.
 */
import { sha256Hex } from '../../core/contract';
import type { Database } from './database';
import { QuestionRuns } from './question-runs';

/** Sorts after every digest, because digests are hexadecimal. */
const PAST_EVERY_DIGEST = 'g';

export interface QuestionForgetter {
  /**
   * Deletes the embeddings of a run's question, unless another run has the same question. Must be called right before the run
   * is deleted.
   * @param shortened the question in the run's summary, which may be shortened
   */
  forget(runId: string, question: string, shortened: string): Promise<void>;
  /** Must be called when all runs are deleted. */
  clear(): void;
}

/** @param questionOf reads the whole question of a run, or returns `null` if the run is deleted */
export function createQuestionForgetter(
  database: Database,
  questionOf: (runId: string) => Promise<string | null>,
): QuestionForgetter {
  const runs = new QuestionRuns(database, questionOf);
  return {
    async forget(runId, question, shortened) {
      if (!(await runs.isSharedWith(runId, question, shortened))) await deleteVectors(database, question);
    },
    clear: () => runs.clear(),
  };
}

/** Deletes all embeddings of one question. There may be one from each model. */
function deleteVectors(database: Database, question: string): Promise<void> {
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
