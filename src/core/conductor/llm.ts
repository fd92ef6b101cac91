/**
 * @file A language model as the Conductor, whichever engine runs it. What it writes is data: where the engine enforces the
 * grammar every answer that is not cut off is a valid workflow; elsewhere it is parsed, asked for again once with what was
 * wrong, and then the fallback Conductor takes over.
 */
import {
  abortError,
  chargedBy,
  chooseByVote,
  conductorSees,
  correctionMessages,
  fault,
  isHeldBack,
  mixSeed,
  renderPrompt,
  sha256Hex,
  type AccessScheme,
  type Account,
  type Conductor,
  type ConductorInfo,
  type GenerateRequest,
  type Message,
  type PlanCorrection,
  type PlanEvent,
  type PlanProblem,
  type PlanRequest,
  type PromptMessage,
  type Sampling,
  type TextBound,
  type TextEngine,
  type WorkflowLimits,
} from '../contract';
import { attemptPlan, type Attempt, type Outcome } from './attempt';
import { PLAN_MAX_TOKENS, planBounds, textBounds, worstCaseTokens } from './bounds';
import { workflowGrammar } from './grammar';
import { noWorkers, type Refusal } from './instant';
import { limitsOf, workersOf } from './limits';
import { conductorPrompt, promptSources, type PromptOptions } from './prompt';
import { DEFAULT_TEMPLATE, templateProblem } from './prompt-template';

export interface LlmConductorOptions extends PromptOptions {
  readonly info: ConductorInfo;
  readonly engine: TextEngine;
  /** Takes over when the model failed twice. Without one the plan fails. */
  readonly fallback?: Conductor;
  /** The scheme that the model was trained on. Default: the request's. */
  readonly access?: AccessScheme;
  /** Default: 1024 tokens as in the paper, the request's temperature, else 0.2, or 0.8 where several candidates should differ. */
  readonly sampling?: Sampling;
  /** Whether to bind an engine that enforces grammars. Default true. */
  readonly useGrammar?: boolean;
}

/** How often an engine that turned the call away for coming too soon is asked again: it says itself when it may be. */
const MOST_REFUSALS = 12;

/**
 * A Conductor that asks a language model. Each attempt has a seed of its own, mixed from the request's seed, the round and the
 * attempt's number; `plan-started` tells the first.
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

/** One call of `propose`. */
class Proposal {
  readonly #options: LlmConductorOptions;
  readonly #request: PlanRequest;
  readonly #signal: AbortSignal;
  readonly #limits: WorkflowLimits;
  readonly #sampling: Sampling;
  readonly #refusal: Refusal | null;
  readonly #grammar: string | null;
  readonly #bounds: readonly TextBound[];
  readonly #candidates: number;
  #attempts = 0;

