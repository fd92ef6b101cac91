/**
 * @file From saved runs to rollouts: prompt, completion, pool, reward and group, for whoever trains a Conductor elsewhere.
 * Whatever the number of runs, one is in memory at a time.
 */
import { BY_HAND_INFO, conductorPrompt, formatWorkflow, promptSources } from '../conductor';
import {
  foldEvents,
  formatOf,
  FaultError,
  renderPrompt,
  rewardOf,
  ROUND_DISCOUNT,
  sha256Hex,
  sourcesOf,
  type EarlierRound,
  type Grader,
  type Plan,
  type PlanRequest,
  type Run,
  type RunStore,
  type Workflow,
} from '../contract';
import { createPuzzleGrader, createThumbGrader, firstVerdict } from '../graders';
import { ROLLOUT_HEADER, workflowOf, type Rollout } from './rollout';

/** Runs listed at a time. */
const PAGE = 200;

/** How far an export has come. */
export interface RolloutProgress {
  /** Runs looked at, of how many. */
  readonly runs: number;
  readonly of: number;
  readonly rollouts: number;
}

export interface RolloutOptions {
  readonly signal: AbortSignal;
  readonly heard?: (progress: RolloutProgress) => void;
}

/**
 * Writes the rollouts of known worth of all runs as lines, each with its line break; newest runs first. What no person
 * has graded is checked where it can be. Runs that cannot be read are passed over. Throws for an abort.
 */
export async function* rolloutLines(
  store: Pick<RunStore, 'read' | 'summaries' | 'count'>,
  { signal, heard = () => undefined }: RolloutOptions,
): AsyncGenerator<string, void, undefined> {
  const of = await store.count();
  let [runs, rollouts] = [0, 0];
  let after: string | null = null;
  do {
    const page = await store.summaries({ limit: PAGE, after });
    for (const { id } of page.summaries) {
      signal.throwIfAborted();
      for (const rollout of await read(store, id, signal)) {
        rollouts += 1;
        yield `${JSON.stringify(rollout)}\n`;
      }
      runs += 1;
      heard({ runs, of: Math.max(of, runs), rollouts });
    }
    after = page.next;
  } while (after !== null);
}

async function read(store: Pick<RunStore, 'read'>, runId: string, signal: AbortSignal): Promise<readonly Rollout[]> {
  try {
    const run = foldEvents(await store.read(runId));
    return run ? rolloutsOf(run, await verdictsOf(run, signal)) : [];
  } catch (thrown) {
    if (thrown instanceof FaultError) return [];
    throw thrown;
  }
}

/** Of each round whether what it had for an answer is right; `null`: nobody can tell. */
async function verdictsOf(run: Run, signal: AbortSignal): Promise<(boolean | null)[]> {
  const earlier = earlierRounds(run);
  const final = await verdictOf(run, run.answer, signal);
  const verdicts: (boolean | null)[] = [];
  for (const [round, { answer }] of earlier.entries()) {
    const isFinal = run.answer !== null && (round === earlier.length - 1 || answer === run.answer);
    // A person has graded the answer of the run; other answers can only be checked.
    verdicts.push(isFinal ? final : await verdictOf({ ...run, grade: null }, answer === '' ? null : answer, signal));
  }
  return verdicts;
}

/** Whether an answer is right: by the person's grade, else by a grader's, else by the check. */
async function verdictOf(run: Run, answer: string | null, signal: AbortSignal): Promise<boolean | null> {
  if (answer === null) return null;
  const kept = run.grade?.correct ?? null;
  if (kept !== null) return kept;
  const grader: Grader = firstVerdict([createThumbGrader(run.grade), createPuzzleGrader()]);
  try {
    return (await grader.grade({ question: run.question.text }, answer, signal)).correct;
  } catch (thrown) {
    if (thrown instanceof FaultError) return null;
    throw thrown;
  }
}

/** What each round came to, as the Conductor was told of it in the next. */
function earlierRounds({ rounds, pool }: Run): EarlierRound[] {
  return rounds.map(({ plan, steps }) => {
    const outputs = steps.map(({ output }) => output);
    const last = steps.findLast(({ step, output }) => output !== null && pool[step.worker]?.kind !== 'conductor');
    return {
      workflow: plan?.workflow ?? { steps: steps.map(({ step }) => step) },
      outputs,
      answer: last?.output ?? '',
    };
  });
}

/**
 * The rollouts of a run's plans, round by round: each candidate, or what was written first, or the workflow of a Conductor that
 * writes nothing. Every round has its own prompt and so its own group. What has no known worth is left out: trainers take
 * numbers only.
 * @param correct of each round whether its answer was right; `null`: not known
 */
export function rolloutsOf(run: Run, correct: readonly (boolean | null)[]): Rollout[] {
  return run.rounds.flatMap(({ plan }, round) => {
    if (!plan || plan.status === 'writing') return [];
    return completionsOf(run, plan, round).flatMap((completion) => {
      const rollout = rolloutOf(run, { plan, round, correct }, completion);
      return rollout.reward === null ? [] : rollout;
    });
  });
}

