import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  estimateTokens,
  renderPrompt,
  workerPrompt,
  worstInput,
  type ConductorInfo,
  type PoolWorker,
} from '../../../src/core/contract';
import { conductorPrompt, promptSources } from '../../../src/core/conductor/prompt';
import { priceRange, type RangeRequest } from '../../../src/core/runs/price-range';
import { poolWorker, step } from '../../fixtures/run-events';

const builtIn: ConductorInfo = { id: 'heuristic', label: 'Built in', kind: 'heuristic' };
const paid = (index: number, input: number, output: number, more: Partial<PoolWorker> = {}) =>
  poolWorker(index, { kind: 'endpoint', origin: 'https://a.example', price: { input, output }, ...more });
const charging: ConductorInfo = {
  ...builtIn,
  kind: 'endpoint',
  origin: 'https://a.example',
  price: { input: 5, output: 5 },
};
const cheap = paid(0, 1, 2);
const expensive = paid(1, 10, 20);

function request(more: Partial<RangeRequest> = {}): RangeRequest {
  const planned = { steps: [step(0, 'Solve'), step(1, 'Check', [0])] };
  const most = {
    images: 0,
    isPlanned: false,
    earlier: 0,
    follows: false,
    planRetries: 1,
    maxSteps: 5,
    rounds: 1,
    candidates: 1,
    calls: 16,
    maxTokens: 1000,
  };
  return { questionTokens: 1, conductor: builtIn, pool: [cheap, expensive], planned, ...most, ...more };
}

