import { describe, expect, test } from 'vitest';
import { fitRouter } from '../../../../src/core/conductor/routers/fitted';
import { knownOutcomes } from '../../../../src/core/conductor/routers/known-outcomes';
import { chanceOf, fitLogistic, lossOf } from '../../../../src/core/conductor/routers/logistic';
import { fitNeighbours } from '../../../../src/core/conductor/routers/neighbours';
import { fittedRouter, nearestNeighbours } from '../../../../src/core/conductor/templates/learned';
import { seededRandom, type GradedRun } from '../../../../src/core/contract';
import { ending, pool, proposed, request } from '../requests';

const WORKERS = ['alder', 'birch'];
const sum = (index: number) => `Add the numbers ${index} and ${index + 7}.`;
const river = (index: number) =>
  `Which river flows through the town ${'abcdefgh'[index % 8]}ber, and where does it end?`;

/** On sums, alder is right in about nine of ten cases, and birch in three. On rivers, it is the other way round. */
function history(questions: number): GradedRun[] {
  const random = seededRandom(3);
  return Array.from({ length: questions }, (_, index) =>
    WORKERS.map((workerId): GradedRun => {
      const isSum = index % 2 === 0;
      const right = random() < ((workerId === 'alder') === isSum ? 0.9 : 0.3);
      const question = `${isSum ? sum(index) : river(index)} (${index})`;
      const played = [{ workerId, role: 'solve' as const }];
      return { runId: `${index}-${workerId}`, startedAt: 0, question, right, played };
    }),
  ).flat();
}

test('known outcomes join repeats of a question, keep groups together, and leave out runs with several workers', () => {
  const [first, second, ...others] = history(40);
  if (!first || !second) throw new Error('There are no runs.');
  const wrong = { ...first, right: !first.right };
  const team = { ...second, played: [...second.played, { workerId: 'alder', role: 'verify' as const }] };
  const known = knownOutcomes([first, wrong, team], WORKERS);
  expect(known.questions.map(({ right }) => right)).toEqual([[0.5, undefined]]);
  expect(known.overall).toEqual([0.5, 0.5]);

  const grouped = others.map((run, index) => ({ ...run, group: `${index % 7}` }));
  const foldOf = new Map<string, number>();
  for (const [index, run] of grouped.entries()) {
    const [question] = knownOutcomes([run], WORKERS).questions;
    const key = `${index % 7}`;
    expect(question?.fold).toBe(foldOf.get(key) ?? question?.fold);
    foldOf.set(key, question?.fold ?? -1);
  }
  expect(new Set(foldOf.values()).size).toBeGreaterThan(1);
});

test('the number of neighbours is small if kinds of questions differ, and large if only chance decides', () => {
  const known = knownOutcomes(history(400), WORKERS);
  const neighbours = fitNeighbours(known);
  const [onSum = [], onRiver = []] = [sum(5_001), river(5)].map((question) => neighbours.predict(question));
  expect(onSum[0]).toBeGreaterThan(0.75);
  expect(onSum[1]).toBeLessThan(0.45);
  expect(onRiver[0]).toBeLessThan(0.45);
  expect(onRiver[1]).toBeGreaterThan(0.75);
  const chance = knownOutcomes(
    history(400).map((run, index) => ({ ...run, right: seededRandom(index)() < 0.5 })),
    WORKERS,
  );
  expect(fitNeighbours(chance).size).toBe(160);
});

test('a logistic regression finds the odds that made its examples, and a stronger penalty smaller weights', () => {
  const random = seededRandom(5);
  const inputs = Float32Array.from({ length: 4_000 }, () => 2 * random() - 1);
  const right = Float32Array.from({ length: 2_000 }, (_, index) => {
    const odds = 0.5 + 2 * (inputs[2 * index] ?? 0) - (inputs[2 * index + 1] ?? 0);
    return random() < 1 / (1 + Math.exp(-odds)) ? 1 : 0;
  });
  const weights = fitLogistic({ inputs, right }, 0.0001);
  for (const [at, odds] of [2, -1, 0.5].entries()) expect(Math.abs((weights[at] ?? 0) - odds)).toBeLessThan(0.3);
  const strong = fitLogistic({ inputs, right }, 0.3);
  expect(Math.hypot(strong[0] ?? 0, strong[1] ?? 0)).toBeLessThan(Math.hypot(weights[0] ?? 0, weights[1] ?? 0));
  expect(lossOf(weights, { inputs, right })).toBeLessThan(lossOf(strong, { inputs, right }));
  expect(fitLogistic({ inputs, right }, 0.0001)).toEqual(weights);
  expect(chanceOf(weights, new Float32Array([1, -1]))).toBeGreaterThan(0.9);
});

test('the fitted router predicts the chance of each worker, and of a worker without outcomes the prior', () => {
  const router = fitRouter(knownOutcomes(history(100), [...WORKERS, 'cedar']));
  const chances = router.predict(sum(5_001));
  expect(chances[0]).toBeGreaterThan(0.7);
  expect(chances[1]).toBeLessThan(0.5);
  expect(chances[2]).toBe(0.5);
  const again = fitRouter(knownOutcomes(history(100), [...WORKERS, 'cedar']));
  expect(again.predict(sum(5_001))).toEqual(chances);
});

test('one known question is enough to fit', () => {
  const known = knownOutcomes(history(1), WORKERS);
  for (const router of [fitRouter(known), fitNeighbours(known)]) {
    for (const chance of router.predict(sum(1))) expect(chance).toBeLessThan(1);
  }
});

describe.each([nearestNeighbours, fittedRouter].map((each) => [each.info.id, each.create()] as const))(
  '%s',
  (_, conductor) => {
    const planned = async (question: string, known: readonly GradedRun[]) => {
      const events = await proposed(conductor, request({ pool: pool(2), question, history: known }));
      return ending(events, 'plan-finished');
    };

    test('calls the worker that is right on such questions', async () => {
      const known = history(100);
      const { workflow, thought, choices } = await planned(sum(5_001), known);
      expect(workflow.steps.map(({ worker, role }) => [worker, role])).toEqual([[0, 'solve']]);
      expect(thought).toMatch(/^Alder is expected to be right with \d\d %, the most of all workers\.$/);
      expect(choices?.[0]).toMatchObject({ basis: 'history' });
      expect((await planned(river(5), known)).workflow.steps[0]?.worker).toBe(1);
    });

    test('says that it knows nothing without outcomes of single workers', async () => {
      const { thought, choices } = await planned(sum(1), []);
      expect(thought).toContain('because no outcomes of single workers are known');
      expect(choices?.[0]).toMatchObject({ basis: 'order' });
    });
  },
);
