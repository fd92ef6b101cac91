/**
 * @file Tests a Conductor in which a model writes several workflows and the policy ranks them. The ranking
 * compares the mean log-probabilities of the workflows' choices under the policy.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatWorkflow } from '../../../src/core/conductor/format';
import { wordSkeleton } from '../../../src/core/conductor/policy';
import { createRankedByPolicyConductor } from '../../../src/core/conductor/ranked-by-policy';
import { choicesOf, scorer, skeletonOf } from '../../../src/core/conductor/skeleton-of';
import { modelLabel, partOfPolicy, withPolicyInfo } from '../../../src/core/conductor/with-policy-info';
import {
  chooseByScore,
  seededRandom,
  type ConductorInfo,
  type PlanEvent,
  type Step,
  type Workflow,
} from '../../../src/core/contract';
import { drawPlan, logProbabilityOf } from '../../../src/core/policy/network';
import { initialParameters } from '../../../src/core/policy/parameters';
import { policyInput } from '../../../src/core/policy/features';
import { FakeClock } from '../../fixtures/fake-clock';
import { gradedRuns } from '../../fixtures/graded-runs';
import { drawRequest } from '../policy/inputs';
import { CONDUCTOR_ENTRY, ending, pool, proposed, request, worker } from './requests';
import { delta, ScriptedEngine } from './scripted-engine';

const MODEL: ConductorInfo = { id: 'endpoint:birch', label: 'Birch', kind: 'endpoint', model: 'big', origin: null };
const INFO = withPolicyInfo('ranking', MODEL);
const weights = { parameters: initialParameters({ width: 8 }, seededRandom(1)), revision: 'r1' };
const find = <T extends PlanEvent['type']>(events: readonly PlanEvent[], type: T) =>
  events.filter((event): event is Extract<PlanEvent, { type: T }> => event.type === type);

const solve = (by = 0): Step => ({ worker: by, subtask: 'Solve it.', access: [] });
const alone: Workflow = { steps: [solve()] };
const corrected: Workflow = { steps: [solve(), { worker: 1, subtask: 'Correct what is wrong.', access: [0] }] };
/** This workflow ends in a check, which gives no answer. */
const checked: Workflow = { steps: [solve(), { worker: 1, subtask: 'Check it.', access: [0], role: 'verify' }] };
const again = (access: readonly number[]): Step => ({ worker: 2, subtask: 'Go on.', access });
const written = (workflow: Workflow) => formatWorkflow(workflow, { access: 'fine' });