describe('the price range of a run', () => {
  test('for a known workflow, is above 0, covers the longest answers and falls with fewer steps', () => {
    const range = priceRange(request());
    expect(range?.low).toBeGreaterThan(0);
    expect(range?.high).toBeGreaterThan((1000 * 2 + 1000 * 20) / 1e6);
    const cheaper = priceRange(request({ planned: { steps: [step(0, 'Solve')] } }));
    expect(cheaper?.high).toBeLessThan(range?.high ?? 0);
    expect(cheaper?.low).toBeLessThan(range?.low ?? 0);
  });

  test('of a run that skips settled steps, begins with the steps before the first check settles the answer', () => {
    const first = [step(0, 'Solve'), { ...step(1, 'Check', [0]), role: 'verify' as const }];
    const repair = { ...step(1, 'Correct it', [0, 1]), role: 'refine' as const };
    const whole = { steps: [...first, repair, step(0, 'Translate it', [2])] };
    const range = priceRange(request({ planned: whole, skips: true }));
    expect(range?.low).toBe(priceRange(request({ planned: { steps: first } }))?.low);
    expect(range?.high).toBe(priceRange(request({ planned: whole }))?.high);
    expect(range?.low).toBeLessThan(priceRange(request({ planned: whole }))?.low ?? 0);
    const agreed = { ...step(1, 'Decide', [0]), agreement: { among: [0], rule: 'all' as const } };
    expect(priceRange(request({ planned: { steps: [step(0, 'Solve'), agreed] }, skips: true }))?.low).toBe(
      priceRange(request({ planned: { steps: [step(0, 'Solve')] } }))?.low,
    );
  });

  test('for an unknown workflow, goes from one cheap step to the maximum number of expensive steps', () => {
    const range = priceRange(request({ planned: null }));
    // A subtask that is not written yet counts as 60 tokens.
    const one = priceRange(request({ planned: { steps: [step(0, 'x'.repeat(240))] } }));
    expect(range?.low).toBeCloseTo(one?.low ?? 0, 12);
    expect(range?.high).toBeGreaterThan((5 * 1000 * 20) / 1e6);
    expect(priceRange(request({ planned: null, calls: 1 }))?.high).toBeLessThan(range?.high ?? 0);
    expect(priceRange(request({ planned: null, rounds: 2 }))?.high).toBeCloseTo(2 * (range?.high ?? 0), 9);
  });

  test('uses a worker’s own output limit, for its answer and for the steps that see that answer', () => {
    const short = priceRange(request())?.high ?? 0;
    const long = { ...cheap, sampling: { maxTokens: 9000 } };
    const answer = (8000 * 2) / 1e6;
    const seen = (8000 * 2 * 10) / 1e6;
    expect(priceRange(request({ pool: [long, expensive] }))?.high).toBeCloseTo(short + answer + seen, 9);
  });

  test('counts what a remote Conductor charges for the plan', () => {
    const conductor: ConductorInfo = {
      ...builtIn,
      kind: 'endpoint',
      origin: 'https://a.example',
      price: { input: 5, output: 5 },
    };
    const without = priceRange(request());
    const range = priceRange(request({ conductor }));
    expect(range?.low).toBeGreaterThan(without?.low ?? 0);
    expect(range?.high).toBeGreaterThan(without?.high ?? 0);
    expect(priceRange(request({ conductor: { ...conductor, price: null } }))).toBeNull();
  });

  test('is null if a worker that may be called is unpriced, and 0 if all workers are free', () => {
    const unknown = paid(0, 1, 1, { price: null });
    expect(priceRange(request({ pool: [unknown, expensive] }))).toBeNull();
    expect(priceRange(request({ pool: [unknown, expensive], planned: { steps: [step(1, 'Solve')] } }))).not.toBeNull();
    expect(priceRange(request({ pool: [unknown, expensive], planned: null }))).toBeNull();
    expect(priceRange(request({ pool: [poolWorker(0), poolWorker(1)] }))).toEqual({ low: 0, high: 0 });
  });

  test('has an upper end that covers the worst case of a workflow with one step', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 400 }),
        fc.string({ maxLength: 200 }),
        fc.nat(4000),
        (question, subtask, maxTokens) => {
          const range = priceRange(
            request({ questionTokens: estimateTokens(question), maxTokens, planned: { steps: [step(1, subtask)] } }),
          );
          const prompt = worstInput([{ role: 'user', content: question + subtask }]);
          expect(range?.high).toBeGreaterThanOrEqual((prompt * 10 + maxTokens * 20) / 1e6);
          expect(range?.low).toBeLessThanOrEqual(range?.high ?? 0);
        },
      ),
    );
  });

  test('counts the question’s images for each worker and Conductor that can see images', () => {
    const seeing = paid(0, 1, 2, { canSee: true });
    const pool = [seeing, expensive];
    const planned = { steps: [step(0, 'Look'), step(1, 'Solve', [0])] };
    const cost = (images: number) => priceRange(request({ pool, planned, images }));
    expect((cost(2)?.high ?? 0) - (cost(0)?.high ?? 0)).toBeCloseTo((2 * 2 * 1600 * 1) / 1e6, 12);
    expect((cost(2)?.low ?? 0) - (cost(0)?.low ?? 0)).toBeCloseTo((2 * 1600 * 1) / 1e6, 12);
    const open = (images: number) => priceRange(request({ pool: [seeing], planned: null, images }))?.high ?? 0;
    expect(open(1)).toBeGreaterThan(open(0));
    const conductor = { ...charging, canSee: true };
    const plan = (images: number) => priceRange(request({ conductor, images, planned }))?.high ?? 0;
    expect(plan(1)).toBeGreaterThanOrEqual(plan(0) + (2 * 1600 * 5) / 1e6);
  });

  test('counts the earlier results in the prompts of later plans, even if the first plan is already written', () => {
    const conductor = charging;
    const handing = { steps: [step(0, 'Solve'), step(2, 'Go on')] };
    const pool = [cheap, expensive, poolWorker(2, { kind: 'conductor' })];
    const cost = (rounds: number, isPlanned = false) =>
      priceRange(request({ pool, conductor, planned: handing, rounds, isPlanned }))?.high ?? 0;
    const grows = [2, 3, 4].map((rounds) => cost(rounds) - cost(rounds - 1));
    expect(grows[1]).toBeGreaterThan(grows[0] ?? 0);
    expect(grows[2]).toBeGreaterThan(grows[1] ?? 0);
    expect(cost(2, true)).toBeGreaterThan(cost(1, true));
    expect(cost(2, true)).toBeLessThan(cost(2));
  });

  test('has an upper end that covers planning with the longest plan and one correction in each round', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 300 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 50, max: 2000 }),
        (question, rounds, maxSteps, maxTokens) => {
          const pool = [cheap, expensive, poolWorker(2, { kind: 'conductor' })];
          const subtask = 'x'.repeat(600);
          const workflow = { steps: Array.from({ length: maxSteps }, () => step(0, subtask)) };
          const outputs = workflow.steps.map(() => 'y'.repeat(4 * maxTokens));
          let usd = 0;
          for (let round = 0; round < rounds; round++) {
            const earlier = Array.from({ length: round }, () => ({ workflow, outputs, answer: outputs[0] ?? '' }));
            const requested = {
              question,
              pool,
              maxSteps,
              effort: 'thorough' as const,
              access: 'fine' as const,
              recursion: true,
              round,
              earlier,
              seed: 1,
              candidates: 1,
              choice: 'vote' as const,
              planRetries: 1,
            };
            const prompt = renderPrompt(conductorPrompt(requested), promptSources(requested));
            const again = [...prompt, { role: 'assistant' as const, content: 'z'.repeat(4 * 1024) }];
            usd += ((worstInput(prompt) + worstInput(again) + 2 * 1024) * 5) / 1e6;
          }
          const most = { pool, maxSteps, rounds, maxTokens, planned: null };
          const plans =
            (priceRange(request({ ...most, conductor: charging }))?.high ?? 0) - (priceRange(request(most))?.high ?? 0);
          expect(plans).toBeGreaterThanOrEqual(usd);
        },
      ),
      { numRuns: 50 },
    );
  });

  test('has an upper end that covers all prompts of two rounds if the second round sees the first', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 300 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 50, max: 2000 }),
        fc.boolean(),
        (question, maxSteps, maxTokens, isPlanned) => {
          const pool = [paid(0, 10, 0)];
          // All subtasks together are as long as a plan may be: 1,024 tokens of four characters each.
          const subtask = 'x'.repeat(Math.floor((4 * 1024) / maxSteps));
          const steps = Array.from({ length: maxSteps }, (_, index) => ({
            ...step(0, subtask, [...Array(index).keys()]),
            seesEarlier: true,
          }));
          const output = 'y'.repeat(4 * maxTokens);
          const outputs = steps.map(() => output);
          const sources = { question, subtask: () => subtask, output: () => output };
          const sent = (round: number) =>
            steps.reduce((sum, each, index) => {
              const shown = round === 0 ? { ...each, seesEarlier: false } : each;
              const workflow = { steps: steps.with(index, shown) };
              const prompt = workerPrompt(workflow, round, index, undefined, round === 0 ? [] : [{ outputs }]);
              return sum + (worstInput(renderPrompt(prompt, sources)) * 10) / 1e6;
            }, 0);
          const first = { steps: steps.map((each) => ({ ...each, seesEarlier: false })) };
          const before = request({
            questionTokens: estimateTokens(question),
            pool,
            maxSteps,
            maxTokens,
            rounds: 2,
            follows: true,
          });
          expect(priceRange({ ...before, planned: isPlanned ? first : null })?.high).toBeGreaterThanOrEqual(
            sent(0) + sent(1),
          );
          const waiting = { ...before, rounds: 1, follows: false, earlier: 1, isPlanned: true, planned: { steps } };
          expect(priceRange(waiting)?.high, 'the plan of the second round waits for approval').toBeGreaterThanOrEqual(
            sent(1),
          );
        },
      ),
    );
  });
});

