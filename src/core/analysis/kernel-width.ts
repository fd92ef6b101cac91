/**
 * @file Fits the kernel of nearness to a sentence model. Models differ in how alike they find questions that have nothing to
 * do with each other: some say 0, some 0.7. So each is asked about the same unlike questions first, and the kernel is made as
 * wide as lets one of them count for next to nothing.
 */
import { similarity } from './question-embedding';

/** Questions of twenty-four kinds, no two of which ask for the same skill or tell of the same thing. */
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
 * Natural logarithm of how little an unlike question counts: 1 in 600. It gives the hashed embedding, on the questions above,
 * the width that was chosen for it by error.
 */
const UNLIKE_WEIGHT = Math.log(1 / 600);
/** Of the cosine. A model that finds everything alike tells nothing; its kernel is not made narrower than this. */
const NARROWEST = 0.01;

/**
 * The kernel's width under which two unlike questions count for next to nothing.
 * @param vectors of `UNLIKE_QUESTIONS`, of one size and of length 1; what is no number in them tells nothing
 * @returns always a finite number above 0
 */
export function kernelWidthOf(vectors: readonly Float32Array[]): number {
  const pairs = vectors
    .flatMap((one, index) => vectors.slice(index + 1).map((other) => similarity(one, other)))
    .filter(Number.isFinite);
  const mean = pairs.reduce((sum, each) => sum + each, 0) / Math.max(1, pairs.length);
  return Math.max(NARROWEST, (mean - 1) / UNLIKE_WEIGHT);
}