describe('a workflow converted to choices of the policy', () => {
  it('has its original choices if its steps have roles. Without roles, the conversion may fail with a reason', () => {
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), fc.boolean(), (seed, recursion, later) => {
        const input = policyInput(drawRequest(seed, { recursion, later }));
        const { skeleton } = drawPlan(weights.parameters, input, seededRandom(seed));
        const steps = wordSkeleton(skeleton, input.rows);
        expect(skeletonOf({ steps }, input)).toEqual({ ok: true, skeleton });
        // Missing roles are inferred from wording and position. The policy's grammar may not allow the inferred roles.
        const read = skeletonOf(
          { steps: steps.map(({ worker, subtask, access }) => ({ worker, subtask, access })) },
          input,
        );
        if (!read.ok) expect(read.reason).toMatch(/\.$/);
      }),
      { numRuns: 100 },
    );
  });

  it('has one choice for each random draw with which the policy wrote the workflow', () => {
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), fc.boolean(), (seed, recursion, later) => {
        const input = policyInput(drawRequest(seed, { recursion, later }));
        const random = seededRandom(seed);
        let draws = 0;
        const counted = () => {
          draws += 1;
          return random();
        };
        const { skeleton } = drawPlan(weights.parameters, input, counted);
        expect(choicesOf(skeleton, input.limits.maxSteps)).toBe(draws);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    [checked, 'The last step gives no answer.'],
    [{ steps: [{ ...solve(), role: 'refine' as const }] }, 'Step 1 works on an answer before there is one.'],
    [
      { steps: [solve(), solve(1), { worker: 0, subtask: 'Decide.', access: [0], role: 'decide' as const }] },
      'Step 3 works on earlier answers and does not see the latest.',
    ],
    [{ steps: Array.from({ length: 6 }, () => solve()) }, 'The policy writes at most 5 steps.'],
    [{ steps: [] }, 'The workflow has no steps, and there is no earlier answer to keep.'],
    [{ steps: [solve(2)] }, 'Step 1 goes to a worker that the policy gives no steps.'],
  ])('has a reason instead of a score if the policy could not have chosen it: %j', (workflow, reason) => {
    const requested = request({ pool: [...pool(2), worker(2, { kind: 'python' })], maxSteps: 9 });
    expect(scorer(requested, weights.parameters)(workflow)).toEqual({ logProbability: null, choices: 0, reason });
  });

  it.each([
    [[solve(), again([0])], ''],
    [[again([])], 'The Conductor comes before there is an answer.'],
    [[solve(), again([0]), solve()], 'There are steps after the Conductor.'],
    [[...checked.steps, again([1])], 'The step before the Conductor gives no answer.'],
  ])(
    'may give only the last step to the Conductor, directly after a step that gives an answer: %j',
    (steps, reason) => {
      const read = skeletonOf(
        { steps },
        policyInput(request({ pool: [...pool(2), CONDUCTOR_ENTRY], recursion: true })),
      );
      expect(read.ok ? '' : read.reason).toBe(reason);
    },
  );

  it('has the log-probability that the policy gives to its choices', () => {
    const requested = request({ pool: [...pool(3), CONDUCTOR_ENTRY], recursion: true });
    const input = policyInput(requested);
    const skeleton = [
      { row: 1, move: 'solve' as const, access: [] },
      { row: 3, move: null, access: [] },
    ];
    const workflow = { steps: [solve(1), { worker: 3, subtask: 'Go on.', access: [0] }] };
    expect(scorer(requested, weights.parameters)(workflow)).toEqual({
      logProbability: logProbabilityOf(weights.parameters, input, skeleton),
      choices: 3,
    });
  });

  it('has the move `solveAnotherWay` for a step that solves by a different method', () => {
    const input = policyInput(request());
    const steps = [solve(), { worker: 1, subtask: 'Solve the puzzle by a different method.', access: [] }];
    const read = skeletonOf({ steps }, input);
    expect(read.ok && read.skeleton.map(({ move }) => move)).toEqual(['solve', 'solveAnotherWay']);
  });
});

