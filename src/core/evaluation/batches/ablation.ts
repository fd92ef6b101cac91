/**
 * @file Applies ablations (arXiv 2512.04388, Tables 4, 9 and 10). An ablation changes a Conductor's
 * workflows, or its pool, to measure what one part contributes. The run records the changed workflow, so
 * replays and plots show the actual calls.
 */
import {
  fault,
  mixSeed,
  seededRandom,
  shuffled,
  type Ablation,
  type Conductor,
  type PlanEvent,
  type PlanRequest,
  type PoolWorker,
  type Step,
  type Workflow,
} from '../../contract';

const PLAIN_SUBTASK = 'Solve the user question.';

/** Wraps a Conductor and changes its workflows. */
export function ablated(conductor: Conductor, ablation: Ablation | undefined): Conductor {
  if (!ablation || !changesWorkflows(ablation)) return conductor;
  return {
    info: conductor.info,
    async *propose(request, signal) {
      for await (const event of conductor.propose(request, signal)) {
        const changed = changedEvent(event, request, ablation);
        yield changed;
        if (changed.type === 'plan-failed') return;
      }
    },
  };
}

/**
 * The pool for one task. The ablation `subset` selects random workers. Their order stays the same, and the
 * entry for the Conductor itself stays in the pool. For the same task, methods with equal pools and equal
 * `subset` get the same workers.
 */
export function poolOf(
  pool: readonly PoolWorker[],
  ablation: Ablation | undefined,
  task: { readonly seed: number; readonly revision: string; readonly taskId: string },
): readonly PoolWorker[] {
  if (ablation?.subset === undefined) return pool;
  const workers = pool.filter(({ kind }) => kind !== 'conductor');
  const random = seededRandom(mixSeed(task.seed, task.revision, task.taskId, 'subset'));
  const kept = new Set(shuffled(workers, random).slice(0, Math.max(1, ablation.subset)));
  return pool.filter((worker) => worker.kind === 'conductor' || kept.has(worker));
}

function changesWorkflows({ onlyWorker, plainSubtasks = false, access }: Ablation): boolean {
  return onlyWorker !== undefined || plainSubtasks || access !== undefined;
}

function changedEvent(event: PlanEvent, request: PlanRequest, ablation: Ablation): PlanEvent {
  const only =
    ablation.onlyWorker === undefined ? null : request.pool.findIndex(({ id }) => id === ablation.onlyWorker);
  switch (event.type) {
    case 'plan-step-known':
      // The worker for all steps is not in the pool. The plan fails later, when `plan-finished` arrives. Until
      // then, the steps stay unchanged.
      if (only === -1) return event;
      return { ...event, step: changedStep(event.step, event.index, { request, ablation, only }) };
    case 'plan-candidate': {
      if (!event.workflow || only === -1) return event;
      const { logProbability: _, choices: __, ...rest } = event;
      return { ...rest, workflow: changedWorkflow(event.workflow, { request, ablation, only }) };
    }
    case 'plan-finished': {
      if (only === -1) return missingWorker(event);
      // `logProbability` and `choices` (the reasons for the choice of workers) apply only to the original
      // workflow, so they are removed.
      const { logProbability: _, choices: __, ...rest } = event;
      return { ...rest, workflow: changedWorkflow(event.workflow, { request, ablation, only }) };
    }
    case 'plan-started':
    case 'plan-waiting':
    case 'plan-delta':
    case 'plan-retried':
    case 'plan-chosen':
    case 'plan-failed':
      return event;
    default:
      return event satisfies never;
  }
}

interface Change {
  readonly request: PlanRequest;
  readonly ablation: Ablation;
  /** Pool index of the worker that gets every step. `null`: steps keep their workers. */
  readonly only: number | null;
}

function changedWorkflow({ steps }: Workflow, change: Change): Workflow {
  return { steps: steps.map((step, index) => changedStep(step, index, change)) };
}

function changedStep(step: Step, index: number, { request, ablation, only }: Change): Step {
  const seen = withAccess(step, index, request, ablation.access);
  // A step for the Conductor requests another round and calls no worker. It keeps its subtask.
  if (request.recursion && step.worker === request.pool.length - 1) return seen;
  const given = only === null ? seen : { ...seen, worker: only };
  if (!ablation.plainSubtasks) return given;
  // The role described the original subtask, so it is removed.
  const { role: _, ...plain } = given;
  return { ...plain, subtask: PLAIN_SUBTASK };
}

function withAccess(step: Step, index: number, { showsEarlier }: PlanRequest, access: Ablation['access']): Step {
  switch (access) {
    case undefined:
      return step;
    case 'none': {
      const { seesEarlier: _, ...rest } = step;
      return { ...rest, access: [] };
    }
    case 'all':
      return { ...step, access: [...Array(index).keys()], ...(showsEarlier ? { seesEarlier: true } : {}) };
    default:
      return access satisfies never;
  }
}

function missingWorker({ text, usage, cost }: Extract<PlanEvent, { type: 'plan-finished' }>): PlanEvent {
  const message = 'The worker that gets every step is not in the pool. Add it to the pool of this method.';
  return { type: 'plan-failed', problem: null, fault: fault('worker-missing', message), text, usage, cost };
}
