/**
 * @file Records the calls to a judge about a run's answer as events of that run. A call that may cost money is recorded with its
 * maximum cost before it is sent. So its cost counts even if the page closes before the judge answers.
 */
import { addJudged, toFault, type Account, type JudgeCall, type Judged, type Run } from '../../contract';
import type { JudgeRoom } from '../../graders/judge';
import type { Runs } from '../../runs';
import { whenRunFree, type RunWait } from './wait-for-run';

export interface JudgeCallsOptions extends RunWait {
  readonly run: Run;
  readonly batchId: string;
  /** Digest of the judge, the task and the answer, see `judgeDigest`. `null`: there is no judge. */
  readonly sha256: string | null;
  readonly runs: Pick<Runs, 'grade' | 'open'>;
  readonly signal: AbortSignal;
  /** Reserves a call to the judge in the batch's budget. */
  readonly judgeRoom: JudgeRoom;
}

/** Maximum number of attempts to write to a run while other tabs write to it. */
const MOST_TRIES = 20;

export class JudgeCalls {
  readonly #options: JudgeCallsOptions;
  #run: Run;
  /** The usage and the cost of the last call. `null`: no call has ended, or the end of the last call is already recorded. */
  #ended: Account | null = null;
  /** Whether the last call was recorded before it was sent, and its end is not recorded yet. */
  #isPending = false;

  constructor(options: JudgeCallsOptions) {
    this.#options = options;
    this.#run = options.run;
  }

  /** The run, with the calls to the judge that this object has recorded. */
  get run(): Run {
    return this.#run;
  }

  readonly room: JudgeRoom = async (usd) => {
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
        // If the judge's answer is not read to its end, the cost of the call is unknown. Then the maximum cost counts, as in the
        // daily budget.
        const charged = account.cost === null ? { ...account, cost: usd } : account;
        caps.settle(reservation, charged, isCall);
        this.#ended = charged;
      },
    };
  };

  /**
   * Records the end of the last call with its verdict, if the end is not recorded yet. A free call without a verdict is not
   * recorded.
   * @param correct `null`: there is no verdict, so the call is recorded only for its cost
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
   * Grades the run. If another tab writes to the run, waits for that tab. Rejects as `whenRunFree` does, and with a `FaultError` if
   * the grade can't be stored.
   */
  async grade(correct: boolean | null, detail: string, judge?: JudgeCall): Promise<void> {
    const { runs, signal, run } = this.#options;
    for (let tries = 1; ; tries++) {
      try {
        await runs.grade(run.id, correct, 'grader', detail, judge);
        return;
      } catch (thrown) {
        const { code } = toFault(thrown);
        // If the run was deleted meanwhile, nothing is recorded in it. The outcome still has the verdict and the cost.
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
    await this.grade(correct, detail, judge);
    const judged: Judged = { ...judge, correct, detail };
    this.#run = { ...this.#run, judged: addJudged(this.#run.judged, judged) };
  }
}
