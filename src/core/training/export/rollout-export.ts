/**
 * @file Exports saved runs as rollouts, so that other software can train a Conductor with GRPO. A rollout is a prompt,
 * a Conductor's plan for it (the completion), and the plan's reward. Only one run is in memory at a time.
 */
import { BY_HAND_INFO } from '../../conductor/by-hand';
import { conductorPrompt, promptSources } from '../../conductor/prompt';
import { formatWorkflow } from '../../conductor/format';
import {
  confidentialityCheck,
  countedGrade,
  foldEvents,
  formatOf,
  FaultError,
  planRequestOf,
  settingsOfRound,
  renderPrompt,
  rewardOf,
  ROUND_DISCOUNT,
  sha256Hex,
  sourcesOf,
  type Ablation,
  type Batch,
  type EarlierRound,
  type Outcome,
  type ConfidentialityCheck,
  type ConfidentialityOptions,
  type Plan,
  type Run,
  type RunStore,
  type Verdict,
  type Workflow,
} from '../../contract';
import { createPuzzleGrader } from '../../graders/puzzle';
import { ROLLOUT_HEADER, workflowOf, type Rollout } from './rollout-format';

/** Number of run summaries in one read. */
const PAGE_SIZE = 200;

/** The progress of an export, as numbers of runs and rollouts. */
export interface RolloutProgress {
  /** Runs processed so far. */
  readonly runs: number;
  /** Runs in total. */
  readonly of: number;
  readonly rollouts: number;
}

interface RolloutOptions {
  readonly signal: AbortSignal;
  /** Ids of the runs to export. Absent or `null`: all runs. */
  readonly ids?: readonly string[] | null;
  readonly onProgress?: (progress: RolloutProgress) => void;
  /** Whether grades from imported files count (see `countedGrade`). Default: `false`. */
  readonly countsImported?: boolean;
  /**
   * The stored datasets and batches. They tell which datasets are confidential, and the export leaves out runs
   * on confidential datasets, the forks of these runs, and the follow-ups to them.
   */
  readonly evaluation: Pick<ConfidentialityOptions, 'datasets' | 'batches'>;
}

/**
 * Yields one line, with a line break at its end, for each rollout with a known reward. The lines are in the order of
 * `ids`, or with the newest runs first. If the answer to a puzzle has no grade that counts, the puzzle grader checks
 * the answer. Skips runs that can't be read, and runs that the user ended early. Throws an `AbortError` on abort.
 */
export async function* rolloutLines(
  store: Pick<RunStore, 'read' | 'summaries' | 'count'>,
  { signal, ids = null, onProgress = () => undefined, countsImported = false, evaluation }: RolloutOptions,
): AsyncGenerator<string, void, undefined> {
  const read = (runId: string) => store.read(runId);
  const isConfidential = confidentialityCheck({ read, ...evaluation });
  const of = ids ? ids.length : await store.count();
  let [runs, rollouts] = [0, 0];
  for await (const page of ids ? [ids] : allIds(store)) {
    for (const id of page) {
      signal.throwIfAborted();
      for (const rollout of await readRollouts(store, id, { signal, countsImported, isConfidential })) {
        rollouts += 1;
        yield `${JSON.stringify(rollout)}\n`;
      }
      runs += 1;
      onProgress({ runs, of: Math.max(of, runs), rollouts });
    }
  }
}

async function* allIds(store: Pick<RunStore, 'summaries'>): AsyncGenerator<readonly string[]> {
  let after: string | null = null;
  do {
    const page = await store.summaries({ limit: PAGE_SIZE, after });
    yield page.summaries.map(({ id }) => id);
    after = page.next;
  } while (after !== null);
}

/**
 * Yields one line for each rollout of a batch, if the reward of the rollout is known. Throws an `AbortError`
 * on abort.
 *
 * First-round rollouts with the same task, method and prompt form a `group`. GRPO compares the rewards in a
 * group.
 *
 * If the user graded a run, the reward follows from the user's grade. If a grader graded the run, the reward
 * follows from the verdict that this batch stores, because the grade in the run itself may come from another
 * batch with another judge.
 *
 * Leaves out confidential tasks. Also leaves out methods whose ablation changes workflows, because the
 * Conductor did not write the executed workflow.
 */
