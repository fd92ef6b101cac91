/**
 * @file Where the answers of one or several runs disagree. Programs can be compared by the tests of their task, and other longer
 * answers by an optional call to a worker.
 */
import {
  isAbort,
  toFault,
  type DisagreementPart,
  type EvaluationTask,
  type Fault,
  type PoolWorker,
  type Run,
} from '../../../core/contract';
import { analysisCeiling, analysisMessages } from '../../../core/graders/answer-analysis';
import { judgeSampling } from '../../../core/graders/ask-judge';
import {
  answersDigest,
  changesOfMind,
  disagreementOf,
  independentAnswers,
  revisedAnswers,
  type Disagreement,
  type GivenAnswer,
} from '../../../core/graders/disagreement';
import { comparisonIn, disagreementParts } from '../../../core/graders/disagreement-words';
import type { AnswerAnalyst, TestedComparisonRequest } from '../../../core/runs/compare-answers';
import type { AnalystServices } from '../../services';

export class AnswerComparisonState {
  readonly #services: AnalystServices;
  readonly #runs: () => readonly Run[];
  #calling: AbortController | null = $state.raw(null);
  #task: EvaluationTask | null = $state.raw(null);
  /** Why the last comparison failed. */
  fault: Fault | null = $state.raw(null);

  /** The compared answers: of one run, its independent answers. Of several runs, their answers. */
  readonly answers: readonly GivenAnswer[] = $derived.by(() => {
    const [first, ...others] = this.#runs();
    if (!first) return [];
    return others.length === 0 ? independentAnswers(first) : answersOfRuns([first, ...others]);
  });
  readonly #revised: readonly GivenAnswer[] = $derived.by(() => {
    const [only, ...others] = this.#runs();
    return only && others.length === 0 ? revisedAnswers(only) : [];
  });
  readonly disagreement: Disagreement = $derived.by(() => {
    const [only, ...others] = this.#runs();
    return disagreementOf(this.answers, only && others.length === 0 ? changesOfMind(only) : []);
  });
  /** The newest comparison of these answers that a worker has written. */
  readonly comparison = $derived.by(() => {
    const question = this.#runs()[0]?.question.text ?? '';
    return comparisonIn(this.#runs(), answersDigest(question, this.answers));
  });
  readonly parts: readonly DisagreementPart[] = $derived.by(() =>
    disagreementParts(this.disagreement, this.comparison),
  );
  readonly isCalling: boolean = $derived.by(() => this.#calling !== null);
  /** Whether tests can compare the answers. */
  readonly hasTests: boolean = $derived.by(() => this.#task !== null);

  constructor(services: AnalystServices, runs: () => readonly Run[]) {
    this.#services = services;
    this.#runs = runs;
  }

  /** The most that a comparison by this worker costs, in US dollars. `null`: unknown. */
  ceiling(worker: PoolWorker): number | null {
    const messages = analysisMessages(this.#runs()[0]?.question.text ?? '', this.answers, this.#revised);
    return analysisCeiling(worker, messages, judgeSampling(worker).maxTokens);
  }

  /** Looks for tests of the runs' task. Without them, or if storage fails, only a worker can compare longer answers. */
  async findTests(): Promise<void> {
    const batch = this.#runs().find((run) => run.batch !== null)?.batch;
    if (!batch || this.disagreement.uncompared.length === 0) return;
    try {
      this.#task = await (await this.#services.analyst()).testedTask(batch);
    } catch {
      this.#task = null;
    }
  }

  /** Lets a worker compare the answers. Its cost counts for the first run. @returns whether it succeeded */
  compare(worker: PoolWorker): Promise<boolean> {
    return this.#record((analyst, given, signal) =>
      analyst.compare({ worker, ...given, revised: this.#revised }, signal),
    );
  }

  /** Compares programs by the tests of their task. @returns whether it succeeded */
  async compareByTests(): Promise<boolean> {
    const task = this.#task;
    if (!task) return false;
    return this.#record((analyst, given, signal) => analyst.compareByTests({ task, ...given }, signal));
  }

  /** Makes a comparison, which the first run records. */
  async #record(
    make: (
      analyst: AnswerAnalyst,
      given: Pick<TestedComparisonRequest, 'runId' | 'question' | 'answers'>,
      signal: AbortSignal,
    ) => Promise<Run>,
  ): Promise<boolean> {
    const run = this.#runs()[0];
    if (!run || this.#calling) return false;
    const calling = new AbortController();
    this.#calling = calling;
    this.fault = null;
    try {
      const given = { runId: run.id, question: run.question.text, answers: this.answers };
      await make(await this.#services.analyst(), given, calling.signal);
      return true;
    } catch (thrown) {
      if (!isAbort(thrown)) this.fault = toFault(thrown);
      return false;
    } finally {
      this.#calling = null;
    }
  }

  stop(): void {
    this.#calling?.abort();
  }

  /** What is shown, as JSON. */
  json(): string {
    const { answers, disagreement, comparison } = this;
    const analysis = comparison && { by: comparison.by, ...comparison.analysis };
    return JSON.stringify({ answers, ...disagreement, analysis }, null, 2);
  }
}

/** The names do not depend on the order in which the page shows the runs, so that a stored comparison stays readable. */
function answersOfRuns(runs: readonly Run[]): readonly GivenAnswer[] {
  const byAge = runs.toSorted((one, other) => one.startedAt - other.startedAt);
  return runs.flatMap((run) => {
    const { label } = run.conductor;
    const alike = byAge.filter(({ conductor }) => conductor.label === label);
    const by = alike.length > 1 ? `${label} (run ${alike.indexOf(run) + 1})` : label;
    return run.answer === null ? [] : [{ by, text: run.answer }];
  });
}
