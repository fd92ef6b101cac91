/**
 * @file Computes a simulated worker's reply as a pure function of its profile, its messages and the seed. The worker reads the
 * puzzle, recognizes its role and does the work of that role. `client.ts` streams the reply.
 */
import { fault, mixSeed, randomIndex, seededRandom, type Fault, type Message, type Role } from '../contract';
import { puzzleFor } from '../tasks';
import type { PosedPuzzle } from '../tasks/posed';
import { readAssignment, type Assignment } from './assignment';
import { answeringSteps, candidatesOf, judgeOf, weigh, type Belief, type Judgement } from './evidence';
import { skillOf, type SimulatedProfile } from './profiles';
import { advisedStrategy, advisesCare, solve, type SolvingOptions } from './solving';
import { formatReply, stepNames } from './writing';

/** The result of a step. `role` is the role that the worker recognized in its subtask. */
type SimulatedWork =
  | { readonly ok: true; readonly text: string; readonly role: Role; readonly family: string }
  | { readonly ok: false; readonly fault: Fault };

const UNREADABLE =
  'Simulated workers can only solve small puzzles: number games, arithmetic, ordering, finding out who tells the truth, and paying with the fewest coins. For other questions, add a worker with your own key or load a local model.';

/**
 * Does the work of one step. The same profile, messages and seed give the same text.
 * @param seed the step's seed, as in `WorkerOptions`
 */
export function workFor(profile: SimulatedProfile, messages: readonly Message[], seed: number): SimulatedWork {
  const assignment = readAssignment(messages);
  const puzzle = puzzleFor(assignment.task, assignment.subtask);
  if (!puzzle) return { ok: false, fault: fault('question-unreadable', UNREADABLE) };
  const text = workOn(profile, puzzle, assignment, seed);
  return { ok: true, text, role: assignment.role, family: puzzle.family };
}

/** How a check judges the answer of an earlier step. @param number the 1-based number of that step */
type Judge = (answer: string, number: number) => Judgement;

/**
 * Does the work of one step for a puzzle and an assignment that are already parsed. Training calls this
 * function many thousands of times.
 * @param judge how a check judges answers. Default: by the worker's skill
 */
export function workOn(
  profile: SimulatedProfile,
  puzzle: PosedPuzzle,
  assignment: Assignment,
  seed: number,
  judge?: Judge,
): string {
  return textFor({ profile, puzzle, assignment, seed, judge });
}

interface WorkContext {
  readonly profile: SimulatedProfile;
  readonly puzzle: PosedPuzzle;
  readonly assignment: Assignment;
  readonly seed: number;
  readonly judge?: Judge | undefined;
}

function textFor(context: WorkContext): string {
  const { role } = context.assignment;
  switch (role) {
    case 'plan':
      return plan(context);
    case 'solve':
      return attempt(context, [], {});
    case 'verify':
      return verify(context);
    case 'refine':
      return refine(context);
    case 'aggregate':
    case 'decide':
      return decide(context);
    default:
      return role satisfies never;
  }
}

/** Names a strategy without solving anything. The more skilled the worker, the more often it names the best strategy. */
function plan({ profile, puzzle }: WorkContext): string {
  const random = seededRandom(mixSeed(profile.id, puzzle.key, 'plan'));
  const others = puzzle.strategies.slice(1);
  const knows = random() < 1 - 0.5 * (1 - skillOf(profile, 'plan', puzzle.family));
  const chosen = knows ? puzzle.strategies[0] : (others[randomIndex(random, others.length)] ?? puzzle.strategies[0]);
  return `A way to go about it: ${chosen.advice}\nThen hold the result against the task once more.`;
}

