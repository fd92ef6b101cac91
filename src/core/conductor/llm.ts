/**
 * @file A language model as the Conductor, on any engine. If the engine enforces the grammar, every complete
 * answer is a valid workflow. After an invalid answer, the model gets one chance to correct it. A model on a
 * server (an endpoint) may get several chances, and each chance doubles the output limit. If no answer is
 * valid, the fallback Conductor plans.
 */
import {
  abortError,
  chargedBy,
  chooseCandidate,
  conductorSees,
  correctionMessages,
  fault,
  isHeldBack,
  mixSeed,
  renderPrompt,
  sha256Hex,
  type AccessScheme,
  type CandidateScore,
  type Clock,
  type Conductor,
  type ConductorInfo,
  type GenerateRequest,
  type JsonSchema,
  type Message,
  type PlanEvent,
  type PlanPolicy,
  type PlanRequest,
  type PromptMessage,
  type Sampling,
  type Step,
  type TextBound,
  type TextEngine,
  type Workflow,
  type WorkflowLimits,
} from '../contract';
import { attemptPlan, type PlanAttempt, type Outcome } from './attempt';
import { PLAN_MAX_TOKENS, planBounds, textBounds, worstCaseTokens } from './bounds';
import { correctionOf } from './correction';
import { givenRest, workflowGrammar } from './grammar';
import { askForJson, workflowSchema } from './json-form';
import { noWorkers } from './instant';
import type { Refusal } from './instant-plan';
import { limitsOf, workersOf } from './limits';
import { PlanTimer } from './plan-timer';
import { candidateEvent, failed, finished, retried, type Failure } from './plan-events';
import { conductorPrompt, promptSources, templateOf, type PromptOptions } from './prompt';
import { promptProblem, templateProblem } from './placeholders';

export interface LlmConductorOptions extends PromptOptions {
  readonly info: ConductorInfo;
  readonly engine: TextEngine;
  /** Measures the time of a plan if the request has a time limit. */
  readonly clock: Clock;
  /**
   * The Conductor that plans if the model has used up its retries or has failed permanently. Without a fallback, the plan
   * fails.
   */
  readonly fallback?: Conductor;
  /** The access scheme that the model was trained to write. Default: the scheme of the request. */
  readonly access?: AccessScheme;
  /**
   * The default output limit is 1024 tokens, as in the paper. A plan of many steps may get a higher limit. The default
   * temperature is that of the request. If the request has no temperature, 0.2 is used, or 0.8 for several candidates.
   */
  readonly sampling?: Sampling;
  /** Whether to use a grammar if the engine can enforce one. Default: true. */
  readonly useGrammar?: boolean;
  /**
   * Steps whose workers, roles and access are fixed. The model writes only their subtasks. The subtask in a given step tells the
   * model what the step is for.
   */
  readonly skeleton?: readonly Step[];
  /** What the trained policy contributed to the plan. */
  readonly policy?: PlanPolicy;
  /**
   * Computes the log-probability of a candidate under the policy, and the number of choices that the policy
   * makes for it. The candidate with the highest mean log-probability per choice becomes the plan, unless the
   * user selects one. If no candidate has a log-probability, a vote decides.
   */
  readonly score?: (workflow: Workflow) => CandidateScore;
}

/** Number of retries after an invalid answer. For an endpoint, the request may set another number. */
const USUAL_RETRIES = 1;

/** After this many rejected calls for a plan, no more calls are made. See `isRefused`. */
const MOST_REFUSALS = 12;

/**
 * A Conductor that calls a language model. Each attempt has its own seed, which is mixed from a base seed,
 * the round and the attempt's number. The base seed comes from `sampling`, or from the request if `sampling`
 * has no seed. `plan-started` records the seed of the first attempt.
 */
export function createLlmConductor(options: LlmConductorOptions): Conductor {
  return {
    info: options.info,
    async *propose(request, signal) {
      if (signal.aborted) throw abortError();
      yield* new Proposal(options, request, signal).events();
    },
  };
}

