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
  sha256Hex,
  sourcesOf,
  type Grader,
  type Message,
  type Plan,
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
 * Writes the rollouts of all runs whose worth is known as lines, each with its line break; newest runs first. What no person
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
    return run ? rolloutsOf(run, await verdictOf(run, signal)) : [];
  } catch (thrown) {
    if (thrown instanceof FaultError) return [];
    throw thrown;
  }
}

/** Whether the run's answer is right: by the person's grade, else by a grader's, else by the check; `null`: nobody can tell. */
async function verdictOf(run: Run, signal: AbortSignal): Promise<boolean | null> {
  if (run.answer === null) return null;
  const kept = run.grade?.correct ?? null;
  if (kept !== null) return kept;
  const grader: Grader = firstVerdict([createThumbGrader(run.grade), createPuzzleGrader()]);
  try {
    return (await grader.grade({ question: run.question.text }, run.answer, signal)).correct;
  } catch (thrown) {
    if (thrown instanceof FaultError) return null;
    throw thrown;
  }
}

/**
 * The rollouts of a run's first plan: each candidate, or what was written first, or the workflow of a Conductor that writes
 * nothing. None where no worth is known of any of them.
 * @param correct whether the run's answer was right; `null`: not known
 */
export function rolloutsOf(run: Run, correct: boolean | null): Rollout[] {
  const plan = run.rounds[0]?.plan;
  if (!plan || plan.status === 'writing') return [];
  const rollouts = completionsOf(run, plan).flatMap((completion) => rolloutOf(run, plan, completion, correct) ?? []);
  return rollouts.some(({ reward }) => reward !== null) ? rollouts : [];
}

/** A text that a Conductor gave. */
interface Completion {
  readonly name: string;
  readonly text: string;
  /** Its workflow is the one that ran. */
  readonly ran: boolean;
  /** It was refused when it came: a text that was cut off may read as a whole one. */
  readonly refused: boolean;
}

function completionsOf(run: Run, plan: Plan): Completion[] {
  if (plan.candidates.length > 0) {
    return plan.candidates.map(({ candidate, text, workflow }) => {
      const ran = plan.chosen === candidate && !plan.edited;
      return { name: `candidate-${candidate}`, text, ran, refused: workflow === null };
    });
  }
  const { workflow } = plan;
  const [first] = plan.retries;
  if (first) return first.problem ? [{ name: 'first', text: first.text, ran: false, refused: true }] : [];
  if (plan.messages.length > 0) {
    if (plan.text === '') return [];
    const refused = formatOf(plan) === false;
    return [{ name: 'first', text: plan.text, ran: !refused && !plan.edited && plan.source === 'conductor', refused }];
  }
  if (!workflow || workflow.steps.length === 0) return [];
  return [{ name: 'plan', text: textOf(run, plan, workflow), ran: true, refused: false }];
}

function textOf(run: Run, { thought }: Plan, workflow: Workflow): string {
  const lists = formatWorkflow(workflow, { access: run.access });
  return thought === '' ? lists : `${thought}\n\n${lists}`;
}

function rolloutOf(
  run: Run,
  plan: Plan,
  { name, text, ran, refused }: Completion,
  correct: boolean | null,
): Rollout | null {
  const prompt = promptOf(run, plan);
  const written = plan.messages.length > 0;
  const conductor = !written && plan.edited ? BY_HAND_INFO : plan.conductor;
  const draft: Rollout = {
    ...ROLLOUT_HEADER,
    id: `${run.id}/${name}`,
    prompt,
    completion: text,
    pool: run.pool.map(({ id, name, kind, model, price }) => ({ id, name, kind, model, price })),
    reward: null,
    group: sha256Hex(JSON.stringify(prompt)).slice(0, 16),
    logprobs: null,
    valid: false,
    correct: ran ? correct : null,
    steps: 0,
    conductor: { id: conductor.id, kind: conductor.kind, model: conductor.model ?? null },
    written,
    maxSteps: run.maxSteps,
    recursion: run.recursion,
    question: run.question.text,
  };
  const read = workflowOf(draft);
  const valid = read.ok && !refused;
  return {
    ...draft,
    valid,
    steps: read.ok && valid ? read.workflow.steps.length : 0,
    reward: ran || !valid ? rewardOf(valid, draft.correct) : null,
  };
}

/** What the Conductor was asked; for one that asks no model, what a model would have been. */
function promptOf(run: Run, plan: Plan): Message[] {
  if (plan.messages.length > 0) return renderPrompt(plan.messages, sourcesOf(run));
  const { question, pool, maxSteps, access, recursion, seed } = run;
  const request = { question: question.text, pool, maxSteps, access, recursion, round: 0, earlier: [], seed };
  return renderPrompt(conductorPrompt(request), promptSources(request));
}
