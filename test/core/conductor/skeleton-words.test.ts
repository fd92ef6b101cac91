/**
 * @file Tests plans by a policy and a model. The policy chooses the skeleton, which is all steps without their subtasks. The
 * model writes the subtasks. A scripted engine simulates the model.
 */
import { Grammar, Testings } from '@mlc-ai/web-xgrammar';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatWorkflow } from '../../../src/core/conductor/format';
import { givenRest, workflowGrammar } from '../../../src/core/conductor/grammar';
import { limitsOf } from '../../../src/core/conductor/limits';
import { parseWorkflow } from '../../../src/core/conductor/parse';
import { planByPolicy } from '../../../src/core/conductor/policy';
import { createSkeletonWordsConductor } from '../../../src/core/conductor/skeleton-words';
import { withPolicyInfo } from '../../../src/core/conductor/with-policy-info';
import {
  checkWorkflow,
  fault,
  renderPrompt,
  seededRandom,
  type AccessScheme,
  type ConductorInfo,
  type PlanEvent,
  type PlanRequest,
  type Step,
} from '../../../src/core/contract';
import { initialParameters } from '../../../src/core/policy/parameters';
import { promptSources } from '../../../src/core/conductor/prompt';
import { FakeClock } from '../../fixtures/fake-clock';
import { drawRequest } from '../policy/inputs';
import { randomWalk, readGrammar } from './grammar-walk';
import { CONDUCTOR_ENTRY, ending, pool, proposed, request } from './requests';
import { failsWith, delta, ScriptedEngine, type Script } from './scripted-engine';
import { heldTo } from '../../../src/core/conductor/attempt';

const MODEL: ConductorInfo = { id: 'local:tiny', label: 'Tiny', kind: 'webllm', model: 'Tiny', origin: null };
const INFO = withPolicyInfo('skeleton', MODEL);
const weights = { parameters: initialParameters({ width: 8 }, seededRandom(1)), revision: 'r1' };

function conductor(scripts: readonly Script[], enforcesGrammar = true) {
  const engine = new ScriptedEngine(scripts, enforcesGrammar);
  return { engine, conductor: createSkeletonWordsConductor({ info: INFO, engine, clock: new FakeClock(), weights }) };
}
const find = <T extends PlanEvent['type']>(events: readonly PlanEvent[], type: T) =>
  events.filter((event): event is Extract<PlanEvent, { type: T }> => event.type === type);

/** The policy's own plan for a request. */
function planned(requested: PlanRequest): readonly Step[] {
  const plan = planByPolicy(requested, weights.parameters);
  if ('fault' in plan) throw new Error(plan.fault.message);
  return plan.workflow.steps;
}

const worded = (steps: readonly Step[]): Step[] =>
  steps.map((step, index) => ({ ...step, subtask: `Do "part" ${index},\nall of it.` }));

/** The part of an answer that the model writes, up to the last subtask. The skeleton determines the rest. */
function unended(text: string, steps: readonly Step[], access: AccessScheme): string {
  const rest = givenRest(steps, access);
  expect(text.endsWith(rest)).toBe(true);
  return text.slice(0, -rest.length);
}

/** A request whose plan has several steps. */
const requested = request();
const steps = planned(requested);
const good = formatWorkflow({ steps: worded(steps) }, { access: 'fine' });
const other = formatWorkflow({ steps: [...worded(steps), ...worded(steps)].slice(0, -1) }, { access: 'fine' });

