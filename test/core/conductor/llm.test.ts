import { describe, expect, it } from 'vitest';
import { PLAN_MAX_TOKENS, planBounds, textBounds, worstCaseTokens } from '../../../src/core/conductor/bounds';
import { createByHandConductor } from '../../../src/core/conductor/by-hand';
import type { GrammarOptions } from '../../../src/core/conductor/grammar';
import { createHeuristicConductor } from '../../../src/core/conductor/heuristic';
import { createLlmConductor, type LlmConductorOptions } from '../../../src/core/conductor/llm';
import {
  correctionMessages,
  fault,
  sha256Hex,
  type ConductorInfo,
  type EarlierRound,
  type PlanEvent,
} from '../../../src/core/contract';
import { FakeClock } from '../../fixtures/fake-clock';
import { CONDUCTOR_ENTRY, ending, pool, proposed, request } from './requests';
import { failsWith, delta, ScriptedEngine, waits, type Script } from './scripted-engine';

const INFO: ConductorInfo = { id: 'webllm:scripted', label: 'Scripted 7B', kind: 'webllm', model: 'Scripted' };
const GOOD = `Two workers try it, a third one decides.

model_id = [0, 1, 2]
subtasks = ["Solve it.", "Solve it another way.", "Decide."]
access_list = [[], [], [0, 1]]`;
const OTHER = `Short.

model_id = [2]
subtasks = ["Solve it."]
access_list = [[]]`;
const NOISY = `Sure! Here you are:

- **model_id**: \`[0, 1]\`
- **subtasks**: ['Solve it.', "Check the other's work."]
- **access_list**: [[], ["all"]]

Good luck!`;
const WRONG = `model_id = [9]\nsubtasks = ["Solve it."]\naccess_list = [[]]`;
const OVERLOADED = fault('overloaded', 'The model is busy. Try again in a minute.', { retryable: true });
const REFUSED = fault('unauthorized', 'The key was refused. Check it in Workers.');

function conductor(scripts: readonly Script[], more: Partial<LlmConductorOptions> = {}, enforcesGrammar = false) {
  const engine = new ScriptedEngine(scripts, enforcesGrammar);
  return { engine, conductor: createLlmConductor({ info: INFO, engine, clock: new FakeClock(), ...more }) };
}
const typesOf = (events: readonly PlanEvent[]) =>
  events.map((event) => event.type).filter((type, index, all) => type !== 'plan-delta' || all[index - 1] !== type);
const find = <T extends PlanEvent['type']>(events: readonly PlanEvent[], type: T) =>
  events.filter((event): event is Extract<PlanEvent, { type: T }> => event.type === type);

describe('the tokens of a plan', () => {
  it('are enough for everything that the grammar and its limits allow', async () => {
    for (const maxSteps of [1, 3, 5, 12]) {
      const { engine, conductor: model } = conductor([delta(OTHER)], {}, true);
      await proposed(model, request({ maxSteps }));
      const form: GrammarOptions = { poolSize: 3, maxSteps, access: 'fine' };
      const [requested] = engine.requested;
      expect(requested?.bounds).toEqual(textBounds(planBounds(form)));
      expect(requested?.maxTokens).toBeGreaterThanOrEqual(worstCaseTokens(form, planBounds(form)));
      expect(requested?.maxTokens).toBeGreaterThanOrEqual(PLAN_MAX_TOKENS);
      if (maxSteps <= 5) expect(requested?.maxTokens).toBe(PLAN_MAX_TOKENS);
    }
  });

  it('are divided among the texts of the plan if the output limit is lower', async () => {
    const { engine, conductor: model } = conductor(
      [delta(OTHER)],
      { sampling: { temperature: 0, maxTokens: 500 } },
      true,
    );
    await proposed(model, request({ maxSteps: 3 }));
    const form: GrammarOptions = { poolSize: 3, maxSteps: 3, access: 'fine' };
    expect(engine.requested[0]).toMatchObject({ maxTokens: 500, bounds: textBounds(planBounds(form, 500)) });
    expect(worstCaseTokens(form, planBounds(form, 500))).toBeLessThanOrEqual(500);
  });

  it('are limited only in total if there is no grammar', async () => {
    const { engine, conductor: model } = conductor([delta(OTHER)]);
    await proposed(model, request());
    expect(engine.requested[0]).toMatchObject({ grammar: null, bounds: [], maxTokens: PLAN_MAX_TOKENS });
  });
});

