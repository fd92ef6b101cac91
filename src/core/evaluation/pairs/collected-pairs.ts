/** @file Reads the pairs of answers that the user has compared from the saved runs. */
import {
  aloneWorker,
  canonicalJson,
  foldEvents,
  sha256Hex,
  spentOnAnswer,
  type Run,
  type RunStore,
} from '../../contract';
import { isConductorFirst } from '../../runs/pairs/draw';
import type { ComparedPair } from './running-verdict';

export interface CollectedPair extends ComparedPair {
  readonly runId: string;
  readonly conductorName: string;
  readonly workerName: string;
  /** Whether the worker answered as often as the cost of the run allowed. */
  readonly isEqualCost: boolean;
  /** Whether the Conductor's answer was shown first. */
  readonly isConductorFirst: boolean;
}

/** Maximum number of summaries, and of runs, that are read at once. */
const SUMMARIES = 500;
const RUNS = 20;

/** All pairs of runs that were made in this browser. Pairs of imported runs are left out, because other users compared them. */
export async function collectPairs(
  store: Pick<RunStore, 'summaries' | 'readMany'>,
  signal: AbortSignal,
): Promise<readonly CollectedPair[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page = await store.summaries({ limit: SUMMARIES, after });
    signal.throwIfAborted();
    ids.push(...page.summaries.flatMap(({ id, pair, imported }) => (pair && !imported ? [id] : [])));
    after = page.next;
  } while (after !== null);
  const pairs: CollectedPair[] = [];
  for (let from = 0; from < ids.length; from += RUNS) {
    const read = await store.readMany(ids.slice(from, from + RUNS));
    signal.throwIfAborted();
    pairs.push(...read.flatMap((events) => pairOf(foldEvents(events)) ?? []));
  }
  return pairs;
}

/** The pair of a run. `null`: the run has no pair with two answers and a vote. */
function pairOf(run: Run | null): CollectedPair | null {
  const second = run?.aloneAnswer;
  if (!run?.vote || run.answer === null || !second || second.output === null || run.importedAt !== null) return null;
  const { usd, unpriced } = spentOnAnswer(run);
  return {
    ...run.vote,
    series: seriesOf(run),
    conductor: { length: run.answer.length, usd: unpriced > 0 ? null : usd },
    alone: { length: second.output.length, usd: second.cost },
    runId: run.id,
    conductorName: run.conductor.label,
    workerName: aloneWorker(run)?.name ?? 'Removed worker',
    isEqualCost: run.alone?.equalCost === true,
    isConductorFirst: isConductorFirst(run.seed, run.question.text),
  };
}

/** The same for all runs with the same Conductor, the same prompt for it, and the same worker alone. */
function seriesOf(run: Run): string {
  const { id, model = null } = run.conductor;
  const worker = aloneWorker(run);
  const policy = run.rounds[0]?.plan?.policy?.revision ?? null;
  const alone = worker && [
    worker.id,
    worker.model,
    worker.system ?? null,
    worker.sampling ?? null,
    worker.thinks ?? null,
    ...(run.alone?.equalCost ? ['equal cost'] : []),
  ];
  return sha256Hex(canonicalJson([id, model, policy, run.prompt ?? null, alone])).slice(0, 12);
}