/** The worker's own attempt. It follows the strategy that the subtask or a visible plan advises, or else a habitual one. */
function attempt(context: WorkContext, opening: readonly string[], more: Partial<SolvingOptions>): string {
  const { profile, puzzle, assignment, seed } = context;
  const plans = assignment.earlier.filter((step) => step.role === 'plan').map((step) => step.response);
  const advice = [...plans, assignment.subtask];
  const strategy = advisedStrategy(puzzle, advice);
  const carelessness = advisesCare(advice) ? 0.7 : 1;
  const options = { role: assignment.role, seed, carelessness, ...(strategy ? { strategy } : {}), ...more };
  const solved = solve(profile, puzzle, options);
  const lines = [...opening, ...(opening.length === 0 ? [solved.strategy.advice] : []), ...solved.work];
  return formatReply(lines, solved.answer, solved.exact);
}

/** Checks every visible answer and reports the findings. */
function verify({ profile, puzzle, assignment, judge: given }: WorkContext): string {
  const candidates = new Map(candidatesOf(assignment, puzzle).map((candidate) => [candidate.step, candidate.answer]));
  const judge = given ?? judgeOf(profile, puzzle, 1 - 0.5 * (1 - skillOf(profile, 'verify', puzzle.family)));
  const judged = answeringSteps(assignment).map(({ number }) => {
    const answer = candidates.get(number);
    return { number, judgement: answer === undefined ? null : judge(answer, number) };
  });
  const lines = judged.map(({ number, judgement }) => {
    if (!judgement) return `- Step ${number} gives no answer that I can check.`;
    return `- Step ${number}: ${judgement.right ? 'right.' : `wrong. ${judgement.reason || 'I come to something else.'}`}`;
  });
  if (assignment.asksVerdict) {
    const verdicts = judged.map(({ number, judgement }) => {
      return `Verdict on response ${number}: ${judgement ? (judgement.right ? 'right' : 'wrong') : 'unsure'}`;
    });
    lines.push('', ...verdicts);
  }
  return lines.length > 0 ? lines.join('\n') : 'I see no answer of an earlier step, so there is nothing to check.';
}

/**
 * Keeps the best visible answer if the worker believes that it is right. Otherwise improves it, with more effort and care if a
 * check found a mistake. Without a visible answer, solves the puzzle from scratch.
 */
function refine(context: WorkContext): string {
  const [best] = weigh(context.profile, context.puzzle, context.assignment);
  if (!best)
    return attempt(context, ['I see no earlier answer, so I begin on my own.'], { role: 'solve', effort: 0.5 });
  if (best.logOdds > 0)
    return formatReply(
      [`I keep the answer of ${stepNames(best.agreeing)}: ${reasonFor(best)}.`],
      best.candidate.answer,
      true,
    );
  const wasRejected = best.findings.some((finding) => !finding.right);
  const opening = `The answer of ${stepNames(best.agreeing)} does not hold${wasRejected ? `, as ${checkers(best)} found` : ''}. I go on from there.`;
  return attempt(context, [opening], {
    from: best.candidate.answer,
    effort: wasRejected ? 2 : 1,
    carelessness: wasRejected ? 0.5 : 1,
  });
}

/** Returns the visible answer that is most probably right. Without a visible answer, attempts the puzzle briefly. */
function decide(context: WorkContext): string {
  const { profile, puzzle, assignment } = context;
  const [best] = weigh(profile, puzzle, assignment);
  if (!best)
    return attempt(context, ['I see no answer to decide on, so I try it briefly.'], { role: 'solve', effort: 0.3 });
  return formatReply(
    [`I take the answer of ${stepNames(best.agreeing)}: ${reasonFor(best)}.`],
    best.candidate.answer,
    best.logOdds > 0,
  );
}

function reasonFor(belief: Belief): string {
  if (belief.findings.some((finding) => finding.right)) return `${checkers(belief)} found it right`;
  if (belief.agreeing.length > 1) return 'they agree';
  return belief.logOdds > 0 ? 'it holds as far as I can see' : 'it is the best in view';
}

function checkers({ findings }: Belief): string {
  return stepNames([...new Set(findings.map((finding) => finding.by))]);
}
