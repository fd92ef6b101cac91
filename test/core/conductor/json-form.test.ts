import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askForJson, parseJsonWorkflow, workflowSchema } from '../../../src/core/conductor/json-form';
import { createLlmConductor } from '../../../src/core/conductor/llm';
import { withPolicyInfo } from '../../../src/core/conductor/with-policy-info';
import type { ConductorInfo, Step } from '../../../src/core/contract';
import { FakeClock } from '../../fixtures/fake-clock';
import { ending, proposed, request } from './requests';
import { delta, ScriptedEngine } from './scripted-engine';

const LIMITS = { poolSize: 3, maxSteps: 5 };
const PLAN = {
  thought: 'Two try, one decides.',
  steps: [
    { model_id: 0, subtask: 'Solve "it".\nSlowly.', access: [] },
    { model_id: 2, subtask: 'Solve it, too.', access: [] },
    { model_id: 1, subtask: 'Decide.', access: [1, 0, 1] },
  ],
};
const STEPS: readonly Step[] = [
  { worker: 0, subtask: 'Solve "it".\nSlowly.', access: [] },
  { worker: 2, subtask: 'Solve it, too.', access: [] },
  { worker: 1, subtask: 'Decide.', access: [0, 1] },
];
const parsed = (value: unknown, limits = LIMITS) => parseJsonWorkflow(JSON.stringify(value), limits);

describe('a workflow as JSON', () => {
  it('is parsed with its thought, and its access lists are sorted and lose duplicates', () => {
    expect(parsed(PLAN)).toEqual({ ok: true, workflow: { steps: STEPS }, thought: PLAN.thought });
  });

  it('may state the access of a step as "all" or "none"', () => {
    const access = ['none', 'all', 'all'];
    const steps = PLAN.steps.map((step, index) => ({ ...step, access: access[index] }));
    const read = parsed({ ...PLAN, steps });
    expect(read.ok && read.workflow.steps.map((step) => step.access)).toEqual([[], [0], [0, 1]]);
  });

  it.each([
    ['whose worker is outside the pool', { model_id: 7, subtask: 'Solve.', access: [] }, 'worker-outside-pool'],
    ['that has access to itself', { model_id: 0, subtask: 'Solve.', access: [0] }, 'access-self'],
    ['with an empty subtask', { model_id: 0, subtask: ' ', access: [] }, 'empty-subtask'],
  ])('is rejected if it has a step %s', (_, step, code) => {
    expect(parsed({ thought: '', steps: [step] })).toMatchObject({ ok: false, problem: { code, at: 0 } });
  });

  it('may be replaced by the three lists of the text format, but may not be truncated', () => {
    const text = 'model_id = [1]\nsubtasks = ["Solve it."]\naccess_list = [[]]';
    expect(parseJsonWorkflow(text, LIMITS)).toMatchObject({ ok: true, workflow: { steps: [{ worker: 1 }] } });
    expect(parseJsonWorkflow('{"thought": "Cut o', { ...LIMITS, cutOff: true }).ok).toBe(false);
  });

  it('does not make the parser throw, even if it is random JSON', () => {
    fc.assert(fc.property(fc.json(), (text) => void parseJsonWorkflow(text, LIMITS)));
  });

  it('has a schema that depends on the size of the pool, the step limit and the steps that the policy chose', () => {
    const schema = workflowSchema({ ...LIMITS, access: 'fine' });
    expect(schema).toMatchObject({
      required: ['thought', 'steps'],
      properties: {
        steps: {
          minItems: 1,
          maxItems: 5,
          items: { properties: { model_id: { minimum: 0, maximum: 2 }, access: { items: { maximum: 3 } } } },
        },
      },
    });
    expect(workflowSchema({ ...LIMITS, access: 'binary', skeleton: STEPS })).toMatchObject({
      required: ['steps'],
      properties: { steps: { minItems: 3, maxItems: 3, items: { required: ['subtask'] } } },
    });
  });

  it('is described at the end of the prompt', () => {
    const messages = [{ role: 'user', parts: [{ kind: 'question' }] }] as const;
    const [message] = askForJson(messages, { skeleton: undefined, access: 'fine' });
    expect(message?.parts.at(-1)).toMatchObject({ kind: 'literal', text: expect.stringContaining('JSON') });
  });
});

describe('a Conductor whose engine enforces a schema', () => {
  const INFO: ConductorInfo = { id: 'local:browser', label: 'Browser model', kind: 'browser' };
  class SchemaEngine extends ScriptedEngine {
    override readonly info = { ...new ScriptedEngine([]).info, enforcesSchema: true };
  }

  it('sends the schema, stores it in an event, and parses the reply', async () => {
    const engine = new SchemaEngine([delta(JSON.stringify(PLAN))]);
    const conductor = createLlmConductor({ info: INFO, engine, clock: new FakeClock() });
    const events = await proposed(conductor, request());
    expect(engine.requested[0]).toMatchObject({ grammar: null, schema: { type: 'object' } });
    expect(engine.requested[0]?.messages.at(-1)?.content).toContain('one JSON object');
    expect(ending(events, 'plan-finished')).toMatchObject({ workflow: { steps: STEPS }, thought: PLAN.thought });
    expect(events[0]).toMatchObject({ grammar: { text: JSON.stringify(engine.requested[0]?.schema) } });
  });

  it('requests the JSON object again after an invalid plan', async () => {
    const bad = { thought: '', steps: [{ model_id: 9, subtask: 'Solve.', access: [] }] };
    const engine = new SchemaEngine([delta(JSON.stringify(bad)), delta(JSON.stringify(PLAN))]);
    const conductor = createLlmConductor({ info: INFO, engine, clock: new FakeClock() });
    expect(ending(await proposed(conductor, request()), 'plan-finished').source).toBe('conductor');
    expect(engine.requested[1]?.messages.at(-1)?.content).toContain('the same JSON object');
  });

  it('requests only the subtasks if the policy chose the steps', async () => {
    const subtasks = { steps: STEPS.map(({ subtask }) => ({ subtask })) };
    const engine = new SchemaEngine([delta(JSON.stringify(subtasks))]);
    const info = withPolicyInfo('skeleton', INFO);
    const conductor = createLlmConductor({ info, engine, clock: new FakeClock(), skeleton: STEPS });
    expect(ending(await proposed(conductor, request()), 'plan-finished').workflow.steps).toEqual(STEPS);
  });
});
