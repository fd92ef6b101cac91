/**
 * @file Records each call to a judge (a worker that grades) as an event of the graded run. If the call may
 * cost money, its maximum cost is recorded before the call is sent. So the cost counts even if the page
 * closes before the judge answers.
 */
import {
  addJudged,
  toFault,
  type Account,
  type GradedWith,
  type JudgeCall,
  type Judged,
  type Run,
} from '../../contract';
import type { AskRoom } from '../../contract/money/ask-worker';
import type { Runs } from '../../runs/runs';
import { whenRunFree, type RunWait } from './wait-for-run';

export interface JudgeCallsOptions extends RunWait {
  readonly run: Run;
  readonly batchId: string;
  /** Digest of the judge, the task and the answer, see `judgeDigest`. `null`: there is no judge. */
  readonly sha256: string | null;
  readonly runs: Pick<Runs, 'grade' | 'open'>;
  readonly signal: AbortSignal;
  /** Reserves a call to the judge in the batch's budget. */
  readonly judgeRoom: AskRoom;
}

/** Maximum number of attempts to write to a run that other tabs also write to. */
const MOST_TRIES = 20;

export class JudgeCalls {
  readonly #options: JudgeCallsOptions;
  #run: Run;
  /** Usage and cost of the last call, until they are recorded. `null`: nothing needs to be recorded. */
  #ended: Account | null = null;
  /** Whether the start of the last call is recorded, but not its end. */
  #isPending = false;

  constructor(options: JudgeCallsOptions) {
    this.#options = options;
    this.#run = options.run;
  }

  /** The run, including the judge calls recorded so far. */
  get run(): Run {
    return this.#run;
  }

  readonly room: AskRoom = async (usd) => {
    await this.end(null, 'The call to the judge failed and was retried.');
    const caps = await this.#options.judgeRoom(usd);
    return {
      reserve: () => caps.reserve(),
      announce: async () => {
        if (usd === 0) return;
        await this.#add({ usage: null, cost: usd }, null, 'The judge is about to be called.', true);
        this.#isPending = true;
      },
      settle: (reservation, account, isCall) => {
        // If the judge's answer was cut off, the cost of the call is unknown. Then the maximum cost counts,
        // as in the daily budget.
        const charged = account.cost === null ? { ...account, cost: usd } : account;
        caps.settle(reservation, charged, isCall);
        this.#ended = charged;
      },
    };
  };

  /**
   * Records the verdict and the cost of the last call. Does nothing if they are already recorded, or if the
   * call was free and has no verdict.
   * @param correct `null`: there is no verdict, so only the cost is recorded
   * @returns whether a call was recorded
   */
  async end(correct: boolean | null, detail: string): Promise<boolean> {
    const [ended, isPending] = [this.#ended, this.#isPending];
    [this.#ended, this.#isPending] = [null, false];
    if (!ended || !(correct !== null || ended.cost !== 0 || isPending)) return false;
    await this.#add(ended, correct, detail, false);
    return true;
  }

  /**
   * Stores the grade of the run. Waits while another tab writes to the run. Rejects with the errors of
   * `whenRunFree`, and with a `FaultError` if the grade can't be stored.
   */
  async grade(correct: boolean | null, detail: string, more?: GradedWith): Promise<void> {
    const { runs, signal, run } = this.#options;
    for (let tries = 1; ; tries++) {
      try {
        await runs.grade(run.id, correct, 'grader', detail, more);
        return;
      } catch (thrown) {
        const { code } = toFault(thrown);
        // The run was deleted meanwhile. The outcome still has the verdict and the cost.
        if (code === 'run-missing') return;
        if (code !== 'run-busy' || tries === MOST_TRIES) throw thrown;
        await whenRunFree(run.id, this.#options, signal);
      }
    }
  }

  async #add({ usage, cost, billed }: Account, correct: boolean | null, detail: string, isPending: boolean) {
    const { batchId, sha256 } = this.#options;
    if (sha256 === null) return;
    const judge: JudgeCall = {
      batchId,
      sha256,
      usage,
      cost,
      ...(billed === undefined ? {} : { billed }),
      ...(isPending ? { pending: true } : {}),
    };
    await this.grade(correct, detail, { judge });
    const judged: Judged = { ...judge, correct, detail };
    this.#run = { ...this.#run, judged: addJudged(this.#run.judged, judged) };
  }
}
