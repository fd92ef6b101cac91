/** @file The reducer for plan events: updates the plan of a round, and the steps of the plan that are known so far. */
import type { EventBody, RunEvent } from './events';
import { withDelta } from '../model/channel-text';
import { append, foldTogether, replaceAt } from './fold-arrays';
import type { Account } from '../money/account';
import { addSpent, waitOf, withRound } from './fold-updates';
import type { Plan, Round, Run, StepRun } from './state';
import type { Step, Workflow } from '../workflow/workflow';

export type PlanRunEvent = Extract<RunEvent, { type: Extract<EventBody['type'], `plan-${string}`> }>;

export function foldPlanEvent(run: Run, event: PlanRunEvent): Run {
  const round = run.rounds[event.round];
  if (!round) return run;
  if (event.type === 'plan-started') return withRound(run, { ...withLostPlan(round), plan: newPlan(run, event) });
  const { plan } = round;
  if (!plan) return run;
  const put = (changes: Partial<Plan>, steps = round.steps) =>
    withRound(run, { ...round, plan: { ...plan, ...changes }, steps });
  switch (event.type) {
    case 'plan-waiting':
      return put({ wait: waitOf(event, run.time) });
    case 'plan-delta':
      return put(appendText(plan, event, run.time));
    case 'plan-step-known':
      return event.index > round.steps.length ? run : withRound(run, learnStep(run, round, event.index, event.step));
    case 'plan-retried': {
      const { problem, fault, text, usage, cost, next, correction = null, maxTokens } = event;
      const limit = plan.sampling?.maxTokens ?? null;
      const retry = { problem, fault, text, usage, cost, next, correction, endedAt: run.time, maxTokens: limit };
      const sampling = plan.sampling && maxTokens !== undefined ? { ...plan.sampling, maxTokens } : plan.sampling;
      const changes = { ...NOTHING_WRITTEN, retries: append(plan.retries, retry), sampling };
      const kept = put(changes, dropUncalledTail(round.steps));
      return spend(kept, event);
    }
    case 'plan-candidate': {
      const candidate = {
        candidate: event.candidate,
        workflow: event.workflow,
        problem: event.problem,
        fault: event.fault ?? null,
        text: event.text,
        thought: event.thought ?? '',
        usage: event.usage,
        cost: event.cost,
        finishReason: event.finishReason ?? null,
        speed: event.speed ?? null,
        logProbability: event.logProbability ?? null,
        score: event.score ?? null,
        choices: event.choices ?? null,
        endedAt: run.time,
      };
      const kept = put({ ...NOTHING_WRITTEN, candidates: append(plan.candidates, candidate) });
      return spend(kept, event);
    }
    case 'plan-chosen':
      return put({ chosen: event.candidate, chosenBy: event.by, heldFor: null });
    case 'plan-held':
      return put(
        event.heldFor === 'choice'
          ? { heldFor: 'choice', status: 'writing', wait: null, isChoiceOpen: true, endedAt: null }
          : { heldFor: event.heldFor },
      );
    case 'plan-approved':
      return put({ heldFor: null, approved: true });
    case 'plan-finished': {
      const { workflow, thought, text, source, usage, cost, billed = false, finishReason } = event;
      const { speed = null, choices = null, logProbability = null } = event;
      const finished: Plan = {
        ...plan,
        status: 'finished',
        wait: null,
        isChoiceOpen: false,
        workflow,
        proposed: workflow,
        edited: false,
        editSeq: null,
        heldFor: null,
        thought,
        text,
        source,
        usage,
        cost,
        billed,
        finishReason,
        speed,
        logProbability,
        choices,
        endedAt: run.time,
      };
      return spend(withRound(run, learnWorkflow(run, { ...round, plan: finished }, workflow)), event);
    }
    case 'plan-failed': {
      const { problem, fault, text, usage, cost, billed = false } = event;
      const failed = {
        status: 'failed',
        wait: null,
        heldFor: null,
        problem,
        fault,
        text,
        usage,
        cost,
        billed,
      } as const;
      return spend(put({ ...failed, endedAt: run.time }), event);
    }
    case 'plan-edited': {
      const { workflow } = event;
      const edited = !plan.proposed || !sameWorkflow(plan.proposed, workflow);
      return withRound(
        run,
        learnWorkflow(run, { ...round, plan: { ...plan, workflow, edited, editSeq: event.seq } }, workflow),
      );
    }
    default:
      return event satisfies never;
  }
}

/** Whether a model call for the plan was sent, or may have been sent, and has not ended. */
export function isAwaitingModel({ status, isChoiceOpen, messages, wait }: Plan): boolean {
  return status !== 'finished' && status !== 'failed' && !isChoiceOpen && messages.length > 0 && wait === null;
}