describe('the lower end of the price range', () => {
  /** Token counts: 10 for the question, 20 for a subtask, 250 for Podium's own wording around both. */
  const question = 'q'.repeat(40);
  const subtask = 's'.repeat(80);
  const PROMPT = 10 + 20 + 250;
  const SHORT_ANSWER = 150;
  const pair = (access: readonly number[]) => ({ steps: [step(0, subtask), step(1, subtask, access)] });
  const low = (more: Partial<RangeRequest> = {}) =>
    priceRange(request({ questionTokens: estimateTokens(question), planned: pair([0]), ...more }))?.low ?? NaN;
  const stepCost = (worker: PoolWorker, input: number, output = SHORT_ANSWER) =>
    (input * (worker.price?.input ?? NaN) + output * (worker.price?.output ?? NaN)) / 1e6;

  test('includes for each step the cost of its prompt, of the short answers in the prompt, and of its own short answer', () => {
    const first = stepCost(cheap, PROMPT);
    expect(low({ planned: { steps: [step(0, subtask)] } })).toBeCloseTo(first, 12);
    expect(low({ planned: pair([]) })).toBeCloseTo(first + stepCost(expensive, PROMPT), 12);
    expect(low({ planned: pair([0]) })).toBeCloseTo(first + stepCost(expensive, PROMPT + SHORT_ANSWER), 12);
  });

  test('drops only if an output limit is lower than the length of a short answer', () => {
    expect(low({ maxTokens: 9000 })).toBe(low());
    expect(low({ maxTokens: 50 }), 'the common limit').toBeCloseTo(
      stepCost(cheap, PROMPT, 50) + stepCost(expensive, PROMPT + 50, 50),
      12,
    );
    const limited = { ...cheap, sampling: { maxTokens: 50 } };
    expect(low({ pool: [limited, expensive], planned: pair([]) }), 'a worker’s own limit').toBeCloseTo(
      stepCost(cheap, PROMPT, 50) + stepCost(expensive, PROMPT),
      12,
    );
  });

  test('leaves out a reused step, but counts its output in the prompts that contain it', () => {
    expect(low({ reused: new Map([[0, 700]]) })).toBeCloseTo(stepCost(expensive, PROMPT + 700), 12);
  });

  test('for an unknown workflow, is the cost of one short step by the cheapest worker, regardless of the limits', () => {
    // A subtask that is not written yet counts as 60 tokens.
    const input = 10 + 60 + 250;
    const open = { planned: null, rounds: 3, maxSteps: 9, calls: 40 };
    const self = poolWorker(2, { kind: 'conductor' });
    expect(low({ ...open, pool: [cheap, expensive] })).toBeCloseTo(stepCost(cheap, input), 12);
    expect(low({ ...open, pool: [expensive, cheap], follows: true })).toBeCloseTo(stepCost(cheap, input), 12);
    expect(low({ ...open, pool: [expensive, self] }), 'the Conductor runs no step').toBeCloseTo(
      stepCost(expensive, input),
      12,
    );
  });

  test('includes one short plan for each candidate, and none if the plan is already written', () => {
    const plan = low({ conductor: charging }) - low();
    // The prompt of a plan contains 1,200 tokens of Podium's own wording.
    expect(plan).toBeGreaterThanOrEqual(((1200 + 10 + SHORT_ANSWER) * 5) / 1e6);
    expect(plan).toBeLessThan(((2 * (1200 + 10) + SHORT_ANSWER) * 5) / 1e6);
    expect(low({ conductor: charging, candidates: 3 }) - low()).toBeCloseTo(3 * plan, 12);
    expect(low({ conductor: charging, candidates: 3, isPlanned: true })).toBe(low());
  });

  test('excludes later rounds and retries of a plan', () => {
    const once = low({ conductor: charging });
    expect(low({ conductor: charging, rounds: 3, follows: true, planRetries: 4 })).toBe(once);
    const pool = [cheap, expensive, poolWorker(2, { kind: 'conductor' })];
    const steps = [...pair([0]).steps, step(2, 'Go on')];
    expect(low({ pool, rounds: 3, planned: { steps } })).toBeCloseTo(low(), 12);
  });

  test('is never above the upper end', () => {
    fc.assert(
      fc.property(
        fc.record({
          questionTokens: fc.nat(300),
          planned: fc.constantFrom(null, pair([]), pair([0])),
          conductor: fc.constantFrom(builtIn, charging),
          maxTokens: fc.nat(2000),
          rounds: fc.integer({ min: 1, max: 3 }),
          maxSteps: fc.integer({ min: 1, max: 5 }),
          candidates: fc.integer({ min: 1, max: 4 }),
          isPlanned: fc.boolean(),
          follows: fc.boolean(),
        }),
        (more) => {
          const range = priceRange(request(more));
          expect(range?.low).toBeLessThanOrEqual(range?.high ?? 0);
        },
      ),
    );
  });
});
