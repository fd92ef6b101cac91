/**
 * @file The interface of a template, which is a Conductor that always plans the same kind of workflow. To add
 * a template, add an entry to `entries.ts`, write a file that calls `template`, and add a line to `index.ts`.
 *
 * A template may use grades, published results and everything else that is known about the workers. It never
 * gives a step to a Conductor. If the pool has a worker and the step limit is at least 1, the template must
 * return a valid workflow. If the limit is too low for the whole workflow, the template plans only the
 * essential steps.
 *
 * A template may ignore the request's access scheme. Only the random workflow follows this scheme.
 */
import { fault, type Conductor, type ConductorInfo, type PlanRequest, type Step } from '../../contract';
import { instantConductor, noWorkers } from '../instant';
import type { InstantPlan, Refusal } from '../instant-plan';
import { workersOf } from '../limits';
import { basisOf, choiceOf, rankWorkers, type RankedBy } from '../ranking';
import { partsOf } from '../solo';
import { SUBTASK } from '../wording';
import { infoOf, TEMPLATE_ENTRIES, type TemplateEntry, type TemplateName } from './entries';
import { UNLISTED_ENTRIES, type UnlistedName } from './unlisted';

export interface Template extends TemplateEntry {
  readonly info: ConductorInfo;
  /** The template plans at once, and calls no model. */
  readonly instant: true;
  /** @param info the template's `info`, or the result of `withWorker` if the user chose a worker */
  create(info?: ConductorInfo): Conductor;
}

/**
 * Makes a template. `plan` is called for every round. It is not called if no worker in the pool accepts subtasks in plain words.
 * For example, the worker *Python* only runs code.
 */
export function template(name: TemplateName | UnlistedName, plan: (request: PlanRequest) => InstantPlan): Template {
  return build(name, plan);
}

/**
 * Makes a template in which one worker does all steps: the best worker, or the worker that the user chose.
 * @param plan `reason` says why this worker was chosen, as the beginning of a sentence
 */
export function soloTemplate(
  name: TemplateName | UnlistedName,
  plan: (request: PlanRequest, worker: number, reason: string) => InstantPlan,
): Template {
  return build(name, (request, chosen) => {
    if (chosen === null) {
      const best = inTurn(rankWorkers(request, 'solve'), 0);
      const planned = plan(request, best, whyFirst(request, best));
      const choices = planned.workflow.steps.map(({ worker, role = 'solve' }) => choiceOf(request, worker, role));
      return { ...planned, choices };
    }
    const worker = workersOf(request).find((index) => request.pool[index]?.id === chosen);
    return worker === undefined
      ? missingWorker()
      : plan(request, worker, `You chose ${nameOf(request, worker)}, which works alone`);
  });
}

function build(
  name: TemplateName | UnlistedName,
  plan: (request: PlanRequest, chosen: string | null) => InstantPlan | Refusal,
): Template {
  const entry = { ...TEMPLATE_ENTRIES, ...UNLISTED_ENTRIES }[name];
  const own = infoOf(name, entry);
  return {
    ...entry,
    info: own,
    instant: true,
    create: (info = own) => {
      const { worker } = partsOf(info.id);
      return instantConductor(info, (request) =>
        workersOf(request).length === 0 ? noWorkers() : plan(request, worker),
      );
    },
  };
}

function missingWorker(): Refusal {
  const message = 'The worker that you chose for this Conductor is not in the pool. Add it, or choose another worker.';
  return { fault: fault('worker-missing', message), problem: null };
}

/** The worker at a position of a ranking. Positions beyond its end wrap around. */
export function inTurn(ranking: readonly number[], place: number): number {
  return ranking[place % ranking.length] ?? 0;
}

export function nameOf(request: PlanRequest, worker: number): string {
  return request.pool[worker]?.name ?? 'the first worker';
}

/** Why the worker is first, as the beginning of a sentence. */
function whyFirst(request: PlanRequest, worker: number): string {
  return `${nameOf(request, worker)} comes first ${WHY_FIRST[basisOf(request, choiceOf(request, worker, 'solve'))]}`;
}

const WHY_FIRST: Readonly<Record<RankedBy | 'unknown', string>> = {
  history: 'by your graded runs',
  published: 'by published benchmark results',
  strength: 'by declared strength',
  order: 'in the pool, because no worker declares a strength,',
  unknown: 'because nothing is known about it and no other worker is expected to do better,',
};

/** A step that solves the question and sees no other step. */
export function oneStep(worker: number): Step {
  return { worker, subtask: SUBTASK.solve, access: [], role: 'solve' };
}

/** The indexes from `from` up to, but excluding, `to`. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