/** Adds the round's plan to `lostPlans` if the plan made model calls, so that the cost of these calls still counts. */
function withLostPlan(round: Round): Round {
  const { plan } = round;
  if (!plan) return round;
  const isCutOff = plan.status !== 'writing' && isAwaitingModel(plan);
  const isLost = isCutOff || [plan, ...plan.candidates, ...plan.retries].some(isPaid);
  return isLost ? { ...round, lostPlans: append(round.lostPlans, plan) } : round;
}

const NOTHING_WRITTEN = { wait: null, text: '', reasoning: '', firstTokenAt: null } as const;

function newPlan(run: Run, event: Extract<PlanRunEvent, { type: 'plan-started' }>): Plan {
  return {
    ...NOTHING_WRITTEN,
    status: 'writing',
    plannedUnder: { pool: run.pool, caps: run.caps, maxSteps: run.maxSteps, candidates: run.candidates },
    conductor: event.conductor,
    messages: event.messages,
    engine: event.engine ?? null,
    sampling: event.sampling ?? null,
    grammar: event.grammar ?? null,
    policy: event.policy ?? null,
    startedAt: run.time,
    endedAt: null,
    thought: '',
    workflow: null,
    proposed: null,
    edited: false,
    editSeq: null,
    heldFor: null,
    approved: false,
    source: null,
    retries: [],
    candidates: [],
    chosen: null,
    chosenBy: null,
    isChoiceOpen: false,
    usage: null,
    cost: null,
    billed: false,
    finishReason: null,
    speed: null,
    logProbability: null,
    choices: null,
    problem: null,
    fault: null,
  };
}

function appendText(plan: Plan, delta: Extract<PlanRunEvent, { type: 'plan-delta' }>, time: number): Partial<Plan> {
  const { content: text, reasoning } = withDelta({ content: plan.text, reasoning: plan.reasoning }, delta);
  return { text, reasoning, wait: null, firstTokenAt: plan.firstTokenAt ?? time };
}

/** Adds the cost of a plan's model call to the run. A plan made without a model must not count as a call of unknown cost. */
function spend(run: Run, account: Account): Run {
  return isPaid(account) ? addSpent(run, account) : run;
}

/**
 * Whether an account (usage and cost) belongs to a model call. The account of a plan is empty if no model was called, or if
 * all calls are in the accounts of its candidates.
 */
export function isPaid({ usage, cost }: Account): boolean {
  return usage !== null || cost !== null;
}

/**
 * Removes all steps after the last called step. `plan-retried` needs this, because a new plan follows. The
 * new plan keeps or discards the steps that remain.
 */
function dropUncalledTail(steps: readonly StepRun[]): readonly StepRun[] {
  const lastCalled = steps.findLastIndex((step) => step.attempts.length > 0);
  return steps.slice(0, lastCalled + 1);
}

function learnWorkflow(run: Run, round: Round, workflow: Workflow): Round {
  const learned = foldTogether(() =>
    workflow.steps.reduce((known, step, index) => learnStep(run, known, index, step), round),
  );
  const surplus = learned.steps.slice(workflow.steps.length).filter((step) => step.attempts.length > 0);
  return {
    ...learned,
    steps: learned.steps.slice(0, workflow.steps.length),
    discarded: [...learned.discarded, ...surplus],
  };
}

/** Sets the step at an index. A different step that was already called at this index moves to `discarded`. */
function learnStep(run: Run, round: Round, index: number, step: Step): Round {
  const present = round.steps[index];
  if (present && present.status !== 'discarded' && sameStep(present.step, step)) {
    return present.step === step ? round : { ...round, steps: replaceAt(round.steps, index, { ...present, step }) };
  }
  const fresh: StepRun = {
    index,
    step,
    status: 'planned',
    knownAt: run.time,
    queuedAt: null,
    attempts: [],
    output: null,
    reasoning: '',
    because: null,
    fault: null,
  };
  const discarded = present && present.attempts.length > 0 ? append(round.discarded, present) : round.discarded;
  return { ...round, steps: replaceAt(round.steps, index, fresh), discarded };
}

/** Whether two workflows have the same steps, apart from roles. */
export function sameWorkflow(one: Workflow, other: Workflow): boolean {
  return (
    one.steps.length === other.steps.length &&
    one.steps.every((step, index) => {
      const twin = other.steps[index];
      return twin !== undefined && sameStep(step, twin);
    })
  );
}

/** Whether two steps have the same worker, subtask and access. The role is only a label. */
export function sameStep(one: Step, other: Step): boolean {
  return (
    one.worker === other.worker &&
    one.subtask === other.subtask &&
    (one.seesEarlier ?? false) === (other.seesEarlier ?? false) &&
    one.access.length === other.access.length &&
    one.access.every((seen, index) => seen === other.access[index])
  );
}
