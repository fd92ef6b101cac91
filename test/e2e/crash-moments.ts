/**
 * @file When the crashes of the crash suite happen: moments drawn from a seed, by what has come to lie on disk, by what the
 * server has sent, and by time. `CRASH_SEED` draws the same moments again.
 */
import { mixSeed, randomIndex, seededRandom } from '../../src/core/contract';

export const CRASHES = 100;
/** Set for all processes of a test run by playwright.config.ts. */
export const CRASH_SEED = Number(process.env.CRASH_SEED ?? 0);

/**
 * - `stored`: so many events more have come to lie on disk, and not one beyond the record they stand in
 * - `storing`: so many events more were handed to the database, which has not committed the last of them
 * - `sent`: the server has sent so many pieces more
 * - `time`: so many ms later
 */
export interface CrashMoment {
  readonly when: 'stored' | 'storing' | 'sent' | 'time';
  readonly count: number;
}

const KINDS = ['stored', 'storing', 'sent', 'time'] as const;
/** About what a whole run comes to: the end of a run is hit now and then. */
const MOST = { stored: 50, storing: 50, sent: 50, time: 1000 } as const;
/** A resumed run crashes again so often. */
const TWICE = 0.25;

/** The crashes that one run goes through. */
export function crashesOf(number: number): readonly CrashMoment[] {
  const random = seededRandom(mixSeed(CRASH_SEED, 'crash', number));
  const draw = (share: number): CrashMoment => {
    const when = KINDS[randomIndex(random, KINDS.length)] ?? 'time';
    return { when, count: randomIndex(random, MOST[when] * share) };
  };
  const first = draw(1);
  return random() < TWICE ? [first, draw(0.5)] : [first];
}
