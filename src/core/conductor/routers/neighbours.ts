/**
 * @file Predicts how likely each worker is to answer a question right, by its answers to the most similar known questions (nearest
 * neighbours). The number of neighbours is chosen among the known questions.
 */
import { questionEmbedding, similarity } from '../../analysis/question-embedding';
import type { KnownOutcomes, Router } from './known-outcomes';

/** The numbers of neighbours to choose from. */
const SIZES = [5, 10, 20, 40, 80, 160] as const;
const MOST = 160;
/** The worker's share over all questions counts as much as this many neighbours. */
const PRIOR = 1;
/** Less than any similarity. */
const LEFT_OUT = -2;

export interface Neighbours extends Router {
  /** The chosen number of neighbours. */
  readonly size: number;
  /** The predictions for each known question from the questions of the other parts. */
  readonly crossed: readonly (readonly number[])[];
}

/** Chooses the number of neighbours with the smallest squared error when each part is predicted from the others. */
export function fitNeighbours(known: KnownOutcomes): Neighbours {
  const errors = SIZES.map(() => 0);
  const predicted = known.questions.map(({ embedding, fold, right }) => {
    const nearest = nearestTo(embedding, known, fold);
    return SIZES.map((size, index) => {
      const chances = chancesBy(nearest.slice(0, size), known);
      for (const [worker, chance] of chances.entries()) {
        const share = right[worker];
        if (share !== undefined) errors[index] = (errors[index] ?? 0) + (chance - share) ** 2;
      }
      return chances;
    });
  });
  const best = errors.indexOf(Math.min(...errors));
  const size = SIZES[best] ?? MOST;
  return {
    size,
    crossed: predicted.map((each) => each[best] ?? known.overall),
    predict(question) {
      const nearest = nearestTo(questionEmbedding(question), known, null);
      return chancesBy(nearest.slice(0, size), known);
    },
  };
}

/**
 * Indexes of the most similar questions, most similar first. Equally similar ones keep their order.
 * @param without a part that is left out. `null`: none
 */
function nearestTo(embedding: Float32Array, { questions }: KnownOutcomes, without: number | null): readonly number[] {
  const cosines = new Float32Array(questions.length);
  for (const [index, other] of questions.entries()) {
    cosines[index] = other.fold === without ? LEFT_OUT : similarity(embedding, other.embedding);
  }
  // Finds the least similarity first, because sorting numbers is much faster than sorting indexes.
  const least = cosines.toSorted().at(-MOST) ?? LEFT_OUT;
  const found: number[] = [];
  for (const [index, cosine] of cosines.entries()) if (cosine > LEFT_OUT && cosine >= least) found.push(index);
  return found.sort((one, other) => (cosines[other] ?? 0) - (cosines[one] ?? 0)).slice(0, MOST);
}

function chancesBy(nearest: readonly number[], { questions, overall }: KnownOutcomes): readonly number[] {
  return overall.map((share, worker) => {
    let [right, count] = [PRIOR * share, PRIOR];
    for (const index of nearest) {
      const known = questions[index]?.right[worker];
      if (known === undefined) continue;
      right += known;
      count += 1;
    }
    return right / count;
  });
}
