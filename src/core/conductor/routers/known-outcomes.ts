/**
 * @file Arranges graded runs for routers, which choose one worker for a whole question: the questions with their embeddings, and
 * how often each worker was right on them.
 */
import { questionEmbedding } from '../../analysis/question-embedding';
import { mixSeed, type GradedRun } from '../../contract';

/** Number of parts of the known questions. Settings are chosen by predicting each part from the others. */
export const FOLDS = 5;

/** Predicts how likely each worker is to answer a question right. */
export interface Router {
  /** The chances, from 0 to 1, in the order of the workers. */
  predict(question: string): readonly number[];
}

export interface KnownQuestion {
  readonly embedding: Float32Array;
  /** The part that the question belongs to, from 0. Questions of one group belong to the same part. */
  readonly fold: number;
  /** Share of right answers of each worker, in the order of the workers. `undefined`: unknown. */
  readonly right: readonly (number | undefined)[];
}

export interface KnownOutcomes {
  readonly questions: readonly KnownQuestion[];
  /** Share of right answers of each worker over all questions, with one more answer that is right by half. */
  readonly overall: readonly number[];
}

/** Only runs in which a single worker solved the question count. @param workers ids of the workers */
export function knownOutcomes(history: readonly GradedRun[], workers: readonly string[]): KnownOutcomes {
  const byQuestion = new Map<string, { fold: number; counts: { right: number; runs: number }[] }>();
  for (const { question, right, played, group } of history) {
    const worker = workers.indexOf(played[0]?.workerId ?? '');
    if (played.length !== 1 || played[0]?.role !== 'solve' || worker < 0) continue;
    let known = byQuestion.get(question);
    if (!known) {
      const counts = workers.map(() => ({ right: 0, runs: 0 }));
      known = { fold: mixSeed('fold', group === undefined ? question : `group ${group}`) % FOLDS, counts };
      byQuestion.set(question, known);
    }
    const count = known.counts[worker];
    if (!count) continue;
    count.runs += 1;
    if (right) count.right += 1;
  }
  const questions = [...byQuestion].map(([question, { fold, counts }]) => ({
    embedding: questionEmbedding(question),
    fold,
    right: counts.map(({ right, runs }) => (runs === 0 ? undefined : right / runs)),
  }));
  const overall = workers.map((_, worker) => {
    const known = questions.flatMap(({ right }) => right[worker] ?? []);
    return (known.reduce((sum, each) => sum + each, 0) + 0.5) / (known.length + 1);
  });
  return { questions, overall };
}