describe('any skeleton of the policy', () => {
  const cases = [fc.nat(), fc.boolean(), fc.boolean(), fc.integer({ min: 1, max: 7 }), fc.boolean()] as const;
  function draw(seed: number, recursion: boolean, later: boolean, maxSteps: number, binary: boolean): PlanRequest {
    return { ...drawRequest(seed, { recursion, later }), maxSteps, access: binary ? 'binary' : 'fine' };
  }
  const formOf = (request: PlanRequest, given: readonly Step[]) => ({
    ...limitsOf(request),
    access: request.access,
    skeleton: { steps: given },
    thought: false,
  });

  it('has a grammar that accepts any subtasks but no other skeleton', async () => {
    await fc.assert(
      fc.asyncProperty(...cases, async (...drawn) => {
        const request = draw(...drawn);
        const given = planned(request);
        if (given.length === 0) return;
        const form = formOf(request, given);
        const text = workflowGrammar(form);
        const grammar = await Grammar.fromEBNF(text);
        for (const words of [given, worded(given)]) {
          const written = unended(formatWorkflow({ steps: words }, request), words, request.access);
          expect([written, await Testings.isGrammarAcceptString(grammar, written)]).toEqual([written, true]);
        }
        const walk = randomWalk(readGrammar(text), seededRandom(drawn[0])) + givenRest(given, request.access);
        const read = heldTo(given, parseWorkflow(walk, form));
        if (!read.ok) expect.fail(`${read.problem.message}\n${walk}`);
        const bare = ({ worker, access, role }: Step) => ({ worker, access, role });
        expect(read.workflow.steps.map(bare)).toEqual(given.map(bare));
        expect(checkWorkflow(read.workflow, form)).toBeNull();
      }),
      { numRuns: 40 },
    );
  });

  it('has a grammar that rejects other workers and step counts, and `heldTo` also rejects other access', async () => {
    await fc.assert(
      fc.asyncProperty(...cases, fc.nat(), async (seed, recursion, later, maxSteps, binary, turn) => {
        const request = draw(seed, recursion, later, maxSteps, binary);
        const given = planned(request);
        const [first] = given;
        if (!first) return;
        const wrong: Step[][] = [
          [...given, { worker: first.worker, subtask: 'More.', access: [] }],
          given.map((step, index) => (index === 0 ? { ...step, worker: step.worker + 1 } : step)),
          ...(given.length > 1 ? [given.slice(0, -1)] : []),
          ...(given.length > 1
            ? [
                given.map((step, index) =>
                  index === 1 ? { ...step, access: step.access.length > 0 ? [] : [0] } : step,
                ),
              ]
            : []),
        ];
        const changed = wrong[turn % wrong.length] ?? [];
        const written = formatWorkflow({ steps: changed }, request);
        const form = formOf(request, given);
        const grammar = await Grammar.fromEBNF(workflowGrammar(form));
        expect(await Testings.isGrammarAcceptString(grammar, written)).toBe(false);
        const isOther = changed.some(({ worker }, index) => worker !== given[index]?.worker);
        const beginning = unended(written, changed, request.access);
        expect(await Testings.isGrammarAcceptString(grammar, beginning)).toBe(
          !isOther && changed.length === given.length,
        );
        expect(heldTo(given, parseWorkflow(written, { ...form, maxSteps: 9, poolSize: 9 })).ok).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a plan by policy and model', () => {
  it('records the policy’s part, requests subtasks from the model, and reports steps before the plan ends', async () => {
    expect(steps.length).toBeGreaterThan(1);
    const { engine, conductor: both } = conductor([delta(unended(good, steps, 'fine'))]);
    const events = await proposed(both, requested);
    const [started] = find(events, 'plan-started');
    expect(started).toMatchObject({
      conductor: { id: 'policy+local:tiny', label: 'Policy, words by Tiny', kind: 'webllm' },
      policy: { part: 'skeleton', revision: 'r1', logProbability: expect.any(Number) },
    });
    expect(started?.policy?.logProbability).toBeLessThan(0);
    expect(started?.grammar?.text).toContain(`model_id = [${steps.map(({ worker }) => worker).join(', ')}]`);
    expect(started?.grammar?.text).not.toContain('thought');
    const [, user] = engine.requested[0]?.messages ?? [];
    for (const { subtask } of steps) expect(user?.content).toContain(`What it is for: ${subtask}`);
    expect(user?.content).toContain(requested.question);
    expect(renderPrompt(started?.messages ?? [], promptSources(requested))).toEqual(engine.requested[0]?.messages);

    const { workflow, source, text } = ending(events, 'plan-finished');
    expect(workflow.steps).toEqual(worded(steps));
    expect([source, text]).toEqual(['conductor', good]);
    const known = find(events, 'plan-step-known');
    expect(known.map(({ step }) => step)).toEqual(workflow.steps);
    const places = events.flatMap(({ type }, place) => (type === 'plan-step-known' ? [place] : []));
    const lastDelta = events.findLastIndex(({ type }) => type === 'plan-delta');
    expect(
      places.every((place) => place < lastDelta),
      'all are known before the access list is added',
    ).toBe(true);
    expect(find(events, 'plan-delta').at(-1)?.text).toBe(givenRest(steps, 'fine'));
  });

  it('does not add the policy’s access lists to an answer that was cut off', async () => {
    const cut = unended(good, steps, 'fine');
    const { conductor: both } = conductor([delta(cut, 'length'), delta(cut)]);
    const events = await proposed(both, requested);
    expect(find(events, 'plan-retried')).toMatchObject([{ next: 'stricter', text: cut }]);
    expect(ending(events, 'plan-finished')).toMatchObject({ text: good });
  });

  it('retries once after an answer with another skeleton, then uses the policy’s own wording', async () => {
    const { engine, conductor: both } = conductor([delta(other), delta('No idea.')], false);
    const events = await proposed(both, requested);
    expect(find(events, 'plan-retried')).toMatchObject([
      { next: 'stricter', text: other, problem: { code: 'unequal-lengths' } },
      { next: 'fallback', text: 'No idea.', problem: { code: 'not-found' } },
    ]);
    const again = engine.requested[1]?.messages.at(-1)?.content;
    expect(again).toContain(`but ${steps.length} were given`);
    expect(again).toContain('model_id and access_list as they were given to you');
    expect(ending(events, 'plan-finished')).toMatchObject({ workflow: { steps }, source: 'fallback', text: '' });
    expect(find(events, 'plan-step-known')).toEqual([]);
  });

  it('accepts valid subtasks on the second attempt, even from an engine without grammar support', async () => {
    const { conductor: both } = conductor([delta(other), delta(`Here:\n${good}`)], false);
    const finished = ending(await proposed(both, requested), 'plan-finished');
    expect(finished).toMatchObject({ workflow: { steps: worded(steps) }, source: 'conductor' });
  });

  it('uses the policy’s own wording when the model fails permanently', async () => {
    const { conductor: both } = conductor([failsWith(fault('unauthorized', 'No.'))]);
    const events = await proposed(both, requested);
    expect(find(events, 'plan-retried')).toMatchObject([{ next: 'fallback', fault: { code: 'unauthorized' } }]);
    expect(ending(events, 'plan-finished')).toMatchObject({ workflow: { steps }, source: 'fallback' });
  });

  it('reports the policy’s reasons with each valid candidate and with the plan chosen by vote', async () => {
    const own = planByPolicy(requested, weights.parameters);
    if ('fault' in own) throw new Error(own.fault.message);
    const scripts = () => [delta(good), delta('No idea.'), delta(good)];
    for (const choice of ['vote', 'person'] as const) {
      const events = await proposed(conductor(scripts(), false).conductor, { ...requested, candidates: 3, choice });
      const choices = find(events, 'plan-candidate').map(({ choices }) => choices);
      expect(choices).toEqual([own.choices, undefined, own.choices]);
      expect(find(events, 'plan-finished').map(({ choices }) => choices)).toEqual(
        choice === 'vote' ? [own.choices] : [],
      );
    }
  });

  it('uses the model’s own prompt template, and adds the policy’s steps at its end', async () => {
    const engine = new ScriptedEngine([delta(good)], true);
    const template = { fixed: '', question: 'Trained on this: {{question}}' };
    const both = createSkeletonWordsConductor({ info: INFO, engine, clock: new FakeClock(), weights, template });
    await proposed(both, requested);
    const [message] = engine.requested[0]?.messages ?? [];
    expect(message?.content).toMatch(/^Trained on this: What is 2 \+ 2\?\n\nThe steps:\nStep 0, for Model id/);
  });

  it('does not call the model if there are no workers, or if the policy keeps the previous answer', async () => {
    const { engine, conductor: both } = conductor([]);
    const failed = ending(await proposed(both, request({ pool: [] })), 'plan-failed');
    expect(failed.fault.code).toBe('no-workers');
    const kept = Array.from({ length: 200 }, (_, seed) => drawRequest(seed, { later: true })).find(
      (each) => planned(each).length === 0,
    );
    if (!kept) expect.fail('These weights never keep an answer.');
    expect(ending(await proposed(both, kept), 'plan-finished').workflow.steps).toEqual([]);
    expect(engine.requested).toEqual([]);
  });

  it('shows earlier rounds in the prompt of a later round, and marks the Conductor’s own step', async () => {
    const earlier = [
      { workflow: { steps: [{ worker: 0, subtask: 'Guess.', access: [] }] }, outputs: ['5?'], answer: '' },
    ];
    const later = request({ pool: [...pool(3), CONDUCTOR_ENTRY], recursion: true, round: 1, earlier });
    const given = planned(later);
    const { engine, conductor: both } = conductor([delta(formatWorkflow({ steps: worded(given) }, later))]);
    const finished = ending(await proposed(both, later), 'plan-finished');
    expect(finished).toMatchObject({ workflow: { steps: worded(given) }, source: 'conductor' });
    const text = engine.requested[0]?.messages.at(-1)?.content ?? '';
    expect(text).toContain('<response>\n5?\n</response>');
    expect(text).toContain('Write the subtasks of the next workflow.');
    expect(text.includes('for you, the Conductor')).toBe(given.at(-1)?.worker === 3);
  });
});