describe('a language model without a grammar', () => {
  it('reports the exact prompt, streams its text, and finishes with its workflow', async () => {
    const { engine, conductor: model } = conductor([delta(GOOD)]);
    const events = await proposed(model, request());
    expect(typesOf(events)).toEqual(['plan-started', 'plan-delta', 'plan-finished']);
    const [started] = find(events, 'plan-started');
    expect(started).toMatchObject({ conductor: INFO, engine: 'scripted 1', revision: 'abc' });
    expect(started).not.toHaveProperty('grammar');
    expect(started?.sampling).toEqual({ temperature: 0.2, maxTokens: 1024, seed: engine.requested[0]?.seed });
    expect(engine.requested[0]?.grammar).toBeNull();
    expect(engine.requested[0]?.messages.at(-1)?.content).toContain('What is 2 + 2?');
    const text = find(events, 'plan-delta').map((event) => event.text);
    expect(text.join('')).toBe(GOOD);
    expect(ending(events, 'plan-finished')).toEqual({
      type: 'plan-finished',
      workflow: {
        steps: [
          { worker: 0, subtask: 'Solve it.', access: [] },
          { worker: 1, subtask: 'Solve it another way.', access: [] },
          { worker: 2, subtask: 'Decide.', access: [0, 1] },
        ],
      },
      thought: 'Two workers try it, a third one decides.',
      text: GOOD,
      source: 'conductor',
      usage: { input: 100, output: 20 },
      cost: 0.01,
      finishReason: 'stop',
    });
  });

  it('announces no step before the plan is finished', async () => {
    const events = await proposed(conductor([delta(GOOD)]).conductor, request());
    expect(find(events, 'plan-step-known')).toEqual([]);
  });

  it('parses a plan that is surrounded by Markdown and other text', async () => {
    const events = await proposed(conductor([delta(NOISY)]).conductor, request());
    expect(ending(events, 'plan-finished').workflow.steps).toEqual([
      { worker: 0, subtask: 'Solve it.', access: [] },
      { worker: 1, subtask: "Check the other's work.", access: [0] },
    ]);
  });

  it('is asked once to correct an invalid plan, and the corrected plan is used', async () => {
    const { engine, conductor: model } = conductor([delta(WRONG), delta(GOOD)]);
    const events = await proposed(model, request());
    expect(typesOf(events)).toEqual(['plan-started', 'plan-delta', 'plan-retried', 'plan-delta', 'plan-finished']);
    const [retry] = find(events, 'plan-retried');
    expect(retry).toMatchObject({ next: 'stricter', fault: null, text: WRONG, usage: { input: 100, output: 20 } });
    expect(retry?.problem?.code).toBe('worker-outside-pool');
    const messages = engine.requested[1]?.messages ?? [];
    expect(messages.slice(0, -2)).toEqual(engine.requested[0]?.messages);
    expect(messages.at(-2)).toEqual({ role: 'assistant', content: WRONG });
    expect(messages.at(-1)?.role).toBe('user');
    expect(messages.at(-1)?.content).toContain(retry?.problem?.message);
    expect(retry?.correction && correctionMessages(WRONG, retry.correction)).toEqual(messages.slice(-2));
    expect(engine.requested[1]?.seed).not.toBe(engine.requested[0]?.seed);
    expect(ending(events, 'plan-finished').source).toBe('conductor');
  });

  it('is asked for a correction without its answer if the answer is empty or far too long', async () => {
    for (const answer of [' \n', `${WRONG}${' '.repeat(20_000)}`]) {
      const { engine, conductor: model } = conductor([delta(answer), delta(GOOD)]);
      const [retry] = find(await proposed(model, request()), 'plan-retried');
      expect(retry?.correction?.shown).toBe(false);
      const [first = [], second = []] = engine.requested.map(({ messages }) => messages);
      expect(second).toEqual([...first, { role: 'user', content: retry?.correction?.text }]);
    }
  });

  it('is replaced by the fallback when both of its plans are invalid', async () => {
    const { engine, conductor: model } = conductor([delta(WRONG), delta('I cannot.')], {
      fallback: createHeuristicConductor(),
    });
    const events = await proposed(model, request());
    expect(find(events, 'plan-retried').map(({ next, text }) => [next, text])).toEqual([
      ['stricter', WRONG],
      ['fallback', 'I cannot.'],
    ]);
    expect(engine.requested).toHaveLength(2);
    const finished = ending(events, 'plan-finished');
    expect(finished).toMatchObject({ source: 'fallback', text: '', usage: null, cost: null });
    expect(finished.workflow.steps).toHaveLength(5);
    expect(find(events, 'plan-started')).toHaveLength(1);
  });

  it('reports missing usage as null for a rejected call, and as an estimate for an interrupted call', async () => {
    const away = fault('rate-limited', 'Too many calls.', { retryable: true });
    const broken = fault('cut-off', 'The connection ended.', { retryable: true });
    const { conductor: model } = conductor([failsWith(away), failsWith(broken, 'model_id = [')]);
    const events = await proposed(model, request());
    expect(find(events, 'plan-retried')).toMatchObject([{ usage: null, cost: 0 }]);
    expect(ending(events, 'plan-failed')).toMatchObject({ usage: { output: 3, estimated: true }, cost: 0 });
  });

  it('fails if there is no fallback, with a message that says what to do', async () => {
    const events = await proposed(conductor([delta(WRONG), delta(WRONG)]).conductor, request());
    const end = ending(events, 'plan-failed');
    expect(end.problem?.code).toBe('worker-outside-pool');
    expect(end.fault.code).toBe('plan-failed');
    expect(end.fault.message).toContain(end.problem?.message);
    expect(end.fault.message).toMatch(/^Scripted 7B wrote no workflow.*choose another Conductor\.$/);
    expect(end).toMatchObject({ text: WRONG, usage: { input: 100, output: 20 }, cost: 0.01 });
  });

  it('reports that an answer was cut off, and asks for a shorter answer', async () => {
    const cut = GOOD.slice(0, GOOD.indexOf('"Decide'));
    const { engine, conductor: model } = conductor([delta(cut, 'length'), delta(GOOD)]);
    const events = await proposed(model, request());
    expect(find(events, 'plan-retried')[0]?.problem?.code).toBe('cut-off');
    expect(engine.requested[1]?.messages.at(-1)?.content).toContain('shorter');
    expect(ending(events, 'plan-finished').workflow.steps).toHaveLength(3);
  });

  it('sends no grammar to an engine that supports grammars if `useGrammar` is false', async () => {
    const { engine, conductor: model } = conductor([delta(GOOD)], { useGrammar: false }, true);
    const events = await proposed(model, request());
    expect(engine.requested[0]?.grammar).toBeNull();
    expect(find(events, 'plan-step-known')).toEqual([]);
  });

  it('keeps reasoning separate from the answer', async () => {
    const script: Script = async function* () {
      yield { type: 'delta', channel: 'reasoning', text: 'model_id = [1]' };
      yield* delta(GOOD)(new AbortController().signal);
    };
    const end = ending(await proposed(conductor([script]).conductor, request()), 'plan-finished');
    expect(end.text).toBe(GOOD);
  });

  it('reads only the text that follows content that turned out to be reasoning', async () => {
    const script: Script = async function* () {
      yield { type: 'delta', channel: 'content', text: 'model_id = [1] would be too few.' };
      yield { type: 'delta', channel: 'content', text: GOOD, relabels: true };
      yield { type: 'finished', usage: null, cost: null, finishReason: 'stop' };
    };
    const events = await proposed(conductor([script]).conductor, request());
    expect(ending(events, 'plan-finished').text).toBe(GOOD);
    expect(find(events, 'plan-delta').map(({ relabels = false }) => relabels)).toEqual([false, true]);
  });
});

