/** @file Where the answers of one or several runs disagree, and the optional call to a worker that compares longer answers. */
import { isAbort, toFault, type DisagreementPart, type Fault, type PoolWorker, type Run } from '../../../core/contract';
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
import type { AnalystServices } from '../../services';

export class AnswerComparisonState {
  readonly #services: AnalystServices;
  readonly #runs: () => readonly Run[];
  #calling: AbortController | null = $state.raw(null);
  /** Why the last call failed. */
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

  constructor(services: AnalystServices, runs: () => readonly Run[]) {
    this.#services = services;
    this.#runs = runs;
  }

  /** The most that a comparison by this worker costs, in US dollars. `null`: unknown. */
  ceiling(worker: PoolWorker): number | null {
    const messages = analysisMessages(this.#runs()[0]?.question.text ?? '', this.answers, this.#revised);
    return analysisCeiling(worker, messages, judgeSampling(worker).maxTokens);
  }

  /** Lets a worker compare the answers. Its cost counts for the first run. @returns whether it succeeded */
  async compare(worker: PoolWorker): Promise<boolean> {
    const run = this.#runs()[0];
    if (!run || this.#calling) return false;
    const calling = new AbortController();
    this.#calling = calling;
    this.fault = null;
    try {
      const analyst = await this.#services.analyst();
      const given = { question: run.question.text, answers: this.answers, revised: this.#revised };
      await analyst.compare({ worker, runId: run.id, ...given }, calling.signal);
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