  constructor(options: LlmConductorOptions, request: PlanRequest, signal: AbortSignal) {
    const access = options.access ?? request.access;
    this.#options = options;
    this.#request = { ...request, access };
    this.#signal = signal;
    this.#limits = limitsOf(request);
    this.#candidates = Math.max(1, request.candidates ?? 1);
    const temperature = request.planTemperature ?? (this.#candidates > 1 ? 0.8 : 0.2);
    this.#refusal = refusalOf(request, options);
    const isBound = options.engine.info.enforcesGrammar && options.useGrammar !== false && !this.#refusal;
    const form = isBound ? { ...this.#limits, access } : null;
    const bounds = form && planBounds(form, options.sampling?.maxTokens);
    this.#grammar = form && workflowGrammar(form);
    this.#bounds = bounds ? textBounds(bounds) : [];
    const maxTokens = form && bounds ? Math.max(PLAN_MAX_TOKENS, worstCaseTokens(form, bounds)) : PLAN_MAX_TOKENS;
    this.#sampling = options.sampling ?? { temperature, maxTokens };
  }

  async *events(): AsyncGenerator<PlanEvent> {
    const sees = conductorSees(this.#options.info);
    const prompt = conductorPrompt(this.#request, { ...this.#options, sees });
    yield this.#started(prompt);
    if (this.#refusal) {
      yield { type: 'plan-failed', ...this.#refusal, text: '', usage: null, cost: null };
      return;
    }
    const messages = renderPrompt(prompt, promptSources(this.#request));
    const first = yield* this.#candidates > 1 ? this.#drawCandidates(messages) : this.#ask(messages);
    if (first) yield* this.#settle(messages, first);
  }

  #started(messages: readonly PromptMessage[]): PlanEvent {
    const { info, engine, digest = sha256Hex } = this.#options;
    const { revision } = engine.info;
    const grammar = this.#grammar;
    return {
      type: 'plan-started',
      conductor: info,
      messages,
      engine: engine.info.engine,
      sampling: { ...this.#sampling, seed: this.#seed(0) },
      ...(revision === undefined ? {} : { revision }),
      ...(grammar === null ? {} : { grammar: { hash: digest(grammar), text: grammar } }),
    };
  }

  /** From the first attempt to the one end: at most one retry for what was wrong and one for an engine that failed. */
  async *#settle(messages: readonly Message[], first: Attempt): AsyncGenerator<PlanEvent> {
    let attempt = first;
    let asked = messages;
    let wasCorrected = false;
    let wasRepeated = false;
    let refusals = 0;
    for (;;) {
      const { outcome } = attempt;
      let correction: PlanCorrection | undefined;
      if (outcome.kind === 'valid') {
        yield finished(attempt, outcome);
        return;
      }
      if (outcome.kind === 'invalid' && !wasCorrected) {
        wasCorrected = true;
        correction = correctionOf(attempt.text, outcome.problem, this.#limits.maxSteps);
        asked = [...messages, ...correctionMessages(attempt.text, correction)];
      } else if (outcome.kind === 'fault' && isHeldBack(outcome.fault) && ++refusals < MOST_REFUSALS) {
        // Asked again as it was.
      } else if (outcome.kind === 'fault' && outcome.fault.retryable && attempt.text === '' && !wasRepeated) {
        wasRepeated = true;
      } else {
        yield* this.#fallBack(attempt, outcome);
        return;
      }
      yield { ...retried(attempt, outcome, 'stricter'), ...(correction ? { correction } : {}) };
      attempt = yield* this.#ask(asked);
    }
  }

  async *#fallBack(lost: Attempt, outcome: Failure): AsyncGenerator<PlanEvent> {
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
   * Draws candidates one after the other and chooses among the valid ones, or leaves that to the person.
   * @returns the chosen one, or the last if none is valid; its usage is already told. `null`: the person chooses
   */
  async *#drawCandidates(messages: readonly Message[]): AsyncGenerator<PlanEvent, Attempt | null> {
    const drawn: Attempt[] = [];
    let last: Attempt;
    do {
      last = yield* this.#ask(messages);
      yield candidateEvent(drawn.length, last);
      drawn.push(last);
    } while (drawn.length < this.#candidates && isWorthAsking(last.outcome));
    const chosen = chooseByVote(drawn.map(({ outcome }) => (outcome.kind === 'valid' ? outcome.workflow : null)));
    if (chosen !== null && this.#request.choice === 'person') return null;
    if (chosen !== null) yield { type: 'plan-chosen', candidate: chosen, by: 'vote' };
    return { ...((chosen === null ? null : drawn[chosen]) ?? last), usage: null, cost: null };
  }

  #ask(messages: readonly Message[]): AsyncGenerator<PlanEvent, Attempt> {
    const asked: GenerateRequest = {
      ...this.#sampling,
      seed: this.#seed(this.#attempts++),
      messages,
      grammar: this.#grammar,
      bounds: this.#bounds,
    };
    const announceSteps = this.#grammar !== null && this.#candidates === 1;
    const { engine, info } = this.#options;
    const attempt = { engine, charged: chargedBy(info), asked, limits: this.#limits, announceSteps };
    return attemptPlan(attempt, this.#signal);
  }

  #seed(attempt: number): number {
    return mixSeed(this.#sampling.seed ?? this.#request.seed, 'plan', this.#request.round, attempt);
  }
}

/** Why there is nothing to ask the model. */
function refusalOf(request: PlanRequest, { template = DEFAULT_TEMPLATE }: LlmConductorOptions): Refusal | null {
  const problem = templateProblem(template);
  if (problem !== null) return { fault: fault('bad-request', problem), problem: null };
  return workersOf(request).length === 0 ? noWorkers() : null;
}

type Failure = Exclude<Outcome, { kind: 'valid' }>;

/** Whether another candidate may fare better: an engine that refuses for good would refuse it as well. */
function isWorthAsking(outcome: Outcome): boolean {
  return outcome.kind !== 'fault' || outcome.fault.retryable;
}

/** Longest lost answer that is shown to the model again, in UTF-16 units: one that ignored its token limit is not. */
const MOST_SHOWN_AGAIN = 20_000;

/** What was wrong, said to the model that wrote it. */
function correctionOf(text: string, problem: PlanProblem, maxSteps: number): PlanCorrection {
  const shorter = problem.code === 'cut-off' ? ' Be much shorter: two sentences of thought and short subtasks.' : '';
  const content = `This is not a workflow that can run. ${problem.message}${shorter} Write your whole answer again: your thought in one or two sentences, then the lists model_id, subtasks and access_list with one entry for each step, at most ${maxSteps}, and nothing after them.`;
  return { shown: text.trim() !== '' && text.length <= MOST_SHOWN_AGAIN, text: content };
}

function finished(attempt: Attempt, { workflow, thought }: Extract<Outcome, { kind: 'valid' }>): PlanEvent {
  const { text, finishReason, speed } = attempt;
  const measured = speed ? { speed } : {};
  return {
    type: 'plan-finished',
    workflow,
    thought,
    text,
    source: 'conductor',
    ...billOf(attempt),
    finishReason,
    ...measured,
  };
}

type PlanRetried = Extract<PlanEvent, { type: 'plan-retried' }>;

/** What an attempt came to, as its event says it. */
function billOf({ usage, cost, billed }: Attempt): Account {
  return billed ? { usage, cost, billed } : { usage, cost };
}

function retried(attempt: Attempt, outcome: Failure, next: 'stricter' | 'fallback'): PlanRetried {
  const reason =
    outcome.kind === 'fault' ? { problem: null, fault: outcome.fault } : { problem: outcome.problem, fault: null };
  return { type: 'plan-retried', ...reason, text: attempt.text, ...billOf(attempt), next };
}

function failed(attempt: Attempt, outcome: Failure, info: ConductorInfo): PlanEvent {
  const told = { text: attempt.text, ...billOf(attempt) };
  if (outcome.kind === 'fault') return { type: 'plan-failed', problem: null, fault: outcome.fault, ...told };
  const { problem } = outcome;
  const message = `${info.label} wrote no workflow that can run. ${problem.message} Run it again, or choose another Conductor.`;
  return { type: 'plan-failed', problem, fault: fault('plan-failed', message), ...told };
}

/** A candidate lost to a fault carries the fault's sentence in its problem. */
function candidateEvent(candidate: number, { outcome, ...attempt }: Attempt): PlanEvent {
  const told = { type: 'plan-candidate', candidate, ...attempt } as const;
  switch (outcome.kind) {
    case 'valid':
      return { ...told, workflow: outcome.workflow, problem: null, thought: outcome.thought };
    case 'invalid':
      return { ...told, workflow: null, problem: outcome.problem };
    case 'fault': {
      const problem: PlanProblem = { code: 'not-found', message: outcome.fault.message, at: attempt.text.length };
      return { ...told, workflow: null, problem };
    }
    default:
      return outcome satisfies never;
  }
}
