/** @file Generates random runs for the benchmark of the Analyze page. Each run has five steps. */
import {
  DOMAINS,
  ROLES,
  SHAPES,
  seededRandom,
  type IndexedRun,
  type IndexedStep,
  type RunSummary,
} from '../../../src/core/contract';

const STEPS = 5;
const BEGAN = 1_760_000_000_000;

export function madeRuns(count: number): IndexedRun[] {
  const random = seededRandom(1);
  const pick = <Value>(values: readonly [Value, ...Value[]] | readonly Value[], fallback: Value): Value =>
    values[Math.floor(random() * values.length)] ?? fallback;
  const stepAt = (step: number): IndexedStep => {
    const worker = Math.floor(random() * 9);
    return {
      round: 0,
      step,
      workerId: `bench:${worker}`,
      worker: `Worker ${worker}`,
      provider: `provider-${worker % 4}.example`,
      role: pick(ROLES, 'solve'),
      outcome: random() < 0.95 ? 'finished' : 'failed',
      retries: 0,
      tokens: 1000,
      usd: random() / 100,
      unpriced: 0,
      time: random() * 9000,
      latency: random() * 900,
    };
  };
  return Array.from({ length: count }, (_, index): IndexedRun => {
    const steps = Array.from({ length: STEPS }, (_, step) => stepAt(step));
    const summary: RunSummary = {
      id: `run-${index}`,
      // Every fiftieth run starts at a random earlier time, like an imported run. So the plots must sort the runs.
      startedAt: BEGAN + (index % 50 === 0 ? Math.floor(random() * index) : index) * 60_000,
      question: '',
      conductor: `Conductor ${index % 12}`,
      workers: [],
      status: 'finished',
      rounds: random() < 0.2 ? 2 : 1,
      steps: STEPS,
      time: 9000,
      tokens: 5000,
      usd: random() / 20,
      unpriced: 0,
      correct: index % 3 === 0 ? null : random() < 0.6,
      simulated: false,
      glyph: [],
      labels: [],
      lastSeq: 40,
      isValid: random() < 0.9,
    };
    return {
      summary,
      conductorKind: index % 4 === 0 ? 'template' : 'endpoint',
      domain: pick(DOMAINS, 'maths'),
      shape: pick(SHAPES, 'other'),
      grammar: random() < 0.5,
      planUsd: 0.001,
      laterUsd: 0,
      judgeUsd: 0,
      judgeUnpriced: 0,
      parentId: null,
      dataset: null,
      method: null,
      gradedBy: null,
      steps,
    };
  });
}
