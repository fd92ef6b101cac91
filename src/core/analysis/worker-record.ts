/**
 * @file The record of a worker. It keeps three sources apart: published results of the worker's model,
 * strengths that the user declared, and graded runs in this browser.
 *
 * `WorkerRecord.expect` combines the sources into an expected success rate for a role. First, it computes
 * `prior`, the rate without graded runs:
 * - The value for the question's domain is the declared strength in this domain, or else the published
 *   ability in this domain. If neither is known, it is the mean of the known values for other domains.
 * - If a strength in the role is declared too, `prior` is the geometric mean of this strength and the value
 *   for the domain. Otherwise, `prior` is the value for the domain.
 * - If no domain has a known value, `prior` is the declared strength in the role, or else the mean of the
 *   strengths declared for other roles, or else `UNKNOWN_STRENGTH`.
 *
 * Graded runs then lead to two rates, which are means of Beta distributions:
 *
 *     overall = (right + PRIOR_RUNS · prior) / (runs + PRIOR_RUNS)
 *     near    = (right near the question + OVERALL_RUNS · overall) / (runs near the question + OVERALL_RUNS)
 *
 * `runs` is the number of the worker's graded runs in the role, and `right` is how many of these were graded
 * right. If the worker has no graded run in the role, its runs in all roles count. "Near the question" means
 * that each run is weighted by the similarity of its question to the current question. If the value for any
 * domain is known, `overall` also weights the runs: a run in the question's domain has the weight 1, and a
 * run in another domain has the weight `OTHER_DOMAIN`.
 */
import type { Domain, GradedRun, PoolWorker, PublishedRecord, QuestionEmbeddings, Role } from '../contract';
import { domainOf } from './domain';
import { workerFeatures, type WorkerFeatures } from './worker-features';

/** The prior counts as much as this many graded runs. With 12 graded runs, it makes up a quarter of the overall rate. */
export const PRIOR_RUNS = 4;
/** The rate over all questions counts as much as this many runs on the current question. */
export const OVERALL_RUNS = 2;
/** The weight of a graded run in another domain, relative to a run in the question's domain. */
export const OTHER_DOMAIN = 0.25;
/** The prior if nothing is known about a worker. */
export const UNKNOWN_STRENGTH = 0.5;

/** Counts of a worker's graded runs. */
export interface RunCount {
  readonly right: number;
  readonly runs: number;
}

/**
 * The expected success rate of a worker in a role, from 0 to 1. `prior`: without graded runs. `overall`: with all graded runs.
 * `near`: with more weight for the runs near the question.
 */
export interface Expectation {
  readonly prior: number;
  readonly overall: number;
  readonly near: number;
}

/** The prior for the question's domain (0 to 1), and its source. */
export interface DomainPrior {
  readonly by: 'declared' | 'published';
  readonly ability: number;
}

interface RecordOptions {
  /** Embeddings from a sentence model. */
  readonly embeddings?: QuestionEmbeddings | undefined;
}

/** The record of each worker, in the given order. */
export function workerRecords(
  workers: readonly PoolWorker[],
  history: readonly GradedRun[],
  question: string,
  options: RecordOptions = {},
): WorkerRecord[] {
  const measured = workerFeatures(history, workers, question, options);
  return workers.flatMap((worker, index) => {
    const features = measured[index];
    return features ? new WorkerRecord(worker, history, question, features) : [];
  });
}

export class WorkerRecord {
  readonly worker: PoolWorker;
  /**
   * Success rates from graded runs, in all roles and by role. Each rate is given twice: with equal weights,
   * and weighted by the similarity of a run's question to the current question.
   */
  readonly measured: WorkerFeatures;
  readonly #history: readonly GradedRun[];
  readonly #question: string;
  #domain: Domain | null = null;

  constructor(worker: PoolWorker, history: readonly GradedRun[], question: string, measured: WorkerFeatures) {
    this.worker = worker;
    this.measured = measured;
    this.#history = history;
    this.#question = question;
  }

