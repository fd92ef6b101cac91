/** @file Measures how well the similarities of embeddings separate kinds of questions. */
import { similarity } from '../../../src/core/analysis/question-embedding';
import { mixSeed, seededRandom } from '../../../src/core/contract';
import { TASK_FAMILIES } from '../../../src/core/tasks';

export interface FamilyQuestion {
  readonly family: string;
  readonly text: string;
}

/** The vectors of texts. */
export type Placed = ReadonlyMap<string, Float32Array>;

/** See `KERNEL_WIDTH` in `worker-features.ts`. */
const KERNEL_WIDTH = 0.15;

/** Questions of every family, each in a random wording. */
export function familyQuestions(each: number): readonly FamilyQuestion[] {
  return TASK_FAMILIES.flatMap((family) =>
    Array.from({ length: each }, (_, index) => {
      const random = seededRandom(mixSeed('sentence', family.name, index));
      return { family: family.name, text: family.generate(random, random()).writeQuestion(random) };
    }),
  );
}

/** Share of questions whose nearest other question is of the same family. */
export function sameFamily(posed: readonly FamilyQuestion[], placed: Placed): number {
  const right = posed.filter((one) => {
    const others = posed.filter((other) => other.text !== one.text);
    return nearestOf(one.text, others, ({ text }) => text, placed)?.family === one.family;
  });
  return right.length / posed.length;
}

/** Share of questions whose most similar paraphrase is their own: the one at the same index. */
export function foundAgain(questions: readonly string[], paraphrases: readonly string[], placed: Placed): number {
  const right = questions.filter((question, index) => {
    return nearestOf(question, paraphrases, (text) => text, placed) === paraphrases[index];
  });
  return right.length / questions.length;
}

/**
 * Mean error, from 0 to 1, of estimates of how likely a made-up worker is right on a question. An estimate uses the worker's
 * results on all other questions, weighted by similarity. Each worker is good at two families of questions and bad at the others.
 * @param placed `null`: all other questions have the same weight
 */
export function estimateError(posed: readonly FamilyQuestion[], placed: Placed | null): number {
  const families = TASK_FAMILIES.map(({ name }) => name);
  let sum = 0;
  for (let worker = 0; worker < families.length; worker++) {
    const chanceOf = ({ family }: FamilyQuestion) =>
      (families.indexOf(family) + worker) % families.length < 2 ? 0.9 : 0.3;
    const random = seededRandom(mixSeed('outcomes', worker));
    const graded = posed.map((one) => ({ ...one, right: random() < chanceOf(one) }));
    for (const one of posed) {
      // The estimate starts from half a success and half a failure.
      let count = 1;
      let right = 0.5;
      for (const other of graded) {
        if (other.text === one.text) continue;
        const weight = placed ? Math.exp((likeness(one.text, other.text, placed) - 1) / KERNEL_WIDTH) : 1;
        count += weight;
        right += other.right ? weight : 0;
      }
      sum += Math.abs(right / count - chanceOf(one));
    }
  }
  return sum / (families.length * posed.length);
}

function nearestOf<T>(text: string, others: readonly T[], textOf: (other: T) => string, placed: Placed): T | undefined {
  const [nearest] = others
    .map((other) => ({ other, likeness: likeness(text, textOf(other), placed) }))
    .toSorted((one, other) => other.likeness - one.likeness);
  return nearest?.other;
}

function likeness(one: string, other: string, vectors: Placed): number {
  const [first, second] = [vectors.get(one), vectors.get(other)];
  return first && second ? similarity(first, second) : 0;
}