describe('an engine that fails', () => {
  it('is called a second time if it fails with a retryable fault before any text', async () => {
    const { engine, conductor: model } = conductor([failsWith(OVERLOADED), delta(GOOD)]);
    const events = await proposed(model, request());
    expect(find(events, 'plan-retried')).toMatchObject([{ problem: null, fault: OVERLOADED, next: 'stricter' }]);
    expect(engine.requested[1]?.messages).toEqual(engine.requested[0]?.messages);
    expect(ending(events, 'plan-finished').source).toBe('conductor');
  });

  it.each([
    ['a second time', [failsWith(OVERLOADED), failsWith(OVERLOADED)], OVERLOADED],
    ['permanently', [failsWith(REFUSED)], REFUSED],
    ['in the middle of its text', [failsWith(OVERLOADED, 'Let me')], OVERLOADED],
  ])('is replaced by the fallback when it fails %s', async (_name, scripts, expected) => {
    const { engine, conductor: model } = conductor(scripts, { fallback: createHeuristicConductor() });
    const events = await proposed(model, request());
    expect(find(events, 'plan-retried').at(-1)).toMatchObject({ fault: expected, next: 'fallback' });
    expect(engine.requested).toHaveLength(scripts.length);
    expect(ending(events, 'plan-finished').source).toBe('fallback');
  });

  it('fails the plan with its own fault when there is no fallback', async () => {
    const events = await proposed(conductor([failsWith(REFUSED, 'Let')]).conductor, request());
    expect(ending(events, 'plan-failed')).toMatchObject({ fault: REFUSED, problem: null, text: 'Let' });
  });

  it('fails as cut off when its stream ends early, and with an internal fault when it throws', async () => {
    const silent: Script = async function* () {
      yield { type: 'delta', channel: 'content', text: 'model_id' };
    };
    const throws: Script = async function* () {
      yield* [];
      throw new TypeError('lost device');
    };
    expect(ending(await proposed(conductor([silent]).conductor, request()), 'plan-failed').fault.code).toBe('cut-off');
    const thrown = ending(await proposed(conductor([throws]).conductor, request()), 'plan-failed').fault;
    expect(thrown).toMatchObject({ code: 'internal', detail: 'TypeError: lost device' });
  });

  it('fails the plan with the fault of the fallback if the fallback fails too', async () => {
    const fallback = createByHandConductor({ steps: [] });
    const events = await proposed(conductor([failsWith(REFUSED)], { fallback }).conductor, request());
    expect(typesOf(events)).toEqual(['plan-started', 'plan-retried', 'plan-failed']);
    expect(ending(events, 'plan-failed').fault.code).toBe('plan-invalid');
  });
});