  /** The published results of the worker's model, with their source. */
  get published(): PublishedRecord | null {
    return this.worker.published ?? null;
  }

  /** The strengths that the user declared. */
  get declared(): Pick<PoolWorker, 'domains' | 'strengths'> {
    const { domains, strengths } = this.worker;
    return { ...(domains ? { domains } : {}), ...(strengths ? { strengths } : {}) };
  }

  /** The domain of the question. */
  get domain(): Domain {
    return (this.#domain ??= domainOf(this.#question));
  }

  /** Whether any strength is declared or any ability is published. */
  get hasPrior(): boolean {
    return this.#knowsDomains || Object.keys(this.worker.strengths ?? {}).length > 0;
  }

  /** The prior for the question's domain, with its source. `null`: nothing is known about any domain. */
  get domainPrior(): DomainPrior | null {
    if (!this.#knowsDomains) return null;
    const { domain } = this;
    const { domains = {}, published } = this.worker;
    const declared = domains[domain];
    if (declared !== undefined) return { by: 'declared', ability: declared };
    const ability = published?.domains[domain]?.ability;
    if (ability !== undefined) return { by: 'published', ability };
    const others: Partial<Record<Domain, number>> = { ...abilitiesOf(published), ...domains };
    return { by: published ? 'published' : 'declared', ability: mean(Object.values(others)) };
  }

  /**
   * Counts the worker's graded runs in a domain. A run counts once, even if the worker had several steps in it.
   * @param role counts only runs in which the worker had this role
   */
  inDomain(domain: Domain, role?: Role): RunCount {
    let [right, runs] = [0, 0];
    for (const run of this.#history) {
      const isCounted = run.played.some((each) => each.workerId === this.worker.id && (!role || each.role === role));
      if (!isCounted || domainOfRun(run) !== domain) continue;
      runs += 1;
      if (run.right) right += 1;
    }
    return { right, runs };
  }

  /** The expected success rate of the worker in a role, by the formula at the top of this file. */
  expect(role: Role): Expectation {
    const ofDomain = this.domainPrior;
    const prior = ofDomain ? withRole(ofDomain.ability, this.worker.strengths?.[role]) : this.#roleStrength(role);
    const isInRole = this.measured.roles[role].overall.count > 0;
    const { overall: all, near } = isInRole ? this.measured.roles[role] : this.measured;
    let [right, runs] = [all.rate * all.count, all.count];
    if (ofDomain && runs > 0) {
      const own = this.inDomain(this.domain, isInRole ? role : undefined);
      right = own.right + OTHER_DOMAIN * (right - own.right);
      runs = own.runs + OTHER_DOMAIN * (runs - own.runs);
    }
    const overall = (right + PRIOR_RUNS * prior) / (runs + PRIOR_RUNS);
    return { prior, overall, near: (near.rate * near.count + OVERALL_RUNS * overall) / (near.count + OVERALL_RUNS) };
  }

  get #knowsDomains(): boolean {
    const { domains = {}, published } = this.worker;
    return Object.keys(domains).length > 0 || Object.keys(published?.domains ?? {}).length > 0;
  }

  #roleStrength(role: Role): number {
    const { strengths = {} } = this.worker;
    const declared = Object.values(strengths);
    return strengths[role] ?? (declared.length > 0 ? mean(declared) : UNKNOWN_STRENGTH);
  }
}

function abilitiesOf(published: PublishedRecord | undefined): Partial<Record<Domain, number>> {
  const entries = Object.entries(published?.domains ?? {}).map(([domain, { ability }]) => [domain, ability] as const);
  return Object.fromEntries(entries);
}

/** The geometric mean, as in simulated workers, so that a weakness in either value lowers the result. */
function withRole(ability: number, strength: number | undefined): number {
  return strength === undefined ? ability : Math.sqrt(ability * strength);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const domains = new WeakMap<GradedRun, Domain>();

function domainOfRun(run: GradedRun): Domain {
  let domain = domains.get(run);
  if (!domain) domains.set(run, (domain = domainOf(run.question)));
  return domain;
}