type Retried = Extract<PlanEvent, { type: 'plan-retried' }>;
type FaultOutcome = Extract<Outcome, { kind: 'fault' }>;

/** One call of `propose`. */
class Proposal {
  readonly #options: LlmConductorOptions;
  readonly #request: PlanRequest;
  readonly #signal: AbortSignal;
  readonly #limits: WorkflowLimits;
  readonly #sampling: Sampling;
  readonly #refusal: Refusal | null;
  readonly #grammar: string | null;
  readonly #schema: JsonSchema | null;
  readonly #bounds: readonly TextBound[];
  /** The fixed end of an answer, which the grammar leaves out. Empty if the model writes the whole answer. */
  readonly #rest: string;
  readonly #candidates: number;
  /** Maximum number of retries after invalid answers. */
  readonly #retries: number;
  /** Enforces the time limit of a plan. Each candidate has its own timer. `null`: there is no limit. */
  #timer: PlanTimer | null;
  /** Maximum number of tokens of the next answer. */
  #maxTokens: number;
  #attempts = 0;
  /** Number of rejected calls, over all candidates and retries. See `isRefused`. */
  #refusals = 0;

  constructor(options: LlmConductorOptions, request: PlanRequest, signal: AbortSignal) {
    const access = options.access ?? request.access;
    this.#options = options;
    this.#request = { ...request, access };
    this.#signal = signal;
    // The access of given steps is fixed and never includes earlier rounds.
    this.#limits = options.skeleton ? { ...limitsOf(request), showsEarlier: false } : limitsOf(request);
    this.#candidates = Math.max(1, request.candidates);
    const temperature = request.planTemperature ?? (this.#candidates > 1 ? 0.8 : 0.2);
    this.#refusal = refusalOf(request, options);
    const { enforcesGrammar, enforcesSchema = false } = options.engine.info;
    const mayBind = options.useGrammar !== false && !this.#refusal;
    const isBound = enforcesGrammar && mayBind;
    this.#schema =
      enforcesSchema && mayBind ? workflowSchema({ ...this.#limits, access, skeleton: options.skeleton }) : null;
    const { skeleton: steps } = options;
    const given = steps ? { skeleton: { steps }, thought: false } : {};
    const form = isBound ? { ...this.#limits, access, ...given } : null;
    const bounds = form && planBounds(form, options.sampling?.maxTokens);
    this.#grammar = form && workflowGrammar(form);
    this.#rest = form && steps ? givenRest(steps, access) : '';
    this.#bounds = bounds ? textBounds(bounds) : [];
    const maxTokens = form && bounds ? Math.max(PLAN_MAX_TOKENS, worstCaseTokens(form, bounds)) : PLAN_MAX_TOKENS;
    this.#sampling = options.sampling ?? { temperature, maxTokens };
    this.#maxTokens = this.#sampling.maxTokens;
    this.#timer = this.#newTimer();
    this.#retries = options.info.kind === 'endpoint' ? request.planRetries : USUAL_RETRIES;
  }

  async *events(): AsyncGenerator<PlanEvent> {
    const { info, engine } = this.#options;
    const { contextWindow } = engine.info;
    const { maxTokens } = this.#sampling;
    const fit = { maxTokens, ...(contextWindow === undefined ? {} : { contextWindow }) };
    const { skeleton } = this.#options;
    const written = conductorPrompt(this.#request, { ...this.#options, ...fit, sees: conductorSees(info) });
    const prompt = this.#schema ? askForJson(written, { skeleton, access: this.#request.access }) : written;
    yield this.#started(prompt);
    if (this.#refusal) {
      yield { type: 'plan-failed', ...this.#refusal, text: '', usage: null, cost: null };
      return;
    }
    const messages = renderPrompt(prompt, promptSources(this.#request));
    const first = yield* this.#candidates > 1 ? this.#drawCandidates(messages) : this.#generate(messages);
    if (first) yield* this.#settle(messages, first);
  }

  #started(messages: readonly PromptMessage[]): PlanEvent {
    const { info, engine, policy, digest = sha256Hex } = this.#options;
    const { revision } = engine.info;
    const grammar = this.#schema ? JSON.stringify(this.#schema) : this.#grammar;
    return {
      type: 'plan-started',
      conductor: info,
      messages,
      engine: engine.info.engine,
      sampling: { ...this.#sampling, seed: this.#seed(0) },
      ...(revision === undefined ? {} : { revision }),
      ...(grammar === null ? {} : { grammar: { hash: digest(grammar), text: grammar } }),
      ...(policy ? { policy } : {}),
    };
  }

  /**
   * Finishes the plan with the first valid attempt. Retries after up to `#retries` invalid answers, and after rejected calls (see
   * `isRefused`). After other retryable faults, retries at most once, and only if no text has arrived. If no attempt is valid,
   * the fallback plans.
   */
  async *#settle(messages: readonly Message[], first: PlanAttempt): AsyncGenerator<PlanEvent> {
    let attempt = first;
    let prompt = messages;
    let corrections = 0;
    let wasRepeated = false;
    for (;;) {
      const { outcome } = attempt;
      let correction: Pick<Retried, 'correction' | 'maxTokens'> = {};
      if (outcome.kind === 'valid') {
        yield finished(attempt, outcome);
        return;
      }
      if (outcome.kind === 'invalid' && corrections < this.#retries) {
        corrections += 1;
        const sent = correctionOf(attempt.text, outcome.problem, this.#correcting);
        // Only the last invalid answer is shown again, so that the prompt does not grow with each retry.
        prompt = [...messages, ...correctionMessages(attempt.text, sent)];
        correction = { correction: sent, ...this.#raiseLimit() };
      } else if (isRefused(outcome) && !this.#isRefusedForGood) {
        // The same prompt is sent again.
      } else if (!isRefused(outcome) && isRetryableFault(outcome) && attempt.text === '' && !wasRepeated) {
        wasRepeated = true;
      } else {
        yield* this.#fallBack(attempt, outcome);
        return;
      }
      yield { ...retried(attempt, outcome, 'stricter'), ...correction };
      attempt = yield* this.#generate(prompt);
    }
  }

  /** Doubles the output limit of an endpoint, as in Table 11 of the paper. Local models have no room for longer answers. */
  #raiseLimit(): { readonly maxTokens?: number } {
    if (this.#options.info.kind !== 'endpoint') return {};
    this.#maxTokens *= 2;
    return { maxTokens: this.#maxTokens };
  }

  async *#fallBack(lost: PlanAttempt, outcome: Failure): AsyncGenerator<PlanEvent> {
    const { fallback, info } = this.#options;
    if (!fallback) {
      yield failed(lost, outcome, info);
      return;
    }
    yield retried(lost, outcome, 'fallback');
    for await (const event of fallback.propose({ ...this.#request, candidates: 1 }, this.#signal)) {
      if (event.type === 'plan-finished') yield { ...event, source: 'fallback' };
      if (event.type === 'plan-failed') yield event;
    }
  }

  /**
   * Samples candidates one after the other and chooses among the valid ones, or lets the user choose.
   * @returns the chosen candidate, or the last candidate if none is valid. `null`: the user chooses. The returned `usage` is
   *   `null`, because an earlier event has reported the usage
   */
  async *#drawCandidates(messages: readonly Message[]): AsyncGenerator<PlanEvent, PlanAttempt | null> {
    const drawn: PlanAttempt[] = [];
    const scores: (CandidateScore | null)[] = [];
    let last: PlanAttempt;
    do {
      this.#timer = this.#newTimer();
      last = yield* this.#draw(messages);
      const { outcome } = last;
      const score = outcome.kind === 'valid' ? (this.#options.score?.(outcome.workflow) ?? null) : null;
      yield candidateEvent(drawn.length, last, score);
      drawn.push(last);
      scores.push(score);
    } while (drawn.length < this.#candidates && isRetryable(last.outcome) && !this.#isRefusedForGood);
    const chosen = chooseCandidate(
      drawn.map(({ outcome }, place) => {
        return { workflow: outcome.kind === 'valid' ? outcome.workflow : null, score: scores[place] ?? null };
      }),
    );
    if (chosen && this.#request.choice === 'person') return null;
    if (chosen) yield { type: 'plan-chosen', candidate: chosen.place, by: chosen.by };
    return { ...((chosen && drawn[chosen.place]) ?? last), usage: null, cost: null };
  }

  /** Samples one candidate. A rejected call is repeated, and does not count as a candidate. */
  async *#draw(messages: readonly Message[]): AsyncGenerator<PlanEvent, PlanAttempt> {
    for (;;) {
      const attempt = yield* this.#generate(messages);
      const { outcome } = attempt;
      if (!isRefused(outcome) || this.#isRefusedForGood) return attempt;
      yield retried(attempt, outcome, 'stricter');
    }
  }

  async *#generate(messages: readonly Message[]): AsyncGenerator<PlanEvent, PlanAttempt> {
    const request: GenerateRequest = {
      ...this.#sampling,
      maxTokens: this.#maxTokens,
      seed: this.#seed(this.#attempts++),
      messages,
      grammar: this.#grammar,
      bounds: this.#bounds,
      ...(this.#schema ? { schema: this.#schema } : {}),
    };
    const announceSteps = this.#grammar !== null && this.#candidates === 1;
    const { engine, info, skeleton } = this.#options;
    const charged = chargedBy(info);
    const options = {
      engine,
      charged,
      request,
      limits: this.#limits,
      announceSteps,
      rest: this.#rest,
      timer: this.#timer,
      ...(skeleton ? { skeleton } : {}),
    };
    const attempt = yield* attemptPlan(options, this.#signal);
    if (isRefused(attempt.outcome)) this.#refusals += 1;
    return attempt;
  }

  get #isRefusedForGood(): boolean {
    return this.#refusals >= MOST_REFUSALS;
  }

  #newTimer(): PlanTimer | null {
    const { planSeconds } = this.#request;
    return planSeconds === undefined ? null : new PlanTimer(this.#options.clock, planSeconds);
  }

  get #correcting() {
    return {
      maxSteps: this.#limits.maxSteps,
      given: this.#options.skeleton !== undefined,
      isJson: this.#schema !== null,
    };
  }

  #seed(attempt: number): number {
    return mixSeed(this.#sampling.seed ?? this.#request.seed, 'plan', this.#request.round, attempt);
  }
}

/** The reason not to call the model. `null`: there is none. */
function refusalOf(request: PlanRequest, options: LlmConductorOptions): Refusal | null {
  const problem = promptProblem(request.prompt ?? {}) ?? templateProblem(templateOf(request, options));
  if (problem !== null) return { fault: fault('bad-request', problem), problem: null };
  return workersOf(request).length === 0 ? noWorkers() : null;
}

/** Whether another candidate may succeed. After a permanent fault, such as a wrong key, the next call would fail too. */
function isRetryable(outcome: Outcome): boolean {
  return outcome.kind !== 'fault' || outcome.fault.retryable;
}

/**
 * Whether the server rejected the call before any work, and may accept the next one, because of a rate limit or a busy server.
 */
function isRefused(outcome: Outcome): outcome is FaultOutcome {
  return isRetryableFault(outcome) && isHeldBack(outcome.fault);
}

function isRetryableFault(outcome: Outcome): outcome is FaultOutcome {
  return outcome.kind === 'fault' && outcome.fault.retryable;
}
