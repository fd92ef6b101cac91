/**
 * @file Estimates what the remaining calls of a run may cost, as a range from short answers to the longest allowed answers.
 * The upper end is the sum of the estimated maximum costs of all calls. The caps and the daily budget reserve a similar
 * maximum before each call. The lower end is a rough estimate.
 */
import {
  canSee,
  chargedBy,
  conductorSees,
  costOf,
  estimateTokens,
  IMAGE_TOKENS,
  isFree,
  samplingOf,
  type Charged,
  type ConductorInfo,
  type ConductorPrompt,
  type PoolWorker,
  type Step,
  type Workflow,
} from '../contract';

/** US dollars. */
export interface PriceRange {
  readonly low: number;
  readonly high: number;
}

export interface RangeRequest {
  /** Tokens of the question, with its files and the earlier question and answer. */
  readonly questionTokens: number;
  /** Number of images that come with the question. */
  readonly images: number;
  readonly conductor: ConductorInfo;
  /** The user's own prompt for the Conductor. Absent: the default. */
  readonly prompt?: ConductorPrompt;
  /** Whether the plan of the first remaining round is written and paid for. */
  readonly isPlanned: boolean;
  /** Number of earlier rounds, which are shown to later plans. */
  readonly earlier: number;
  readonly pool: readonly PoolWorker[];
  /** The workflow of the first remaining round, or `null` if it is not known yet. */
  readonly planned: Workflow | null;
  /** Steps of the planned workflow that are reused without a call, with the tokens of their outputs. Default: none. */
  readonly reused?: ReadonlyMap<number, number>;
  /** Whether the run skips settled steps. Then the lower end leaves out all steps that may be settled. Default: no. */
  readonly skips?: boolean;
  /** Whether another round always follows the planned round. */
  readonly follows: boolean;
  /** Maximum number of retries after a plan that cannot run. */
  readonly planRetries: number;
  /** Maximum number of steps in a workflow that is not written yet. */
  readonly maxSteps: number;
  /** Maximum number of remaining rounds. */
  readonly rounds: number;
  readonly candidates: number;
  /** Maximum number of calls to workers. */
  readonly calls: number;
  /** Maximum number of tokens of an answer by a worker without its own limit. */
  readonly maxTokens: number;
}

/** Tokens of a short answer. */
const SHORT_ANSWER = 150;
/**
 * Tokens of Podium's own wording in the prompt of a step (`STEP_FRAME`) and in the prompt of a plan
 * (`PLAN_FRAME`).
 */
const STEP_FRAME = 250;
const PLAN_FRAME = 1200;
/**
 * Tokens around an earlier output in a prompt (`OUTPUT_FRAME`), and tokens that ask for a corrected plan
 * (`CORRECTION`).
 */
const OUTPUT_FRAME = 60;
const CORRECTION = 150;
/** Tokens of Podium's own wording around one worker in a Conductor's prompt. */
const WORKER_FRAME = 12;
/**
 * Tokens for the result of a worker's graded runs (`MEASURED`), and tokens for one declared strength or published
 * ability (`FIGURE`).
 */
const MEASURED = 16;
const FIGURE = 6;
/** Tokens of a typical plan and the reasoning before it. */
const TYPICAL_PLAN = 400;
/** Maximum number of tokens of a plan at the first try. */
const LONGEST_PLAN = 1024;
/** Tokens of a typical subtask that is not written yet. In the worst case, a subtask is as long as a whole plan. */
const SUBTASK = 60;
/** Worst-case factor on token counts. Digits, code and rare scripts take about twice the tokens of prose. */
const WORST = 2;

/** @returns `null` if a price is unknown */
export function priceRange(request: RangeRequest): PriceRange | null {
  const plan = planRange(request);
  const steps = request.planned ? plannedRange(request, request.planned) : unplannedRange(request);
  return plan && steps && { low: plan.low + steps.low, high: plan.high + steps.high };
}

/** The possible cost of a single step of the planned workflow. `null` if the price is unknown. */
export function stepPriceRange(request: RangeRequest, index: number): PriceRange | null {
  const steps = request.planned?.steps ?? [];
  const step = steps[index];
  return step ? stepRange(request, step, steps) : NOTHING;
}

/**
 * The possible cost of all plans that are not written yet. Each candidate plan is one call. A plan that cannot run is requested
 * again with a correction. Each retry doubles the output limit. The prompt of a later round contains the earlier rounds.
 */
