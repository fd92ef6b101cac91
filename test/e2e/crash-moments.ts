/**
 * @file Draws the random moments of the crash tests from a seed. The same `CRASH_SEED` gives the same moments.
 */
import { mixSeed, randomIndex, seededRandom } from '../../src/core/contract';

export const CRASHES = 100;
/** The seed of the moments. playwright.config.ts sets it for all processes of a test run. */
export const CRASH_SEED = Number(process.env.CRASH_SEED ?? 0);

/**
 * When the page crashes. Counts begin when the run starts or resumes. The first event after that has number
 * 0.
 * - `stored`: when event number `count` is on disk. Later events are on disk only if the same record
 *   contains them.
 * - `storing`: after event number `count` was passed to the database, and before the database has committed
 *   it
 * - `sent`: when the server has sent `count` chunks
 * - `time`: after `count` ms
 */
export interface CrashMoment {
  readonly when: 'stored' | 'storing' | 'sent' | 'time';
  readonly count: number;
}

const KINDS = ['stored', 'storing', 'sent', 'time'] as const;
/** Upper limits of `count`, near the totals of an uninterrupted run, so that some crashes happen near its end. */
const MOST = { stored: 50, storing: 50, sent: 50, time: 1000 } as const;
/** Probability that a resumed run crashes a second time. */
const TWICE = 0.25;

/** The moments at which one run crashes. @param number the run's number */
export function crashesOf(number: number): readonly CrashMoment[] {
  const random = seededRandom(mixSeed(CRASH_SEED, 'crash', number));
  const draw = (share: number): CrashMoment => {
    const when = KINDS[randomIndex(random, KINDS.length)] ?? 'time';
    return { when, count: randomIndex(random, MOST[when] * share) };
  };
  const first = draw(1);
  return random() < TWICE ? [first, draw(0.5)] : [first];
}