describe('the workflows of a model', () => {
  const texts = [written(checked), written(alone), written(corrected), 'nothing'];
  function ranked(scripts = texts) {
    const engine = new ScriptedEngine(scripts.map((text) => delta(text)));
    return createRankedByPolicyConductor({ info: INFO, engine, clock: new FakeClock(), weights });
  }

  it('are scored, and the workflow with the highest score becomes the plan', async () => {
    const requested = request({ candidates: 4 });
    const events = await proposed(ranked(), requested);
    expect(find(events, 'plan-started')).toMatchObject([
      {
        conductor: { id: 'ranked+endpoint:birch', label: 'Birch, ranked by the policy' },
        policy: { part: 'ranking', revision: 'r1' },
      },
    ]);
    const score = scorer(requested, weights.parameters);
    const scores = find(events, 'plan-candidate').map((event) => event.score);
    expect(scores).toEqual([score(checked), score(alone), score(corrected), undefined]);
    const best = chooseByScore(scores.map((each) => each ?? null));
    expect(best === 1 || best === 2).toBe(true);
    expect(find(events, 'plan-chosen')).toEqual([{ type: 'plan-chosen', candidate: best, by: 'rank' }]);
    expect(ending(events, 'plan-finished').workflow).toMatchObject(best === 1 ? alone : corrected);
  });

  it('list the grades of each step’s worker in that role, and so does the chosen plan', async () => {
    const question = 'What is 2 + 2?';
    const one = worker(1);
    const history = gradedRuns(one.id, 'verify', 3, 4, question);
    const events = await proposed(ranked(), request({ question, history, candidates: 4 }));
    const [first, second, , unread] = find(events, 'plan-candidate').map(({ choices }) => choices);
    const blank = { by: 'model', basis: 'order', graded: 0 };
    expect(first).toMatchObject([
      { ...blank, role: 'solve' },
      { by: 'model', basis: 'history', role: 'verify', graded: 4, right: 3, inRole: true },
    ]);
    expect(first?.[1]?.runs).toHaveLength(3);
    expect(second).toMatchObject([{ ...blank, role: 'solve' }]);
    expect(unread).toBeUndefined();
    const [chosen] = find(events, 'plan-chosen');
    const drawn = find(events, 'plan-candidate')[chosen?.candidate ?? -1];
    expect(drawn?.choices).toBeDefined();
    expect(ending(events, 'plan-finished').choices).toEqual(drawn?.choices);
  });

  it('list no grades of workers if fewer than two workflows can be ranked', async () => {
    const alone = ending(await proposed(ranked([written(corrected)]), request()), 'plan-finished');
    expect(alone).not.toHaveProperty('choices');
    const again = ranked(['nothing', 'nothing', written(corrected)]);
    const requested = ending(await proposed(again, request({ candidates: 2 })), 'plan-finished');
    expect(requested).not.toHaveProperty('choices');
  });

  it('are offered with their scores if the user wants to choose', async () => {
    const events = await proposed(ranked(), request({ candidates: 4, choice: 'person' }));
    expect(find(events, 'plan-chosen')).toEqual([]);
    expect(find(events, 'plan-candidate').filter(({ score }) => score?.logProbability)).toHaveLength(2);
    expect(events.at(-1)?.type).toBe('plan-candidate');
  });

  it('are voted on when the policy could not have written any of them', async () => {
    const events = await proposed(ranked([written(checked), written(checked)]), request({ candidates: 2 }));
    expect(find(events, 'plan-chosen')).toMatchObject([{ candidate: 0, by: 'vote' }]);
    expect(find(events, 'plan-candidate').every(({ choices }) => choices)).toBe(true);
    expect(ending(events, 'plan-finished'), 'no workflow was ranked').not.toHaveProperty('choices');
  });

  it('are not ranked if the request asks for only one workflow', async () => {
    const events = await proposed(ranked([written(alone)]), request());
    expect(find(events, 'plan-candidate')).toEqual([]);
    expect(ending(events, 'plan-finished').workflow).toEqual(alone);
  });
});

describe('a Conductor with model and policy', () => {
  it('has the model’s id in its id, and the model’s label in its default label', () => {
    for (const part of ['skeleton', 'ranking'] as const) {
      const info = withPolicyInfo(part, MODEL);
      expect(partOfPolicy(info.id)).toEqual({ part, model: MODEL.id });
      expect(modelLabel(info)).toBe('Birch');
      expect(modelLabel({ ...info, label: 'Renamed' })).toBe('Renamed');
    }
    expect(partOfPolicy(MODEL.id)).toBeNull();
    expect(modelLabel(MODEL)).toBe('Birch');
  });
});

describe('the score of a ranked workflow', () => {
  it('is the mean log-probability over its choices, so that short workflows have no advantage', () => {
    expect(
      chooseByScore([
        { logProbability: -2, choices: 2 },
        { logProbability: -5, choices: 10 },
      ]),
    ).toBe(1);
  });

  it('selects the first workflow with the highest score, or none if no workflow has a score', () => {
    const of = (logProbability: number | null) => ({ logProbability, choices: 1 });
    expect(chooseByScore([of(null), of(-3), null, of(-2), of(-2)])).toBe(3);
    expect(chooseByScore([of(null), null])).toBeNull();
    expect(chooseByScore([])).toBeNull();
  });
});