function planRange(request: RangeRequest): PriceRange | null {
  const { pool, conductor, candidates } = request;
  const { rounds, planned, isPlanned, earlier, follows, planRetries } = request;
  const charged = chargedBy(conductor);
  if (isFree(charged)) return NOTHING;
  const promptTokens = planPromptOf(request);
  const low = isPlanned ? 0 : cost(charged, promptTokens, SHORT_ANSWER);
  const roundShown = roundShownOf(request);
  const last = planned && !follows && !handsOver(pool, planned) ? 1 : rounds;
  let high: number | null = 0;
  for (let round = isPlanned ? 1 : 0; round < last; round++) {
    const prompt = WORST * (promptTokens + (earlier + round) * roundShown);
    const first = cost(charged, prompt, LONGEST_PLAN);
    const corrected = Array.from({ length: planRetries }, (_, retry) => {
      const shown = LONGEST_PLAN * 2 ** retry;
      return cost(charged, prompt + WORST * (shown + CORRECTION), 2 * shown);
    });
    high = sum([high, first && candidates * first, ...corrected]);
  }
  return low === null || high === null ? null : { low: candidates * low, high };
}

/**
 * Maximum number of tokens that one round adds to the prompt of a later plan or step. The prompt shows the round's
 * subtasks and outputs.
 */
function roundShownOf(request: RangeRequest): number {
  return LONGEST_PLAN + request.maxSteps * (longestOf(request) + OUTPUT_FRAME);
}

type PlanPrompt = Pick<RangeRequest, 'questionTokens' | 'images' | 'conductor' | 'pool' | 'prompt'>;

/** The probable cost of the plans of the first round, in US dollars. `null` if the price is unknown. */
export function likelyPlanCost(request: PlanPrompt & Pick<RangeRequest, 'candidates'>): number | null {
  const each = cost(chargedBy(request.conductor), planPromptOf(request), TYPICAL_PLAN);
  return each === null ? null : request.candidates * each;
}

/** Upper estimate of the tokens of a prompt's wording: the default wording plus every part that the user has edited. */
function frameOf(prompt: ConductorPrompt | undefined): number {
  if (!prompt) return PLAN_FRAME;
  const { template, later = '', ownExamples = '' } = prompt;
  return PLAN_FRAME + estimateTokens(`${template?.fixed ?? ''}${template?.question ?? ''}${later}${ownExamples}`);
}

/** Tokens of the prompt of the first plan. */
function planPromptOf({ questionTokens, images, conductor, pool, prompt }: PlanPrompt): number {
  const seen = conductorSees(conductor) ? images * IMAGE_TOKENS : 0;
  return questionTokens + seen + frameOf(prompt) + pool.reduce((sum, worker) => sum + linesOf(worker), 0);
}

/** Whether a step names the Conductor, which starts another round. */
function handsOver(pool: readonly PoolWorker[], { steps }: Workflow): boolean {
  return steps.some((step) => pool[step.worker]?.kind === 'conductor');
}

function plannedRange(request: RangeRequest, { steps }: Workflow): PriceRange | null {
  const own = steps.filter((step) => request.pool[step.worker]?.kind !== 'conductor');
  const called = steps.filter((step, index) => own.includes(step) && !request.reused?.has(index));
  const ranges = called.map((step) => stepRange(request, step, steps));
  const isFollowed = request.follows || own.length < steps.length;
  const rest = isFollowed ? openRange(request, request.rounds - 1, shownBy(request, { steps })) : NOTHING;
  const settled = request.skips ? mayBeSettled(steps) : NONE;
  const low = sum(called.map((step, index) => (settled.has(step) && ranges[index] ? 0 : (ranges[index]?.low ?? null))));
  const high = sum([...ranges.map((range) => range?.high ?? null), rest?.high ?? null]);
  return low === null || high === null ? null : { low, high };
}

const NONE: ReadonlySet<Step> = new Set();

/**
 * The steps that are not called if everything settles as early as it can: steps with an agreement, and steps that see a check or
 * another settled step. Roles that no Conductor has declared are left out, because the rules for their wording are not on the
 * first page.
 */
function mayBeSettled(steps: readonly Step[]): ReadonlySet<Step> {
  const settled = new Set<Step>();
  for (const step of steps) {
    const seen = step.access.flatMap((index) => steps[index] ?? []);
    if (step.agreement || seen.some((each) => each.role === 'verify' || settled.has(each))) settled.add(step);
  }
  return settled;
}

/**
 * Maximum number of tokens that the first round adds to the prompt of a step in the second round. `steps`:
 * the steps of the first round.
 */
function shownBy({ follows, pool, maxTokens }: RangeRequest, { steps }: Workflow): number {
  if (!follows) return 0;
  return steps.reduce((sum, { worker, subtask }) => {
    const by = pool[worker];
    return sum + estimateTokens(subtask) + OUTPUT_FRAME + (by ? longestBy(by, maxTokens) : 0);
  }, 0);
}

