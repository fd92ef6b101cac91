/**
 * @file Tells in words what happened in a graded run, for the reflecting model: the plan, each step's output and verdict, the grade and
 * the cost. All of it comes from the run's own events.
 */
import { roleOf } from '../analysis/roles';
import { firstAnswerOf, workerOf, type EvaluationTask, type Run, type StepRun, type Verdict } from '../contract';

export interface FeedbackFacts {
  readonly task: Pick<EvaluationTask, 'question' | 'reference'>;
  readonly verdict: Verdict;
  /** Whether the reflecting model may read the reference. A lesson that repeats it is refused in any case. */
  readonly showsReference: boolean;
}

/** Longest question, subtask and output, in characters. The start and the end of an output are kept, because answers end it. */
const LONGEST_QUESTION = 1_200;
const LONGEST_SUBTASK = 300;
const LONGEST_OUTPUT = 700;

/** @param run must have ended */
export function feedbackOn(run: Run, { task, verdict, showsReference }: FeedbackFacts): string {
  const lines = [`Question: ${shortened(task.question, LONGEST_QUESTION)}`];
  for (const { plan, steps, round } of run.rounds) {
    if (run.rounds.length > 1) lines.push(`Round ${round + 1}`);
    const problems = [...(plan?.retries ?? []), ...(plan ? [plan] : [])].flatMap(({ problem }) => problem ?? []);
    for (const { message } of problems) lines.push(`The plan was invalid: ${message}`);
    if (plan && firstAnswerOf(plan) === null && plan.fault) lines.push(`There is no plan: ${plan.fault.message}`);
    if (plan?.thought) lines.push(`Reason for the plan: ${shortened(plan.thought, LONGEST_SUBTASK)}`);
    for (const step of steps) lines.push(...stepLines(run, step, steps));
  }
  // The detail of a verdict usually names the reference.
  lines.push(`Result: ${verdict.correct ? 'right' : 'wrong'}. ${showsReference ? verdict.detail : ''}`.trim());
  if (showsReference && task.reference !== undefined)
    lines.push(`Right answer: ${shortened(task.reference, LONGEST_SUBTASK)}`);
  return lines.join('\n');
}

function stepLines(run: Run, step: StepRun, steps: readonly StepRun[]): string[] {
  const { index, output, status, verdicts = [], fault } = step;
  const { access, subtask } = step.step;
  const name = workerOf(run, step)?.name ?? 'a worker';
  const role = roleOf(
    steps.map((each) => each.step),
    index,
  );
  const sees = access.length === 0 ? 'sees no earlier step' : `sees step ${access.map((seen) => seen + 1).join(', ')}`;
  const lines = [`Step ${index + 1}: ${name} (${role}), ${sees}. Subtask: ${shortened(subtask, LONGEST_SUBTASK)}`];
  if (output !== null) lines.push(`  Output: ${shortened(output, LONGEST_OUTPUT)}`);
  else lines.push(`  No output: ${fault?.message ?? status}`);
  for (const { step: about, verdict } of verdicts) lines.push(`  Its verdict on step ${about + 1}: ${verdict}`);
  return lines;
}

/** One line, with the middle of a longer text left out. */
function shortened(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= most) return line;
  const half = Math.floor((most - 3) / 2);
  return `${line.slice(0, half)} … ${line.slice(-half)}`;
}
