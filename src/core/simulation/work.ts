/**
 * @file A simulated worker's work, as a pure function of its messages and the seed: it reads the puzzle, recognises what is
 * asked of it and does that. The client streams what this returns.
 */
import { fault, mixSeed, randomIndex, seededRandom, type Fault, type Message, type Role } from '../contract';
import { readPuzzle, type PosedPuzzle } from '../tasks';
import { readAssignment, type Assignment } from './assignment';
import { answeringSteps, candidatesOf, judgeOf, weigh, type Belief } from './evidence';
import { skillOf, type SimulatedProfile } from './profiles';
import { advisedStrategy, advisesCare, solve, type SolvingOptions } from './solving';
import { stepNames, written } from './writing';

/** What came of it. `role` is what the worker took its subtask for. */
export type SimulatedWork =
  | { readonly ok: true; readonly text: string; readonly role: Role; readonly family: string }
  | { readonly ok: false; readonly fault: Fault };

const UNREADABLE =
  'The simulated workers only do small puzzles: number games, sums, putting in order, who tells the truth, and change. For this question, add a worker with your own key or load a local model.';

/**
 * One step's work. The same profile, messages and seed give the same text.
 * @param seed the step's seed, as in `WorkerOptions`
 */
export function workFor(profile: SimulatedProfile, messages: readonly Message[], seed: number): SimulatedWork {
  const assignment = readAssignment(messages);
  const puzzle = readPuzzle(assignment.task) ?? readPuzzle(assignment.subtask);
  if (!puzzle) return { ok: false, fault: fault('question-unreadable', UNREADABLE) };
  const text = workOn(profile, puzzle, assignment, seed);
  return { ok: true, text, role: assignment.role, family: puzzle.family };
}

/** The same for an assignment and a puzzle that have been read: what training plays by the thousand. */
export function workOn(profile: SimulatedProfile, puzzle: PosedPuzzle, assignment: Assignment, seed: number): string {
  return textFor({ profile, puzzle, assignment, seed });
}

interface Working {
  readonly profile: SimulatedProfile;
  readonly puzzle: PosedPuzzle;
  readonly assignment: Assignment;
  readonly seed: number;
}

function textFor(working: Working): string {
  const { role } = working.assignment;
  switch (role) {
    case 'plan':
      return plan(working);
    case 'solve':
      return attempt(working, [], {});
    case 'verify':
      return verify(working);
    case 'refine':
      return refine(working);
    case 'aggregate':
    case 'decide':
      return decide(working);
    default:
      return role satisfies never;
  }
}

/** Names a way to go. Whoever plans well knows which way works best; nothing is solved. */
function plan({ profile, puzzle }: Working): string {
  const random = seededRandom(mixSeed(profile.id, puzzle.key, 'plan'));
  const others = puzzle.strategies.slice(1);
  const knows = random() < 1 - 0.5 * (1 - skillOf(profile, 'plan', puzzle.family));
  const chosen = knows ? puzzle.strategies[0] : (others[randomIndex(random, others.length)] ?? puzzle.strategies[0]);
  return `A way to go about it: ${chosen.advice}\nThen hold the result against the task once more.`;
}

/** The worker's own attempt, by the way that its subtask or a plan in view advises, else by its own. */
function attempt(working: Working, opening: readonly string[], more: Partial<SolvingOptions>): string {
  const { profile, puzzle, assignment, seed } = working;
  const plans = assignment.earlier.filter((step) => step.role === 'plan').map((step) => step.response);
  const advice = [...plans, assignment.subtask];
  const strategy = advisedStrategy(puzzle, advice);
  const carelessness = advisesCare(advice) ? 0.7 : 1;
  const options = { role: assignment.role, seed, carelessness, ...(strategy ? { strategy } : {}), ...more };
  const solved = solve(profile, puzzle, options);
  const lines = [...opening, ...(opening.length === 0 ? [solved.strategy.advice] : []), ...solved.work];
  return written(lines, solved.answer, solved.exact);
}

/** Checks every answer in view and says what it finds. */
function verify({ profile, puzzle, assignment }: Working): string {
  const candidates = new Map(candidatesOf(assignment, puzzle).map((candidate) => [candidate.step, candidate.answer]));
  const judge = judgeOf(profile, puzzle, 1 - 0.5 * (1 - skillOf(profile, 'verify', puzzle.family)));
  const lines = answeringSteps(assignment).map(({ number }) => {
    const answer = candidates.get(number);
    if (answer === undefined) return `- Step ${number} gives no answer that I can check.`;
    const { right, reason } = judge(answer);
    return `- Step ${number}: ${right ? 'right.' : `wrong. ${reason || 'I come to something else.'}`}`;
  });
  return lines.length > 0 ? lines.join('\n') : 'I see no answer of an earlier step, so there is nothing to check.';
}

/** Keeps an answer that it believes in; else goes on from the best with more effort, and more care where a check said why. */
function refine(working: Working): string {
  const [best] = weigh(working.profile, working.puzzle, working.assignment);
  if (!best)
    return attempt(working, ['I see no earlier answer, so I begin on my own.'], { role: 'solve', effort: 0.5 });
  if (best.odds > 0)
    return written([`I keep the answer of ${stepNames(best.agreeing)}: ${why(best)}.`], best.candidate.answer, true);
  const told = best.findings.some((finding) => !finding.right);
  const opening = `The answer of ${stepNames(best.agreeing)} does not hold${told ? `, as ${checkers(best)} found` : ''}. I go on from there.`;
  return attempt(working, [opening], {
    from: best.candidate.answer,
    effort: told ? 2 : 1,
    carelessness: told ? 0.5 : 1,
  });
}

/** Gives the answer in view that it believes in most. */
function decide(working: Working): string {
  const { profile, puzzle, assignment } = working;
  const [best] = weigh(profile, puzzle, assignment);
  if (!best)
    return attempt(working, ['I see no answer to decide on, so I try it briefly.'], { role: 'solve', effort: 0.3 });
  return written(
    [`I take the answer of ${stepNames(best.agreeing)}: ${why(best)}.`],
    best.candidate.answer,
    best.odds > 0,
  );
}

function why(belief: Belief): string {
  if (belief.findings.some((finding) => finding.right)) return `${checkers(belief)} found it right`;
  if (belief.agreeing.length > 1) return 'they agree';
  return belief.odds > 0 ? 'it holds as far as I can see' : 'it is the best in view';
}

function checkers({ findings }: Belief): string {
  return stepNames([...new Set(findings.map((finding) => finding.by))]);
}
