/**
 * @file The Web Worker that runs units of a batch. The units use only simulated and recorded workers. Each Web Worker runs one
 * list of units from the page. To pause the batch, the page terminates the Web Worker.
 */
import { createConductorFor } from '../../core/conductor/conductor-for';
import { createPolicyConductor } from '../../core/conductor/policy';
import { templateConductor } from '../../core/conductor/templates';
import { fault, FaultError, type Conductor, type ConductorInfo, type Outcome } from '../../core/contract';
import { createUnitPlayer } from '../../core/evaluation/batches/player';
import { readPlayOrder, type PlayOrder } from '../../core/evaluation/batches/orders';
import { unitsOf } from '../../core/evaluation/batches/units';
import { withPractice } from '../../core/evaluation/datasets/practice/with-practice';
import { keepingAnswers, KeptAnswers } from '../../core/evaluation/recorded/recorded-answers';
import { createRecordedWorkers } from '../../core/evaluation/recorded/recorded-worker';
import { createSimulatedWorkers } from '../../core/simulation/client';
import { serveCalls, type ServedCall } from '../../platform/serve-calls';
import { createBatchStore } from '../../platform/store/batches';
import { createDatabase } from '../../platform/store/database';
import { createDatasetStore } from '../../platform/store/datasets';
import { createRunStore } from '../../platform/store/run-store';
import { pureGraders } from './graders';

serveCalls(self, play, readPlayOrder);

async function play(
  { batchId, units: chosen, history, isRetry, checkpoint }: PlayOrder,
  { signal, report }: ServedCall<readonly Outcome[]>,
): Promise<void> {
  const database = createDatabase();
  const batches = createBatchStore(database);
  const batch = await batches.get(batchId);
  if (!batch) throw new FaultError(fault('run-missing', 'This batch no longer exists.'));
  const units = unitsOf(batch.plan);
  // When a task is read, `keepingAnswers` also keeps the task's recorded answers in memory. So the recorded
  // workers find these answers when a unit of the task runs.
  const answers = new KeptAnswers();
  const player = createUnitPlayer({
    datasets: keepingAnswers(withPractice(createDatasetStore(database)), answers),
    batches,
    store: createRunStore(database),
    graders: pureGraders(),
    conductorFor: instantConductors(checkpoint),
    workersOn: (clock) => {
      const simulated = createSimulatedWorkers({ clock, isCoarse: true });
      const recorded = createRecordedWorkers({ clock, answers });
      return ({ kind }) => (kind === 'recorded' ? recorded : simulated);
    },
    settled: createTurns(),
  });
  const wanted = chosen.flatMap((index) => units[index] ?? []);
  for await (const outcomes of player.play(batch, wanted, { history, isRetry }, signal)) report(outcomes);
}

const POLICY_LOST = fault(
  'internal',
  'Couldn’t load the trained policy. Check the connection, then retry these runs.',
  {
    retryable: true,
  },
);

/** The Conductors that need no language model. */
function instantConductors(checkpoint: unknown): (info: ConductorInfo) => Conductor {
  let conductor: Conductor | null = null;
  return createConductorFor({
    // Created when a method first needs it. So if the policy is damaged, only methods that use it fail.
    policy() {
      if (checkpoint === null) throw new FaultError(POLICY_LOST);
      return (conductor ??= createPolicyConductor(checkpoint));
    },
    template: templateConductor,
    written: () => null,
    missing: 'is no longer available',
  });
}

/**
 * Uses a message channel, because repeated timers take at least 4 ms, and much longer in a background tab.
 * @returns a function that waits for the next turn. Concurrent calls share one wait
 */
function createTurns(): () => Promise<void> {
  const { port1, port2 } = new MessageChannel();
  let resolveNext: (() => void) | null = null;
  let next: Promise<void> | null = null;
  port1.onmessage = () => {
    const resolve = resolveNext;
    next = null;
    resolve?.();
  };
  return () => {
    if (next) return next;
    next = new Promise((resolve) => (resolveNext = resolve));
    port2.postMessage(null);
    return next;
  };
}
