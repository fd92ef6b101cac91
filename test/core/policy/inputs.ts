/** @file Random plan requests for tests of the policy. */
import { randomIndex, ROLES, seededRandom, type GradedRun, type PlanRequest } from '../../../src/core/contract';
import { policyInput, type PolicyInput } from '../../../src/core/policy/features';
import { CONDUCTOR_ENTRY, request, worker } from '../conductor/requests';

const WORDS = ['checks with care', 'a good solver', 'plans well', 'numbers', 'logic', 'mends', 'fast', 'cheap'];

/** Draws a request with one to seven workers and up to 29 graded runs. With `later`, it also has an earlier round. */
export function drawRequest(
  seed: number,
  more: { readonly recursion?: boolean; readonly later?: boolean } = {},
): PlanRequest {
  const random = seededRandom(seed);
  const workers = Array.from({ length: 1 + randomIndex(random, 7) }, (_, index) =>
    worker(index, {
      description: WORDS.filter(() => random() < 0.4).join(', '),
      price: random() < 0.5 ? null : { input: random(), output: 10 * random() },
      ...(random() < 0.5 ? { strengths: Object.fromEntries(ROLES.map((role) => [role, random()])) } : {}),
    }),
  );
  const history = Array.from({ length: randomIndex(random, 30) }, (_, run): GradedRun => {
    const played = workers
      .filter(() => random() < 0.5)
      .map(({ id }) => ({ workerId: id, role: ROLES[randomIndex(random, ROLES.length)] ?? ('solve' as const) }));
    const question = `What is ${randomIndex(random, 9)} ${random() < 0.5 ? 'plus' : 'in order'} ${run}?`;
    return { runId: `${run}`, startedAt: run, question, right: random() < 0.5, played };
  });
  const steps = [{ worker: 0, subtask: 'Solve it', access: [], role: 'solve' as const }];
  const earlier = more.later ? [{ workflow: { steps }, outputs: ['4, but I am not sure'], answer: '4' }] : [];
  return request({
    question: `What is ${seed} plus ${randomIndex(random, 100)}?`,
    pool: more.recursion ? [...workers, CONDUCTOR_ENTRY] : workers,
    recursion: more.recursion ?? false,
    round: earlier.length,
    earlier,
    history,
  });
}

export function drawInput(seed: number, more: Parameters<typeof drawRequest>[1] = {}): PolicyInput {
  return policyInput(drawRequest(seed, more));
}

/** Draws inputs of three kinds in turn: a first round, a first round with recursion, and a later round. */
export function drawInputs(count: number, from = 0): PolicyInput[] {
  return Array.from({ length: count }, (_, index) =>
    drawInput(from + index, { recursion: index % 3 === 1, later: index % 3 === 2 }),
  );
}