/** What the plan that ran in a round was worth, with the rounds that came of it; `null`: not known. */
function worthOf(run: Run, round: number, correct: readonly (boolean | null)[]): number | null {
  const current = run.rounds[round];
  if (!current?.plan || current.plan.status === 'writing') return null;
  const format = formatOf(current.plan);
  if (format === false) return 0;
  if (current.plan.source === 'fallback' || (current.plan.messages.length > 0 && current.plan.edited)) return null;
  const own = rewardOf(format, correct[round] ?? null);
  if (own === null || current.outcome !== 'recursed') return own;
  const next = worthOf(run, round + 1, correct);
  return next === null ? null : (1 - ROUND_DISCOUNT) * own + ROUND_DISCOUNT * next;
}

/** A text that a Conductor gave. */
interface Completion {
  readonly name: string;
  readonly text: string;
  /** Its workflow is the one that ran. */
  readonly ran: boolean;
  /** It was refused when it came: a text that was cut off may read as a whole one. */
  readonly refused: boolean;
  readonly logProbability: number | null;
}

function completionsOf(run: Run, plan: Plan, round: number): Completion[] {
  const written = plan.messages.length > 0;
  if (plan.candidates.length > 0) {
    // What a fault ended is no answer of the Conductor's.
    const answered = plan.candidates.filter(({ fault }) => fault === null);
    return answered.map(({ candidate, text, workflow, thought, logProbability }) => {
      const ran = plan.chosen === candidate && !plan.edited;
      const said = !written && workflow ? textOf(run, thought, workflow) : text;
      return { name: `candidate-${candidate}`, text: said, ran, refused: workflow === null, logProbability };
    });
  }
  const { workflow, logProbability } = plan;
  const [first] = plan.retries;
  if (first) {
    const lost = { name: 'first', text: first.text, ran: false, refused: true, logProbability: null };
    return first.problem ? [lost] : [];
  }
  if (written) {
    // A stop, a closed page or a fault in mid-text says nothing of what would have come.
    if (plan.status !== 'finished' && formatOf(plan) !== false) return [];
    if (plan.text === '') return [];
    const refused = formatOf(plan) === false;
    const ran = !refused && !plan.edited && plan.source === 'conductor';
    return [{ name: 'first', text: plan.text, ran, refused, logProbability }];
  }
  // In a later round a workflow without steps keeps the answer.
  if (!workflow || (workflow.steps.length === 0 && round === 0)) return [];
  const text = textOf(run, plan.thought, workflow);
  // A single plan of the policy is its most likely one. It was not drawn, so it has no probability of being drawn.
  return [{ name: 'plan', text, ran: true, refused: false, logProbability: null }];
}

function textOf(run: Run, thought: string, workflow: Workflow): string {
  const lists = formatWorkflow(workflow, { access: run.access });
  return thought === '' ? lists : `${thought}\n\n${lists}`;
}

/** A plan, its round, and of each round whether its answer was right. */
interface Judged {
  readonly plan: Plan;
  readonly round: number;
  readonly correct: readonly (boolean | null)[];
}

function rolloutOf(
  run: Run,
  { plan, round, correct }: Judged,
  { name, text, ran, refused, logProbability }: Completion,
): Rollout {
  const request = requestOf(run, round);
  const written = plan.messages.length > 0;
  const prompt = renderPrompt(
    written ? plan.messages : conductorPrompt(request),
    written ? sourcesOf(run) : promptSources(request),
  );
  const conductor = !written && (plan.edited || plan.source === 'person') ? BY_HAND_INFO : plan.conductor;
  const draft: Rollout = {
    ...ROLLOUT_HEADER,
    id: `${run.id}/${round === 0 ? '' : `round-${round}/`}${name}`,
    prompt,
    completion: text,
    pool: request.pool.map(({ id, name, kind, model, price }) => ({ id, name, kind, model, price })),
    reward: null,
    group: sha256Hex(JSON.stringify(prompt)).slice(0, 16),
    logprobs: logProbability === null ? null : [logProbability],
    valid: false,
    correct: ran ? (correct[round] ?? null) : null,
    steps: 0,
    conductor: { id: conductor.id, kind: conductor.kind, model: conductor.model ?? null },
    written,
    round,
    maxSteps: run.maxSteps,
    recursion: request.recursion,
    question: run.question.text,
  };
  const read = workflowOf(draft);
  const valid = read.ok && !refused;
  return {
    ...draft,
    valid,
    steps: read.ok && valid ? read.workflow.steps.length : 0,
    reward: valid ? (ran ? worthOf(run, round, correct) : null) : 0,
  };
}

/** What the Conductor was asked in a round, as the executor asks: in the last one it may not name itself any more. */
function requestOf(run: Run, round: number): PlanRequest {
  const { question, pool, maxSteps, access, seed, caps } = run;
  const recursion = run.recursion && round + 1 < caps.rounds;
  return {
    question: question.text,
    ...(question.images ? { images: question.images } : {}),
    pool: run.recursion && !recursion ? pool.slice(0, -1) : pool,
    maxSteps,
    access,
    recursion,
    round,
    earlier: earlierRounds(run).slice(0, round),
    seed,
  };
}
