/**
 * @file Fits the similarity kernel to a sentence model. The kernel weights the grades of earlier runs. A grade has a high weight
 * if its question is similar to the new question. But for unrelated questions, some models give a cosine of 0 and others 0.7.
 * To find the kernel's width for a model, the model embeds a fixed list of unrelated questions. The width is chosen so that a
 * grade on one of these questions has almost no weight for another.
 */
import { similarity } from './question-embedding';

/** Questions of different kinds. No two of them share a skill or a topic. */
export const UNLIKE_QUESTIONS: readonly string[] = [
  'What is 17 times 24, plus 9?',
  'Who painted the ceiling of the Sistine Chapel, and for which pope?',
  'Write a function in Python that reverses a linked list.',
  'How long should I boil an egg so that the yolk stays soft?',
  'Translate into French: the train to Lyon leaves at noon.',
  'May my landlord keep the deposit for scratches on the floor?',
  'Why does ice float on water?',
  'Plan three days in Kyoto for a family with small children.',
  'Which side effects does ibuprofen have when taken for weeks?',
  'Write a short poem about autumn without the word leaf.',
  'In a five-number race Ann finished before Bob and after Cleo. Who came last?',
  'How do I keep aphids off my roses?',
  'Summarise the plot of Hamlet in four sentences.',
  'How did compound interest make the loan grow from 1,000 to 1,480 in eight years?',
  'My laptop shows a blue screen whenever I plug in a monitor.',
  'Which chess opening suits a beginner who plays black?',
  'Explain how a bill becomes law in Germany.',
  'Draft an email that asks my manager for a day off.',
  'How many moons does Saturn have, and which is the largest?',
  'What muscles does a deadlift train?',
  'Compare solar panels and a heat pump for an old house.',
  'Which key is relative to A minor, and why?',
  'How do bees find their way back to the hive?',
  'Name a good present for a colleague who is leaving.',
];

/**
 * Natural logarithm of the weight of an unrelated question. The weight 1/600 makes `kernelWidthOf` return 0.15
 * for `questionEmbedding`. Measurements showed that this width works well (see `KERNEL_WIDTH` in
 * `worker-features.ts`).
 */
const LOG_UNLIKE_WEIGHT = Math.log(1 / 600);
/** Minimum width, for a model that gives all questions almost the same embedding. */
const MIN_WIDTH = 0.01;

/**
 * The kernel width that gives two unrelated questions almost no weight.
 * @param vectors embeddings of `UNLIKE_QUESTIONS`, all with the same number of dimensions and a Euclidean norm of 1.
 *   Pairs with NaN or infinite values are ignored
 * @returns a finite number above 0
 */
export function kernelWidthOf(vectors: readonly Float32Array[]): number {
  const pairs = vectors
    .flatMap((one, index) => vectors.slice(index + 1).map((other) => similarity(one, other)))
    .filter(Number.isFinite);
  const mean = pairs.reduce((sum, each) => sum + each, 0) / Math.max(1, pairs.length);
  return Math.max(MIN_WIDTH, (mean - 1) / LOG_UNLIKE_WEIGHT);
}

/** The lowest similarity of a match, on a scale from unrelated questions (0) to equal questions (1). */
const NEAR_PART = 0.25;

/**
 * The minimum similarity of the questions that a search by meaning finds.
 * @param kernelWidth see `kernelWidthOf`
 */
export function leastSimilarityOf(kernelWidth: number): number {
  const unlike = 1 + kernelWidth * LOG_UNLIKE_WEIGHT;
  return unlike + NEAR_PART * (1 - unlike);
}
