/**
 * @file Decides what the equal-cost control of a method may do on a task: which single worker is called, and how often. The best
 * worker, the cost of one of its calls, and the cost of the method are estimated from the other tasks of the batch, so that nothing
 * about the task itself leaks into its control.
 */
import {
  fault,
  FaultError,
  GRADERS,
  mixSeed,
  seededRandom,
  type BatchPlan,
  type GraderKind,
  type Method,
  type Outcome,
  type Random,
  type Unit,
} from '../../contract';
import { drawnSteps } from '../../conductor/equal-calls';
import { withWorker } from '../../conductor/solo';
import { templateInfo } from '../../conductor/templates/entries';
import { unlistedInfo } from '../../conductor/templates/unlisted';
import { BestElsewhere } from '../statistics/best-elsewhere';
import { TaskTotals } from '../statistics/task-totals';
import { byMethod } from '../statistics/workflows';

/** The template of all controls. It is not offered on its own. */
const VOTE = unlistedInfo('vote');

/** The control of a method. @param isMatched whether each task has its own budget, see `EqualCost` */
export function equalCostControl({ id, label, settings }: Method, isMatched = false): Method {
  return {
    id: `equal-cost:${id}${isMatched ? ':matched' : ''}`,
    label: `Best worker at the cost of ${label}${isMatched ? ' on each task' : ''}`,
    settings: { ...settings, conductor: VOTE, candidates: 1, recursion: false },
    equalCost: { of: id, ...(isMatched ? { isMatched } : {}) },
  };
}

/** The control of a method with recorded workers: one worker for each task, drawn so that the mean cost is that of the method. */
export function mixControl({ id, label, settings }: Method): Method {
  return {
    id: `equal-cost:${id}:mix`,
    label: `Best mix of workers at the cost of ${label}`,
    settings: { ...settings, conductor: templateInfo('best-single'), candidates: 1, recursion: false },
    equalCost: { of: id, isMix: true },
  };
}

/** A second control of a method: the best of the workers alone that think as much as they can. */
export function thinkingControl(method: Method): Method {
  const control = equalCostControl(method);
  const sampling = { ...control.settings.sampling, mostThinking: true as const };
  return {
    id: `${control.id}:thinking`,
    label: `${control.label}, with the most thinking`,
    settings: { ...control.settings, sampling },
    equalCost: { of: method.id, mostThinking: true },
  };
}

/** What a control may do on one task. */
export interface ControlBudget {
  /** Id of the worker. */
  readonly worker: string;
  /** The number of calls that the budget buys. */
  readonly calls: number;
}

/** The budgets of the controls of a plan, from the outcomes of its other methods. */
export class ControlBudgets {
  readonly #plan: BatchPlan;
  readonly #totals: readonly TaskTotals[];
  readonly #best: BestElsewhere;
  readonly #thinking: BestElsewhere;

  constructor(plan: BatchPlan, outcomes: readonly Outcome[]) {
    this.#plan = plan;
    this.#totals = byMethod(outcomes, plan.methods.length).map((each) => new TaskTotals(each));
    this.#best = new BestElsewhere(plan, this.#totals);
    this.#thinking = new BestElsewhere(plan, this.#totals, true);
  }

  /** The budget of a control on a task. `null`: no other task shows it. */
  of(unit: Unit): ControlBudget | null {
    const { equalCost } = this.#plan.methods[unit.method] ?? {};
    const compared = this.#totals[this.#plan.methods.findIndex(({ id }) => id === equalCost?.of)];
    const single = (equalCost?.mostThinking ? this.#thinking : this.#best).on(unit);
    const call = single && this.#totals[single.method]?.without(unit);
    const spent = equalCost?.isMatched ? compared?.on(unit) : compared?.without(unit);
    if (!single || !call || !spent || call.runs === 0 || spent.runs === 0) return null;
    const isPriced = call.unpriced === 0 && spent.unpriced === 0 && call.usd > 0;
    const of = ({ usd, calls }: typeof call) => (isPriced ? usd : calls);
    const calls = of(spent) / spent.runs / (of(call) / call.runs);
    // A task can't have less than one call, however little the other method has spent on it.
    return { worker: single.worker, calls: equalCost?.isMatched ? Math.max(1, calls) : calls };
  }

  /** The worker that is drawn for a task. `null`: all workers cost more, or a cost is unknown. */
  mixed(unit: Unit, random: Random): string | null {
    const { equalCost } = this.#plan.methods[unit.method] ?? {};
    const spent = this.#totals[this.#plan.methods.findIndex(({ id }) => id === equalCost?.of)]?.without(unit);
    const mix = spent && spent.runs > 0 && spent.unpriced === 0 ? this.#best.mixOn(unit, spent.usd / spent.runs) : null;
    return mix && (random() < mix.share ? mix.second : mix.first).worker;
  }
}

/**
 * The settings of a unit of a control.
 * @returns a `FaultError` (`not-gradable`) if its budget is unknown or buys less than one call
 */
export function controlSettings(
  plan: BatchPlan,
  { id, settings }: Method,
  unit: Unit,
  { grader, budgets }: { readonly grader: GraderKind; readonly budgets: ControlBudgets },
): Method['settings'] | FaultError {
  const { revision = '' } = plan.datasets[unit.dataset] ?? {};
  const random = seededRandom(mixSeed(plan.seed, revision, unit.taskId, unit.repeat, id));
  if (plan.methods[unit.method]?.equalCost?.isMix) {
    const drawn = budgets.mixed(unit, random);
    const single = settings.pool.find((each) => each.id === drawn);
    if (!single) return noControl('Each worker costs more than the method, or a cost is unknown.');
    return { ...settings, conductor: withWorker(settings.conductor, single) };
  }
  const budget = budgets.of(unit);
  const worker = settings.pool.find((each) => each.id === budget?.worker);
  if (!budget || !worker)
    return noControl('No other task shows the cost of the method, or which worker is best alone.');
  const maxSteps = drawnSteps(budget.calls, random);
  if (maxSteps === null) return noControl(`One call to ${worker.name} costs more than the method.`);
  const caps = { ...settings.caps, calls: Math.max(settings.caps.calls, 2 * maxSteps) };
  // Programs and free texts state no short answer, so the worker always chooses between them.
  const { skipSettled: _skipped, trust: _trust, ...others } = settings;
  const countsVotes = maxSteps > 3 && GRADERS[grader].by === 'rules';
  return {
    ...others,
    conductor: withWorker(settings.conductor, worker),
    maxSteps,
    caps,
    ...(countsVotes ? { skipSettled: true } : {}),
  };
}

function noControl(reason: string): FaultError {
  return new FaultError(fault('not-gradable', `No equal-cost control. ${reason}`));
}