function stepRange(request: RangeRequest, step: Step, steps: readonly Step[]): PriceRange | null {
  const { questionTokens, images, pool, maxTokens: common, reused } = request;
  const { worker, subtask, access, seesEarlier = false } = step;
  const charged = pool[worker];
  if (!charged) return NOTHING;
  const longest = (by: PoolWorker | undefined) => longestBy(by ?? charged, common);
  const maxTokens = longest(charged);
  const promptTokens = questionTokens + imagesFor(charged, images) + estimateTokens(subtask) + STEP_FRAME;
  const short = Math.min(SHORT_ANSWER, maxTokens);
  const seen = (answerOf: (index: number) => number) =>
    access.reduce((tokens, index) => tokens + (reused?.get(index) ?? answerOf(index)), 0);
  const low = cost(charged, promptTokens + seen(() => short), short);
  const longestSeen = seen((index) => longest(pool[steps[index]?.worker ?? worker]));
  const framed = access.reduce((sum, index) => sum + estimateTokens(steps[index]?.subtask ?? '') + OUTPUT_FRAME, 0);
  const shown = seesEarlier ? request.earlier * roundShownOf(request) : 0;
  const high = cost(charged, WORST * (promptTokens + longestSeen + framed + shown), maxTokens);
  return low === null || high === null ? null : { low, high };
}

/** The possible cost of all steps if no workflow is written yet. */
function unplannedRange(request: RangeRequest): PriceRange | null {
  const { rounds, follows } = request;
  if (!follows) return openRange(request, rounds, 0);
  const first = openRange(request, 1, 0);
  const second = openRange(request, rounds - 1, roundShownOf(request));
  return first && second && { low: first.low, high: first.high + second.high };
}

/**
 * The possible cost of the steps in rounds whose workflows are not written yet. The lower end is the cost of
 * one step by the cheapest worker. At the upper end, each round has the maximum number of steps, all by the
 * most expensive worker.
 * @param shown maximum number of tokens of earlier rounds that each step may see
 */
function openRange(request: RangeRequest, rounds: number, shown: number): PriceRange | null {
  const { questionTokens, images, pool, maxSteps, calls, maxTokens } = request;
  const longest = longestOf(request);
  const workers = pool.filter(({ kind }) => kind !== 'conductor');
  const inputTokens = (worker: PoolWorker) => questionTokens + imagesFor(worker, images) + STEP_FRAME;
  const mostOf = (worker: PoolWorker) => longestBy(worker, maxTokens);
  const lows = workers.map((worker) =>
    cost(worker, inputTokens(worker) + SUBTASK, Math.min(SHORT_ANSWER, mostOf(worker))),
  );
  const steps = Array.from({ length: Math.min(maxSteps, calls) }, (_, index) => index);
  /**
   * Maximum number of tokens that a step sees from its own round: all subtasks, and the outputs of the steps
   * before it.
   */
  const seenBy = (before: number) => LONGEST_PLAN + before * (longest + OUTPUT_FRAME);
  const highs = workers.map((worker) =>
    sum(steps.map((seen) => cost(worker, WORST * (inputTokens(worker) + shown + seenBy(seen)), mostOf(worker)))),
  );
  if (lows.includes(null) || highs.includes(null)) return null;
  const least = Math.min(...lows.map((low) => low ?? 0));
  const most = Math.max(0, ...highs.map((high) => high ?? 0));
  return { low: workers.length === 0 ? 0 : least, high: Math.max(0, rounds) * most };
}

/** Maximum number of tokens of any worker's answer. */
function longestOf({ pool, maxTokens }: RangeRequest): number {
  return Math.max(0, ...pool.map((worker) => longestBy(worker, maxTokens)));
}

/** Maximum number of tokens of this worker's answer. */
function longestBy(worker: PoolWorker, maxTokens: number): number {
  return samplingOf(worker, { maxTokens }).maxTokens;
}

/** Tokens of the part of a Conductor's prompt that describes one worker. */
function linesOf({ name, description = '', domains = {}, strengths = {}, published }: PoolWorker): number {
  const figures = [domains, strengths, published?.domains ?? {}].flatMap(Object.keys).length;
  return estimateTokens(name + description) + WORKER_FRAME + MEASURED + figures * FIGURE;
}

/** Tokens of the images that are sent to a worker. */
function imagesFor(worker: PoolWorker, images: number): number {
  return canSee(worker) ? images * IMAGE_TOKENS : 0;
}

const NOTHING: PriceRange = { low: 0, high: 0 };

function cost(who: Charged, input: number, output: number): number | null {
  if (isFree(who)) return 0;
  return costOf({ input, output }, who.price);
}

function sum(costs: readonly (number | null)[]): number | null {
  return costs.reduce<number | null>((total, each) => (total === null || each === null ? null : total + each), 0);
}