export async function* batchRolloutLines(
  store: Pick<RunStore, 'read'>,
  batch: Pick<Batch, 'id' | 'plan'>,
  outcomes: readonly Outcome[],
  { signal, onProgress = () => undefined }: Pick<RolloutOptions, 'signal' | 'onProgress'>,
): AsyncGenerator<string, void, undefined> {
  const { id, plan } = batch;
  const { datasets, methods } = plan;
  const read = (runId: string) => store.read(runId);
  const isConfidential = confidentialityCheck({ read, datasets: [], batches: [batch] });
  let rollouts = 0;
  for (const [runs, { runId, status, verdicts, dataset, taskId, method: index }] of outcomes.entries()) {
    signal.throwIfAborted();
    onProgress({ runs, of: outcomes.length, rollouts });
    const method = methods[index];
    if (runId === undefined || status !== 'graded' || !method || changesWorkflows(method.ablation)) continue;
    if (datasets[dataset]?.isConfidential) continue;
    const verdict = verdicts.strict;
    for (const rollout of await readRollouts(store, runId, {
      signal,
      countsImported: false,
      isConfidential,
      verdict,
    })) {
      // In a later round, the prompt alone determines the group, because it includes the earlier rounds.
      const parts = [id, dataset, taskId, method.id, rollout.group];
      const group = rollout.round === 0 ? sha256Hex(JSON.stringify(parts)).slice(0, 16) : rollout.group;
      rollouts += 1;
      yield `${JSON.stringify({ ...rollout, group })}\n`;
    }
  }
  onProgress({ runs: outcomes.length, of: outcomes.length, rollouts });
}

function changesWorkflows({ onlyWorker, plainSubtasks = false, access }: Ablation = {}): boolean {
  return onlyWorker !== undefined || plainSubtasks || access !== undefined;
}

async function readRollouts(
  store: Pick<RunStore, 'read'>,
  runId: string,
  {
    signal,
    countsImported,
    isConfidential,
    verdict,
  }: Pick<RolloutOptions, 'signal'> & {
    readonly countsImported: boolean;
    readonly isConfidential: ConfidentialityCheck;
    /** Replaces the run's grade if that grade counts and is from a grader. */
    readonly verdict?: Verdict | undefined;
  },
): Promise<readonly Rollout[]> {
  try {
    const events = await store.read(runId);
    const [first] = events;
    const run = foldEvents(events);
    if (!first || !run || run.early || (await isConfidential(first))) return [];
    // If the grade does not count, the run is treated as ungraded, and the puzzle grader checks the answer.
    const counted = countedGrade(run, countsImported);
    const grade = counted?.by === 'grader' && verdict ? { ...counted, ...verdict } : counted;
    const judged = { ...run, grade };
    return rolloutsOf(judged, await verdictsOf(judged, signal));
  } catch (thrown) {
    if (thrown instanceof FaultError) return [];
    throw thrown;
  }
}

/** Returns for each round whether its answer is right. `null`: unknown. */
async function verdictsOf(run: Run, signal: AbortSignal): Promise<(boolean | null)[]> {
  const earlier = earlierRounds(run);
  const final = await verdictOf(run, run.answer, signal);
  const verdicts: (boolean | null)[] = [];
  for (const [round, { answer }] of earlier.entries()) {
    const isFinal = run.answer !== null && (round === earlier.length - 1 || answer === run.answer);
    // A run's grade applies to its final answer. Only the puzzle grader can check other answers.
    verdicts.push(isFinal ? final : await verdictOf({ ...run, grade: null }, answer === '' ? null : answer, signal));
  }
  return verdicts;
}

/** Returns whether an answer is right, by the run's grade or else by the puzzle grader. `null`: unknown. */
async function verdictOf(run: Run, answer: string | null, signal: AbortSignal): Promise<boolean | null> {
  if (answer === null) return null;
  const graded = run.grade?.correct ?? null;
  if (graded !== null) return graded;
  try {
    return (await createPuzzleGrader().grade({ question: run.question.text }, answer, signal)).correct;
  } catch (thrown) {
    if (thrown instanceof FaultError) return null;
    throw thrown;
  }
}

/** Converts the rounds of a run to the form that the Conductor's prompt needs. */
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
 * Returns the rollouts of a run, round by round. Each candidate plan of a round is a completion. Without candidates,
 * the completion is the first text that the Conductor wrote, even if the run rejected this text. If the Conductor
 * writes no text, the completion is its workflow. Each round has its own prompt and therefore its own group.
 *
 * Omits rollouts with an unknown reward, because trainers accept only numbers.
 * @param correct for each round, whether its answer is right. `null`: unknown
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

