/**
 * @file Checks whether a saved run can continue with the current setup. If a worker or the Conductor has
 * changed since the run, the user must agree first. The user must also agree before a run from a file calls
 * anything outside this page.
 */
import { abortError, fault, type Conductor, type Run } from '../contract';
import {
  checkContinuation,
  conductorOf,
  questionFor,
  type ContinueQuestion,
  type CurrentSetup,
  type StillCalled,
} from './continuation';
import { refuse } from './run-faults';
import type { RunsDependencies } from './runs';

/** The setup and the Conductor with which a run continues, and the question to ask the user first, if any. */
export interface Agreed {
  readonly setup: CurrentSetup;
  readonly question: ContinueQuestion | null;
  readonly conductor: Conductor;
}

const CHANGED_MEANWHILE = fault(
  'run-busy',
  'This run or your workers changed before the run could continue. Try again.',
  {
    retryable: true,
  },
);

export class Agreements {
  readonly #dependencies: Pick<RunsDependencies, 'current' | 'confirm' | 'conductorFor' | 'substitute'>;

  constructor(dependencies: Pick<RunsDependencies, 'current' | 'confirm' | 'conductorFor' | 'substitute'>) {
    this.#dependencies = dependencies;
  }

  /**
   * Checks that a run may continue with the current setup. If `questionFor` returns a question, the user must
   * answer it first. Throws an `AbortError` if the user declines or cannot be asked. Throws a `FaultError` if
   * the run cannot continue. This fault is retryable if the question changed while the user was answering.
   */
  async ask(run: Run, called: StillCalled): Promise<Agreed> {
    const before = await this.consider(run, called);
    if (!before.question) return before;
    if (!(await this.#dependencies.confirm?.(before.question))) throw abortError();
    const now = await this.consider(run, called);
    checkUnchanged(before, now);
    return now;
  }

  /**
   * The current setup, the Conductor, and the question that the user would have to answer. Does not ask the user. Throws a
   * `FaultError` if the run cannot continue with the current setup.
   */
  async consider(run: Run, called: StillCalled): Promise<Agreed> {
    const setup = await this.#dependencies.current();
    const conductor = conductorOf(run, called, this.#dependencies);
    refuse(checkContinuation(run, setup, conductor.info, called));
    const isSubstitute = conductor === this.#dependencies.substitute;
    return { setup, conductor, question: questionFor(run, setup, conductor.info, called, isSubstitute) };
  }
}

/** Throws a retryable `FaultError` if the question to the user has changed since the user agreed. */
export function checkUnchanged(agreed: Agreed, now: Agreed): void {
  if (JSON.stringify(now.question) !== JSON.stringify(agreed.question)) refuse(CHANGED_MEANWHILE);
}
