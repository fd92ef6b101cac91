/** @file The work of a simulated worker with habits: its checks err, its repairs break right answers, and it writes in its own way. */
import { mixSeed, seededRandom, type Role } from '../../contract';
import { workOn } from '../../simulation/work';
import type { Assignment } from '../../simulation/assignment';
import type { SimulatedProfile } from '../../simulation/profiles';
import type { PosedPuzzle } from '../../tasks/posed';
import { judgeAnswer, profileAt, type Habits } from './habits';

/** A simulated worker. Without habits, it works as the simulated workers that come with Podium do. */
export interface HabitualWorker {
  readonly profile: SimulatedProfile;
  readonly habits?: Habits | undefined;
}

interface Situation {
  readonly puzzle: PosedPuzzle;
  /** From 0 to 1. */
  readonly difficulty: number;
  readonly assignment: Assignment;
  /** The step's seed. */
  readonly seed: number;
  /** The habits of the worker of an earlier step. @param number 1-based */
  readonly authorOf: (number: number) => Habits | undefined;
}

/** The reply of a worker. The same worker in the same situation always gives the same reply. */
export function workAsUsual({ profile: usual, habits }: HabitualWorker, situation: Situation): string {
  const { puzzle, difficulty, assignment, seed } = situation;
  if (!habits) return workOn(usual, puzzle, assignment, seed);
  const profile = profileAt(usual, difficulty);
  const random = seededRandom(mixSeed(profile.id, seed, assignment.role, 'habits'));
  if (assignment.role === 'verify') return check({ profile, habits }, situation, random() < habits.missingVerdict);
  const [ignoresChecks, breaks, isMalformed] = [habits.doubts, habits.breaks, habits.malformed].map(
    (rate) => random() < rate,
  );
  const isRepair = assignment.role === 'refine';
  const earlier = assignment.earlier.filter(({ role }) => role !== 'verify');
  const sees = isRepair && ignoresChecks ? { ...assignment, earlier } : assignment;
  let reply = workOn(profile, puzzle, sees, seed);
  if (isRepair && breaks && keepsRightAnswer(situation, reply)) reply = brokenReply(profile, situation);
  if (isMalformed && ANSWERS.has(assignment.role)) reply = withoutAnswer(reply);
  return habits.isVerbose ? `${PREAMBLE}\n${reply}` : reply;
}

const ANSWERS: ReadonlySet<Role> = new Set(['solve', 'refine', 'aggregate', 'decide']);
const PREAMBLE =
  'Sure! Let me think about this carefully and step by step. First I restate what is asked, then I go through it, and at the end I give the final result.';

function check(
  { profile, habits }: Required<HabitualWorker> & { readonly habits: Habits },
  { puzzle, difficulty, assignment, seed, authorOf }: Situation,
  isVerdictMissing: boolean,
): string {
  const asked: Assignment = isVerdictMissing ? { ...assignment, asksVerdict: false } : assignment;
  const worker = { id: profile.id, habits };
  return workOn(profile, puzzle, asked, seed, (answer, number) =>
    judgeAnswer(worker, puzzle, answer, difficulty, authorOf(number)),
  );
}

function keepsRightAnswer({ puzzle, assignment }: Situation, reply: string): boolean {
  const isSeen = assignment.earlier.some(({ role, response }) => ANSWERS.has(role) && puzzle.check(response).correct);
  return isSeen && puzzle.check(reply).correct;
}

/** An attempt of the worker's own that happens to be wrong, or else a reply without an answer. */
function brokenReply(profile: SimulatedProfile, { puzzle, assignment, seed }: Situation): string {
  const own = workOn(profile, puzzle, { ...assignment, earlier: [] }, mixSeed(seed, 'break'));
  return puzzle.check(own).correct ? 'On reflection, the earlier answer does not convince me. I have no answer.' : own;
}

/** What is left if the final answer is cut off. */
function withoutAnswer(reply: string): string {
  const at = reply.lastIndexOf('\n\n**Answer:**');
  return at < 0 ? reply : reply.slice(0, at);
}
