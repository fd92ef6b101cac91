/**
 * @file Tests that `QuestionSimulator`, which training uses, gives the same outputs as a run by the
 * executor.
 */
import { describe, expect, it } from 'vitest';
import { createByHandConductor } from '../../../../src/core/conductor/by-hand';
import { wordSkeleton } from '../../../../src/core/conductor/policy';
import { SUBTASK } from '../../../../src/core/conductor/wording';
import { foldEvents, mixSeed, randomIndex, seededRandom, type Random, type Step } from '../../../../src/core/contract';
import { execute } from '../../../../src/core/executor/execute';
import { createSimulatedWorkers } from '../../../../src/core/simulation/client';
import { readPuzzle } from '../../../../src/core/tasks';
import { drawPool, drawPopulation, type TrainingWorker } from '../../../../src/core/training/environment/population';
import { QuestionSimulator, type SimulatedStep } from '../../../../src/core/training/environment/question-simulator';
import { fillAtRandom, SHAPES } from '../../../../src/core/training/environment/workflow-shapes';
import { FakeClock } from '../../../fixtures/fake-clock';
import { MemoryStore } from '../../../fixtures/memory-store';
import { runStarted } from '../../../fixtures/run-events';
import { drawQuestion } from '../../../../src/core/training/environment/history';

const population = drawPopulation(3, 20);
const WORDINGS = Object.values(SUBTASK);

/** A random workflow, sensible or not. */
function drawSteps(size: number, random: Random): Step[] {
  return Array.from({ length: 1 + randomIndex(random, 5) }, (_, index) => ({
    worker: randomIndex(random, size),
    subtask: WORDINGS[randomIndex(random, WORDINGS.length)] ?? SUBTASK.solve,
    access: [...Array(index).keys()].filter(() => random() < 0.6),
  }));
}

async function executed(
  question: string,
  pool: readonly TrainingWorker[],
  steps: readonly Step[],
  seed: number,
  skipSettled: boolean,
) {
  const clock = new FakeClock('auto');
  const profiles = pool.map(({ profile }) => profile);
  const client = createSimulatedWorkers({ clock, profiles });
  const conductor = createByHandConductor({ steps });
  const {
    type: _type,
    schema: _schema,
    ...start
  } = runStarted({
    question: { text: question },
    pool: pool.map(({ poolWorker }) => poolWorker),
    conductor: conductor.info,
    seed,
    ...(skipSettled ? { effort: 'balanced', skipSettled: true } : {}),
  });
  const dependencies = { conductor, workers: () => client, journal: new MemoryStore(), clock, digest: () => '' };
  const request = { runId: `run-${seed}`, start, access: 'fine' as const };
  const events = [];
  for await (const event of execute(request, dependencies, new AbortController().signal)) events.push(event);
  return foldEvents(events)?.rounds[0]?.steps;
}

/** The steps with their workers, which have no habits, because the workers of the executor have none. */
function simulated(steps: readonly Step[], pool: readonly TrainingWorker[]): SimulatedStep[] {
  return steps.map((step) => {
    const profile = pool[step.worker]?.profile;
    if (!profile) throw new RangeError('There is no such worker.');
    return { ...step, profile };
  });
}

describe('QuestionSimulator', () => {
  it('gives the same outputs and verdict as the executor for random workflows', async () => {
    for (let index = 0; index < 60; index++) {
      const random = seededRandom(mixSeed('equal', index));
      const question = drawQuestion('train', 5, index).text;
      const simulator = new QuestionSimulator(question, index);
      // Two workflows share one simulator, so that the second can reuse cached steps of the first.
      for (let draw = 0; draw < 2; draw++) {
        const pool = drawPool(population.slice(0, 3), 3, random);
        const steps = drawSteps(pool.length, random);
        const played = simulator.run(simulated(steps, pool));
        const real = (await executed(question, pool, steps, index, false))?.map(({ output }) => output);
        expect(played.outputs).toEqual(real);
        expect(played.correct).toBe(readPuzzle(question)?.check(real?.at(-1) ?? '').correct);
      }
    }
  });

  it('skips the same settled steps as the executor', async () => {
    let skipped = 0;
    for (let index = 0; index < 60; index++) {
      const random = seededRandom(mixSeed('settled', index));
      const question = drawQuestion('train', 6, index).text;
      const pool = drawPool(population, 3, random);
      const shape = SHAPES[3 + randomIndex(random, SHAPES.length - 3)] ?? [];
      const steps = wordSkeleton(fillAtRandom(shape, pool.length, random), [...pool.keys()]);
      const played = new QuestionSimulator(question, index).run(simulated(steps, pool), 0, 'skipped');
      const real = await executed(question, pool, steps, index, true);
      expect(played.outputs).toEqual(real?.map(({ output }) => output));
      const reasons = real?.map(({ settled }) => (settled ? { from: settled.from, evidence: settled.evidence } : null));
      expect(played.settled).toEqual(reasons);
      skipped += played.settled.filter((each) => each !== null).length;
    }
    expect(skipped).toBeGreaterThan(10);
  });

  it('computes the same step only once', () => {
    const simulator = new QuestionSimulator(drawQuestion('train', 1, 1).text, 1);
    const [worker] = population;
    if (!worker) throw new Error('The population is empty.');
    const steps = [
      { ...worker, worker: 0, subtask: SUBTASK.solve, access: [] },
      { ...worker, worker: 0, subtask: SUBTASK.verify, access: [0] },
    ];
    const first = simulator.run(steps);
    expect(simulator.computedSteps).toBe(2);
    expect(simulator.run(steps)).toEqual(first);
    expect(simulator.computedSteps).toBe(2);
  });

  it('rejects a question that is not a puzzle', () => {
    expect(() => new QuestionSimulator('Who are you?', 1)).toThrow(RangeError);
  });
});
