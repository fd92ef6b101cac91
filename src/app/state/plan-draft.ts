/**
 * @file A draft: a plan that the user edits. A draft refers to workers by id, so that it stays valid when the pool changes. It
 * refers to steps by key, so that access lists stay valid when a step moves.
 */
import { checkWorkflow, type PoolWorker, type Role, type Workflow } from '../../core/contract';

export interface DraftStep {
  /** Identifies the step, and never changes. */
  readonly key: number;
  /** Id of the worker, which may have left the pool. `null`: none is chosen. `CONDUCTOR`: the Conductor plans another round. */
  readonly workerId: string | null;
  readonly subtask: string;
  /** Keys of the steps that this step can see. */
  readonly sees: readonly number[];
  /** Whether the step also sees the earlier rounds. Absent: no. */
  readonly seesEarlier?: boolean;
  readonly role?: Role;
}

export type PlanDraft = readonly DraftStep[];

/** The worker id of the Conductor in a draft. The real id is not used, because it depends on the chosen Conductor. */
export const CONDUCTOR = 'conductor';

export function draftIdOf(worker: PoolWorker): string {
  return worker.kind === 'conductor' ? CONDUCTOR : worker.id;
}

export function draftOf(workflow: Workflow, pool: readonly PoolWorker[]): PlanDraft {
  return workflow.steps.map(({ worker, subtask, access, seesEarlier, role }, key) => {
    const found = pool[worker];
    return { key, workerId: found ? draftIdOf(found) : null, subtask, sees: access, ...partsOf({ seesEarlier, role }) };
  });
}

/** Converts a draft to a workflow. A step gets the worker index −1 if its worker is missing or not in the pool. */
export function workflowOf(draft: PlanDraft, pool: readonly PoolWorker[]): Workflow {
  const place = new Map(draft.map((step, index) => [step.key, index]));
  const steps = draft.map(({ workerId, subtask, sees, seesEarlier, role }, index) => ({
    worker: pool.findIndex((worker) => draftIdOf(worker) === workerId),
    subtask,
    access: sees
      .flatMap((key) => place.get(key) ?? [])
      .filter((seen) => seen < index)
      .sort((a, b) => a - b),
    ...partsOf({ seesEarlier, role }),
  }));
  return { steps };
}

/** The optional fields of a step, without those that are absent or false. */
function partsOf({ seesEarlier, role }: { seesEarlier?: boolean | undefined; role?: Role | undefined }) {
  return { ...(seesEarlier ? { seesEarlier } : {}), ...(role ? { role } : {}) };
}

/**
 * The first reason why a draft cannot run, and the index of the step at fault. `null`: the draft can run.
 * @param limits `stepsBefore`: number of steps in earlier rounds. Messages count steps from the first round on
 */
export function draftProblem(
  draft: PlanDraft,
  pool: readonly PoolWorker[],
  limits: {
    readonly maxSteps: number;
    readonly recursion: boolean;
    readonly allowEmpty?: boolean;
    readonly stepsBefore?: number;
  },
): { readonly message: string; readonly at: number } | null {
  const workflow = workflowOf(draft, pool);
  const at = workflow.steps.findIndex((step) => step.worker < 0);
  const problem =
    at >= 0
      ? { message: `Step ${at + 1} has no worker. Choose one.`, at }
      : checkWorkflow(workflow, { ...limits, poolSize: pool.length });
  const { stepsBefore = 0 } = limits;
  return (
    problem && {
      ...problem,
      message: problem.message.replace(
        /\b([Ss]tep) (\d+)/g,
        (_, word, step) => `${word} ${Number(step) + stepsBefore}`,
      ),
    }
  );
}

export function addStep(draft: PlanDraft, workerId: string | null): PlanDraft {
  const key = Math.max(-1, ...draft.map((step) => step.key)) + 1;
  return [...draft, { key, workerId, subtask: '', sees: draft.map((step) => step.key) }];
}

export function removeStep(draft: PlanDraft, key: number): PlanDraft {
  const rest = draft.filter((step) => step.key !== key);
  return rest.map((step) => ({ ...step, sees: step.sees.filter((seen) => seen !== key) }));
}

/** Moves a step one position up or down. Steps lose access to steps that now come after them. */
export function moveStep(draft: PlanDraft, key: number, by: -1 | 1): PlanDraft {
  const from = draft.findIndex((step) => step.key === key);
  const step = draft[from];
  const other = draft[from + by];
  if (!step || !other) return draft;
  const moved = [...draft];
  moved[from] = other;
  moved[from + by] = step;
  const place = new Map(moved.map((each, index) => [each.key, index]));
  return moved.map((each, index) => ({
    ...each,
    sees: each.sees.filter((seen) => (place.get(seen) ?? index) < index),
  }));
}

/** Changes a step. A new subtask removes the role, because the role belonged to the old subtask. */
export function changeStep(
  draft: PlanDraft,
  key: number,
  change: Partial<Pick<DraftStep, 'workerId' | 'subtask' | 'sees' | 'seesEarlier'>>,
): PlanDraft {
  return draft.map((step) => {
    if (step.key !== key) return step;
    const { role, ...rest } = step;
    return { ...rest, ...change, ...(role && change.subtask === undefined ? { role } : {}) };
  });
}