describe('an abort', () => {
  it('before the call throws an AbortError, and the model is not called', async () => {
    const { engine, conductor: model } = conductor([delta(GOOD)]);
    await expect(proposed(model, request(), AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(engine.requested).toEqual([]);
  });

  it('during the call throws an AbortError, and the fallback is not used', async () => {
    const controller = new AbortController();
    const { engine, conductor: model } = conductor([waits('model_id', () => controller.abort())], {
      fallback: createHeuristicConductor(),
    });
    await expect(proposed(model, request(), controller.signal)).rejects.toMatchObject({ name: 'AbortError' });
    expect(engine.requested).toHaveLength(1);
  });

  it('throws an AbortError even if the engine then ends normally', async () => {
    const controller = new AbortController();
    const ends: Script = async function* () {
      yield { type: 'delta', channel: 'content', text: GOOD };
      controller.abort();
      yield { type: 'finished', usage: null, cost: null, finishReason: 'stop' };
    };
    const { conductor: model } = conductor([ends]);
    await expect(proposed(model, request(), controller.signal)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('by leaving the loop over the plan’s events closes the engine’s stream', async () => {
    let isClosed = false;
    const endless: Script = async function* () {
      try {
        for (;;) yield { type: 'delta', channel: 'content', text: 'more ' };
      } finally {
        isClosed = true;
      }
    };
    for await (const event of conductor([endless]).conductor.propose(request(), new AbortController().signal)) {
      if (event.type === 'plan-delta') break;
    }
    expect(isClosed).toBe(true);
  });
});

describe('several candidates', () => {
  it('are sampled one by one with separate seeds, and the plan with the most common workers and access wins', async () => {
    const { engine, conductor: model } = conductor([delta(OTHER), delta(GOOD), delta(WRONG), delta(GOOD)]);
    const events = await proposed(model, request({ candidates: 4 }));
    expect(find(events, 'plan-candidate').map(({ candidate, workflow }) => [candidate, workflow !== null])).toEqual([
      [0, true],
      [1, true],
      [2, false],
      [3, true],
    ]);
    expect(new Set(engine.requested.map(({ seed }) => seed)).size).toBe(4);
    expect(engine.requested[0]?.temperature).toBe(0.8);
    expect(find(events, 'plan-chosen')).toEqual([{ type: 'plan-chosen', candidate: 1, by: 'vote' }]);
    expect(ending(events, 'plan-finished')).toMatchObject({ text: GOOD, usage: null, cost: null, source: 'conductor' });
  });

  it('are offered to the user if any of them is valid', async () => {
    const { conductor: model } = conductor([delta(WRONG), delta(GOOD)]);
    const events = await proposed(model, request({ candidates: 2, choice: 'person' }));
    expect(typesOf(events)).toEqual(['plan-started', 'plan-delta', 'plan-candidate', 'plan-delta', 'plan-candidate']);
    const { conductor: hopeless } = conductor([delta(WRONG), delta(WRONG), delta(GOOD)]);
    const settled = await proposed(hopeless, request({ candidates: 2, choice: 'person' }));
    expect(ending(settled, 'plan-finished').text).toBe(GOOD);
  });

  it('contain the thought and finish reason of a valid plan, and the text and problem of an invalid one', async () => {
    const { conductor: model } = conductor([delta(GOOD), delta(WRONG)]);
    const [good, wrong] = find(await proposed(model, request({ candidates: 2 })), 'plan-candidate');
    expect(good).toMatchObject({ thought: 'Two workers try it, a third one decides.', finishReason: 'stop' });
    expect(wrong).toMatchObject({ workflow: null, text: WRONG, finishReason: 'stop' });
    expect(wrong?.problem?.message).not.toBe('');
  });

  it('are sampled at the requested temperature', async () => {
    const { engine, conductor: model } = conductor([delta(GOOD), delta(GOOD), delta(GOOD)]);
    await proposed(model, request({ candidates: 2, planTemperature: 0.5 }));
    await proposed(model, request({ planTemperature: 0 }));
    expect(engine.requested.map(({ temperature }) => temperature)).toEqual([0.5, 0.5, 0]);
  });

  it('report the speed of the chosen candidate', async () => {
    const speed = { promptTokens: 900, decodeTokens: 60, prefill: 800, decode: 40, firstToken: 1100, grammar: 5 };
    const measured = (text: string, decode: number): Script =>
      async function* () {
        yield { type: 'delta', channel: 'content', text };
        yield { type: 'finished', usage: null, cost: 0, finishReason: 'stop', speed: { ...speed, decode } };
      };
    const { conductor: model } = conductor([measured(OTHER, 10), measured(GOOD, 20), measured(GOOD, 30)]);
    const events = await proposed(model, request({ candidates: 3 }));
    expect(ending(events, 'plan-finished').speed).toEqual({ ...speed, decode: 20 });
  });

  it('count as one invalid plan when none of them is valid', async () => {
    const { engine, conductor: model } = conductor([delta(WRONG), delta(WRONG), delta(GOOD)]);
    const events = await proposed(model, request({ candidates: 2 }));
    expect(find(events, 'plan-chosen')).toEqual([]);
    expect(find(events, 'plan-retried')).toMatchObject([{ next: 'stricter', usage: null, cost: null }]);
    expect(engine.requested[2]?.messages.at(-2)).toEqual({ role: 'assistant', content: WRONG });
    expect(ending(events, 'plan-finished')).toMatchObject({ text: GOOD, usage: { input: 100, output: 20 } });
  });

  it('do not include calls that hit a rate limit', async () => {
    const away = fault('rate-limited', 'Too many calls.', { retryable: true });
    const { engine, conductor: model } = conductor([failsWith(away), delta(GOOD), failsWith(away), delta(OTHER)]);
    const events = await proposed(model, request({ candidates: 2 }));
    expect(find(events, 'plan-candidate').map(({ workflow }) => workflow !== null)).toEqual([true, true]);
    expect(find(events, 'plan-retried').map(({ fault: lost }) => lost)).toEqual([away, away]);
    expect(engine.requested).toHaveLength(4);
    expect(ending(events, 'plan-finished').text).toBe(GOOD);
  });

  it('are given up after 12 calls if every call hits a rate limit', async () => {
    const away = fault('rate-limited', 'Too many calls.', { retryable: true });
    const { engine, conductor: model } = conductor(Array.from({ length: 40 }, () => failsWith(away)));
    const events = await proposed(model, request({ candidates: 2 }));
    expect(find(events, 'plan-candidate').map(({ fault: lost }) => lost)).toEqual([away]);
    expect(ending(events, 'plan-failed').fault).toEqual(away);
    expect(engine.requested).toHaveLength(12);
  });

  it('are given up once 12 calls have hit a rate limit, even if other calls came between them', async () => {
    const away = fault('rate-limited', 'Too many calls.', { retryable: true });
    const refused = (count: number) => Array.from({ length: count }, () => failsWith(away));
    const { engine, conductor: model } = conductor([...refused(6), delta(WRONG), delta(WRONG), ...refused(20)]);
    const events = await proposed(model, request({ candidates: 2 }));
    expect(ending(events, 'plan-failed').fault).toEqual(away);
    expect(engine.requested).toHaveLength(12 + 2);
    const { engine: other, conductor: lucky } = conductor([delta(GOOD), ...refused(20)]);
    const drawn = await proposed(lucky, request({ candidates: 4 }));
    expect(ending(drawn, 'plan-finished').text).toBe(GOOD);
    expect(other.requested).toHaveLength(12 + 1);
  });

  it('are not requested again after a permanent fault', async () => {
    const { engine, conductor: model } = conductor([failsWith(REFUSED)]);
    const events = await proposed(model, request({ candidates: 3 }));
    expect(engine.requested).toHaveLength(1);
    expect(find(events, 'plan-candidate')).toMatchObject([{ workflow: null, problem: null, fault: REFUSED }]);
    expect(ending(events, 'plan-failed').fault).toEqual(REFUSED);
  });
});

describe('a language model in a recursive run', () => {
  const requested = request({ pool: [...pool(2), CONDUCTOR_ENTRY], recursion: true, round: 1 });
  const earlier: EarlierRound = {
    workflow: {
      steps: [
        { worker: 0, subtask: 'Solve it.', access: [] },
        { worker: 2, subtask: 'Look again.', access: [0] },
      ],
    },
    outputs: ['4', null],
    answer: '4',
  };
  const KEEP = 'It is right.\n\nmodel_id = []\nsubtasks = []\naccess_list = []';

  it('may keep the answer of the previous round, which its prompt contains', async () => {
    const { engine, conductor: model } = conductor([delta(KEEP)]);
    const events = await proposed(model, { ...requested, earlier: [earlier] });
    expect(ending(events, 'plan-finished').workflow).toEqual({ steps: [] });
    expect(engine.requested[0]?.messages.at(-1)?.content).toContain('<response>\n4\n</response>');
  });

  it('cannot keep an answer if the previous round has none', async () => {
    const lost = { ...earlier, outputs: [null, null], answer: '' };
    const events = await proposed(conductor([delta(KEEP), delta(KEEP)]).conductor, { ...requested, earlier: [lost] });
    expect(ending(events, 'plan-failed').problem?.code).toBe('no-steps');
  });

  it('may name the Conductor in the last step if recursion is on, but not if it is off', async () => {
    const again = `model_id = [0, 2]\nsubtasks = ["Solve it.", "Look again."]\naccess_list = [[], [0]]`;
    const on = await proposed(conductor([delta(again)]).conductor, { ...requested, earlier: [earlier] });
    expect(ending(on, 'plan-finished').workflow.steps.at(-1)?.worker).toBe(2);
    const off = await proposed(conductor([delta(again), delta(again)]).conductor, { ...requested, recursion: false });
    expect(ending(off, 'plan-failed').problem?.code).toBe('worker-outside-pool');
  });
});

describe('a language model under an enforced grammar', () => {
  it('announces each step when it is final, before the plan is finished', async () => {
    const { engine, conductor: model } = conductor([delta(GOOD)], {}, true);
    const events = await proposed(model, request());
    const { workflow } = ending(events, 'plan-finished');
    const known = find(events, 'plan-step-known');
    expect(known.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(known.map(({ step }) => step)).toEqual(workflow.steps);
    const first = events.findIndex((event) => event.type === 'plan-step-known');
    expect(events.slice(first).some((event) => event.type === 'plan-delta')).toBe(true);
    const grammar = find(events, 'plan-started')[0]?.grammar;
    expect(grammar?.text).toBe(engine.requested[0]?.grammar);
    expect(grammar?.hash).toBe(sha256Hex(grammar?.text ?? ''));
  });

  it('announces no step while candidates are sampled', async () => {
    const { conductor: model } = conductor([delta(GOOD), delta(GOOD)], {}, true);
    const events = await proposed(model, request({ candidates: 2 }));
    expect(find(events, 'plan-step-known')).toEqual([]);
  });
});

describe('a request that no grammar can satisfy', () => {
  it('fails without a call to the model when the pool has no workers', async () => {
    const { engine, conductor: model } = conductor([], {}, true);
    const events = await proposed(model, request({ pool: [CONDUCTOR_ENTRY], recursion: true }));
    expect(ending(events, 'plan-failed').fault.code).toBe('no-workers');
    expect(engine.requested).toEqual([]);
  });
});

describe('the options of a language model as the Conductor', () => {
  it('may include the access scheme that the model was trained with. It overrides the scheme of the request', async () => {
    const { engine, conductor: model } = conductor([delta(OTHER)], { access: 'binary' });
    await proposed(model, request({ access: 'fine' }));
    expect(engine.requested[0]?.messages[0]?.content).toContain('or "all" if');
  });

  it('may not include a prompt template without the question', async () => {
    const { engine, conductor: model } = conductor([], { template: { fixed: 'Plan.', question: '{{workers}}' } });
    const { fault: refused } = ending(await proposed(model, request()), 'plan-failed');
    expect(refused.message).toContain('{{question}}');
    expect(engine.requested).toEqual([]);
  });
});

describe('an endpoint that writes invalid plans', () => {
  const endpoint: ConductorInfo = {
    id: 'endpoint:a',
    label: 'A',
    kind: 'endpoint',
    origin: 'https://a.example',
    price: { input: 1, output: 1 },
  };
  const fallback = createHeuristicConductor();

  it('is retried as often as the request allows, each time with twice the output limit', async () => {
    const { engine, conductor: model } = conductor([delta(WRONG), delta('No.'), delta(WRONG), delta(GOOD)], {
      info: endpoint,
      fallback,
    });
    const events = await proposed(model, request({ planRetries: 3 }));
    expect(engine.requested.map(({ maxTokens }) => maxTokens)).toEqual([1024, 2048, 4096, 8192]);
    const retries = find(events, 'plan-retried');
    expect(retries.map(({ maxTokens, cost }) => [maxTokens, cost])).toEqual([
      [2048, 0.01],
      [4096, 0.01],
      [8192, 0.01],
    ]);
    // The prompt of a retry contains only the last invalid answer.
    const last = engine.requested[3]?.messages ?? [];
    expect(last.slice(0, -2)).toEqual(engine.requested[0]?.messages);
    expect(last.at(-2)?.content).toBe(WRONG);
    expect(ending(events, 'plan-finished').source).toBe('conductor');
  });

  it('is called once if there are no retries', async () => {
    const { engine, conductor: model } = conductor([delta(WRONG)], { info: endpoint, fallback });
    const events = await proposed(model, request({ planRetries: 0 }));
    expect(engine.requested).toHaveLength(1);
    expect(ending(events, 'plan-finished').source).toBe('fallback');
  });

  it('gets more retries than a local model, which gets one retry with the same output limit', async () => {
    const { engine, conductor: model } = conductor([delta(WRONG), delta(WRONG)], { fallback });
    await proposed(model, request({ planRetries: 5 }));
    expect(engine.requested.map(({ maxTokens }) => maxTokens)).toEqual([1024, 1024]);
  });
});

describe('a prompt that the user has written', () => {
  it('fails without a model call if it lacks a placeholder, and the error names the placeholder', async () => {
    const { engine, conductor: model } = conductor([delta(GOOD)]);
    const prompt = { template: { fixed: '{{examples}}', question: '{{question}}' } };
    const events = await proposed(model, request({ prompt }));
    expect(ending(events, 'plan-failed').fault).toMatchObject({ code: 'bad-request' });
    expect(ending(events, 'plan-failed').fault.message).toContain('{{workers}}');
    expect(engine.requested).toEqual([]);
  });
});

describe('the second round in the recursion mode “always”', () => {
  const EVERYTHING = `model_id = [0, 1]\nsubtasks = ["Mend it.", "Decide."]\naccess_list = ["all", []]`;
  const earlier: EarlierRound = {
    workflow: { steps: [{ worker: 0, subtask: 'Solve it.', access: [] }] },
    outputs: ['4'],
    answer: '4',
  };
  const requested = request({ round: 1, earlier: [earlier], showsEarlier: true });

  it.each([false, true])(
    'reads "all" for its first step as access to the first round (grammar: %s)',
    async (enforces) => {
      const events = await proposed(conductor([delta(EVERYTHING)], {}, enforces).conductor, requested);
      const { workflow } = ending(events, 'plan-finished');
      expect(workflow.steps.map(({ access, seesEarlier }) => [access, seesEarlier])).toEqual([
        [[], true],
        [[], undefined],
      ]);
      if (enforces) expect(find(events, 'plan-step-known').map(({ step }) => step)).toEqual(workflow.steps);
    },
  );

  it('is different from other rounds, in which "all" for the first step means no access', async () => {
    const events = await proposed(conductor([delta(EVERYTHING)]).conductor, request());
    expect(ending(events, 'plan-finished').workflow.steps[0]).toEqual({ worker: 0, subtask: 'Mend it.', access: [] });
  });
});

describe('the time limit of a plan', () => {
  const limited = request({ planSeconds: 60 });
  const LATE = { code: 'timeout', retryable: false, message: expect.stringContaining('longer than 1 minute') };

  /** Collects the events of a plan. Once the model has begun, the clock advances by each time in `ms`, one after the other. */
  async function until(script: (clock: FakeClock, begun: () => void) => Script, ms: readonly number[], more = {}) {
    const clock = new FakeClock();
    let isBegun = () => {};
    const begun = new Promise<void>((resolve) => (isBegun = resolve));
    const { engine, conductor: model } = conductor([script(clock, isBegun)], { clock, ...more });
    const events = proposed(model, limited);
    await begun;
    for (const each of ms) await clock.advance(each);
    return { engine, clock, events: await events };
  }

  it('stops the model, keeps its text, and uses the plan of the fallback', async () => {
    const { engine, clock, events } = await until((_, begun) => waits('model_id = [', begun), [59_999, 1], {
      fallback: createHeuristicConductor(),
    });
    expect(find(events, 'plan-retried')).toMatchObject([
      { fault: LATE, problem: null, text: 'model_id = [', next: 'fallback', usage: { estimated: true } },
    ]);
    expect(ending(events, 'plan-finished').source).toBe('fallback');
    expect(engine.requested).toHaveLength(1);
    expect(clock.sleeping).toBe(0);
  });

  it('records the tokens that the engine counted', async () => {
    const usage = { input: 300, output: 70 };
    const counted = (_: FakeClock, begun: () => void): Script =>
      async function* (signal) {
        yield { type: 'delta', channel: 'content', text: 'model_id = [', usage };
        yield* waits('', begun)(signal);
      };
    const { events } = await until(counted, [60_000]);
    expect(ending(events, 'plan-failed')).toMatchObject({ fault: LATE, usage });
  });

  it('fails the plan if there is no fallback', async () => {
    const { events } = await until((_, begun) => waits('', begun), [60_000]);
    expect(ending(events, 'plan-failed')).toMatchObject({ fault: LATE });
  });

  it('does not count the time that a call waits for its turn', async () => {
    const waitsThenWrites = (clock: FakeClock, begun: () => void): Script =>
      async function* (signal) {
        yield { type: 'waiting', for: 'place', delay: null };
        const turn = clock.sleep(100_000, signal);
        begun();
        await turn;
        yield { type: 'waiting', for: null, delay: null };
        yield* delta(GOOD)(signal);
      };
    const { events } = await until(waitsThenWrites, [100_000]);
    expect(ending(events, 'plan-finished').text).toBe(GOOD);
  });

  it('covers the first answer and its correction together', async () => {
    const clock = new FakeClock();
    const slow = (text: string): Script =>
      async function* (signal) {
        await clock.sleep(40_000, signal);
        yield* delta(text)(signal);
      };
    const { conductor: model } = conductor([slow(WRONG), slow(GOOD)], { clock });
    const events = proposed(model, limited);
    await clock.advance(60_000);
    expect(find(await events, 'plan-retried')).toMatchObject([{ next: 'stricter' }]);
    expect(ending(await events, 'plan-failed').fault).toMatchObject(LATE);
  });

  it('applies to each candidate separately, and keeps the candidates before a late one', async () => {
    const clock = new FakeClock();
    const slow: Script = async function* (signal) {
      await clock.sleep(40_000, signal);
      yield* delta(GOOD)(signal);
    };
    const { conductor: model } = conductor([slow, slow, waits('', () => {})], { clock });
    const events = proposed(model, { ...limited, candidates: 4 });
    await clock.advance(140_000);
    expect(find(await events, 'plan-candidate')).toMatchObject([{}, {}, { workflow: null, fault: LATE }]);
    expect(ending(await events, 'plan-finished').workflow.steps).toHaveLength(3);
  });

  it('does not apply if the request sets none', async () => {
    const clock = new FakeClock();
    const slow: Script = async function* (signal) {
      await clock.sleep(9e6, signal);
      yield* delta(GOOD)(signal);
    };
    const { conductor: model } = conductor([slow], { clock });
    const events = proposed(model, request());
    await clock.advance(9e6);
    expect(ending(await events, 'plan-finished').text).toBe(GOOD);
  });
});