/**
 * Returns the reward of the plan that a round executed. If the plan requested another round, the reward of that
 * round is mixed in. `null`: unknown.
 */
function rewardOfRound(run: Run, round: number, correct: readonly (boolean | null)[]): number | null {
  const current = run.rounds[round];
  if (!current?.plan || current.plan.status === 'writing') return null;
  const format = formatOf(current.plan);
  if (format === false) return 0;
  if (current.plan.source === 'fallback' || (current.plan.messages.length > 0 && current.plan.edited)) return null;
  const own = rewardOf(format, correct[round] ?? null);
  if (own === null || current.outcome !== 'recursed') return own;
  const next = rewardOfRound(run, round + 1, correct);
  return next === null ? null : (1 - ROUND_DISCOUNT) * own + ROUND_DISCOUNT * next;
}

/** A text that a Conductor wrote. For a Conductor that writes no text, its workflow as text. */
interface Completion {
  readonly name: string;
  readonly text: string;
  /** Whether the run executed the workflow in the text. */
  readonly ran: boolean;
  /** Whether the run rejected the text. A truncated text can be rejected although it parses as a complete workflow. */
  readonly rejected: boolean;
  readonly logProbability: number | null;
}

function completionsOf(run: Run, plan: Plan, round: number): Completion[] {
  const written = plan.messages.length > 0;
  // Ignore failed calls: a fault such as a rate limit doesn't depend on how the Conductor plans.
  const answered = plan.candidates.filter(({ fault }) => fault === null);
  if (answered.length > 0) {
    return answered.map(({ candidate, text, workflow, thought, logProbability }) => {
      const ran = plan.chosen === candidate && !plan.edited;
      const completion = !written && workflow ? textOf(run, thought, workflow) : text;
      return { name: `candidate-${candidate}`, text: completion, ran, rejected: workflow === null, logProbability };
    });
  }
  const { workflow, logProbability } = plan;
  const invalid = plan.retries.find(({ problem }) => problem !== null);
  if (invalid) return [{ name: 'first', text: invalid.text, ran: false, rejected: true, logProbability: null }];
  // The fallback wrote this plan, so the plan is not a completion of the Conductor.
  if (plan.retries.some(({ next }) => next === 'fallback')) return [];
  if (written) {
    // A stop, a closed page or a fault can truncate a text. Truncated texts are left out, because it is unknown how they
    // would have continued. However, a text is kept if its format is already known to be invalid.
    if (plan.status !== 'finished' && formatOf(plan) !== false) return [];
    if (plan.text === '') return [];
    const rejected = formatOf(plan) === false;
    const ran = !rejected && !plan.edited && plan.source === 'conductor';
    return [{ name: 'first', text: plan.text, ran, rejected, logProbability }];
  }
  // An empty workflow keeps the previous round's answer, so it is invalid in the first round.
  if (!workflow || (workflow.steps.length === 0 && round === 0)) return [];
  const text = textOf(run, plan.thought, workflow);
  // Without candidates, the policy takes the most likely option at each choice. Nothing is sampled, so there is no
  // sampling probability.
  return [{ name: 'plan', text, ran: true, rejected: false, logProbability: null }];
}

function textOf(run: Run, thought: string, workflow: Workflow): string {
  const lists = formatWorkflow(workflow, { access: run.access });
  return thought === '' ? lists : `${thought}\n\n${lists}`;
}

/** A plan, its round, and the correctness of the run's answers. */
interface JudgedPlan {
  readonly plan: Plan;
  readonly round: number;
  /** For each round, whether its answer is right. `null`: unknown. */
  readonly correct: readonly (boolean | null)[];
}

function rolloutOf(
  run: Run,
  { plan, round, correct }: JudgedPlan,
  { name, text, ran, rejected, logProbability }: Completion,
): Rollout {
  const request = planRequestOf(settingsOfRound(run, round), { round, earlier: earlierRounds(run).slice(0, round) });
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
    maxSteps: request.maxSteps,
    recursion: request.recursion,
    question: run.question.text,
  };
  const parsed = workflowOf(draft);
  const valid = parsed.ok && !rejected;
  return {
    ...draft,
    valid,
    steps: parsed.ok && valid ? parsed.workflow.steps.length : 0,
    reward: valid ? (ran ? rewardOfRound(run, round, correct) : null) : 0,
  };
}
