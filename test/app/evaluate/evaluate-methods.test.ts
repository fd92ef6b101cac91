import { describe, expect, it } from 'vitest';
import {
  methodChoices,
  methodOf,
  NO_VARIATION,
  VARIED_EXAMPLES,
  variationsFor,
  type Variation,
} from '../../../src/app/evaluate/evaluate-methods';
import type { ConductorChoice } from '../../../src/app/services';
import { endpointConductorInfo } from '../../../src/core/conductor/endpoint-info';
import { createHeuristicConductor, HEURISTIC_INFO } from '../../../src/core/conductor/heuristic';
import { TEMPLATES } from '../../../src/core/conductor/templates';
import { DEFAULT_PREFERENCES, type Preferences } from '../../../src/core/contract';
import { isSingleWorker } from '../../../src/core/evaluation/statistics/single-workers';
import { batchWorker } from '../../fixtures/evaluation/batches';

const POOL = [batchWorker('a'), batchWorker('b'), batchWorker('c')];
const RULES: ConductorChoice = { info: HEURISTIC_INFO, description: '', instant: true, group: 'built-in' };
const MODEL: ConductorChoice = {
  info: endpointConductorInfo({ ...batchWorker('m'), kind: 'endpoint', origin: 'https://api.example.com' }),
  description: '',
  instant: false,
  group: 'worker',
};
const templates = TEMPLATES.map(({ info, description, instant, by, acceptsWorker }): ConductorChoice => {
  return { info, description, instant, group: by, acceptsWorker };
});
const choices = methodChoices([RULES, MODEL, ...templates], POOL);

function method(id: string, variation: Partial<Variation> = {}, preferences: Partial<Preferences> = {}) {
  const choice = choices.find(({ info }) => info.id === id);
  if (!choice) throw new Error(`There is no method ${id}.`);
  return methodOf({ variation: { ...NO_VARIATION, ...variation } }, choice, {
    pool: POOL,
    preferences: { ...DEFAULT_PREFERENCES, ...preferences },
    services: { conductor: (info) => ({ ...createHeuristicConductor(), info }) },
  });
}

describe('methods (Conductors and single workers) to choose from', () => {
  it('are grouped into single workers, Conductors, baselines and other templates', () => {
    const of = (section: string) =>
      choices.filter((choice) => choice.section === section).map(({ name, info }) => name ?? info.label);
    expect(of('workers')).toEqual(['Worker a', 'Worker b', 'Worker c']);
    expect(of('conductors')).toEqual([HEURISTIC_INFO.label, `${MODEL.info.label} as Conductor`]);
    expect(of('baselines')).toContain('Mixture of Agents');
    expect(of('templates')).toContain('Random workflow');
  });

  it('can vary the examples, the candidate plans and the recursion depth only if a model writes the plan', () => {
    expect(variationsFor(MODEL)).toMatchObject({ examples: true, candidates: true, depth: true });
    expect(variationsFor(RULES)).toMatchObject({ examples: false, candidates: false, depth: false });
  });
});

describe('methodOf', () => {
  it('makes methods that never wait for the user, even if the preferences ask for approval', () => {
    const { settings } = method(HEURISTIC_INFO.id, {}, { approval: true, choice: 'person', candidates: 3 });
    expect(settings.approval).toBe(false);
    expect(settings.choice).toBe('vote');
  });

  it('gives a baseline one round, even if recursion is on', () => {
    const { settings } = method('template:consensus', {}, { recursion: true, effort: 'thorough' });
    expect(settings.recursion).toBe(false);
    expect(settings.caps.rounds).toBe(1);
    expect(settings.pool).toHaveLength(POOL.length);
  });

  it('allows one more round than the depth of recursion', () => {
    expect(method(MODEL.info.id, { depth: 0 }, { effort: 'thorough' }).settings).toMatchObject({
      recursion: false,
      caps: { rounds: 1 },
    });
    const deep = method(MODEL.info.id, { depth: 3 }).settings;
    expect(deep).toMatchObject({ recursion: true, recursionMode: 'self', caps: { rounds: 4 } });
    expect(deep.pool.at(-1)?.kind).toBe('conductor');
  });

  it('lists the variations in a method’s label, and gives each set of variations its own id', () => {
    const plain = method(MODEL.info.id);
    const varied = method(MODEL.info.id, { onlyWorker: 'b', access: 'none', examples: 'none', candidates: 5 });
    expect(varied.label).toBe(`${plain.label}, all steps by Worker b, no step sees another, no examples, best of 5`);
    expect(varied.id).not.toBe(plain.id);
    expect(varied.ablation).toEqual({ onlyWorker: 'b', access: 'none' });
    expect(varied.settings.prompt).toEqual({ examples: 'none' });
    expect(varied.settings.candidates).toBe(5);
    expect(method(MODEL.info.id, { candidates: 2 }).id).not.toBe(method(MODEL.info.id, { candidates: 3 }).id);
  });

  it('skips settled steps, only asks for verdicts, or calls all steps, whatever the settings say', () => {
    const skipping = (skip: Variation['skipping'], preferences: Partial<Preferences>) => {
      const { settings, label } = method(MODEL.info.id, { skipping: skip }, preferences);
      return {
        skips: settings.skipSettled,
        goesOn: settings.trust?.goesOn,
        words: label.split(', ').slice(1).join(', '),
      };
    };
    expect(skipping(null, {})).toMatchObject({ skips: true, words: '' });
    expect(skipping('call', {})).toEqual({ skips: undefined, goesOn: undefined, words: 'nothing skipped' });
    const thorough = { effort: 'thorough', skipSettled: false } as const;
    expect(skipping('skip', thorough)).toEqual({ skips: true, goesOn: undefined, words: 'settled steps skipped' });
    expect(skipping('ask', thorough)).toEqual({ skips: true, goesOn: true, words: 'verdicts asked, nothing skipped' });
    const rulesOf = (skip: Variation['skipping']) =>
      method(MODEL.info.id, { skipping: skip }, { trustBound: 90, goOnShare: 20 }).trustRules;
    for (const skip of [null, 'skip'] as const) expect(rulesOf(skip)).toEqual({ bound: 0.9, goOnShare: 0.2 });
    for (const skip of ['ask', 'call'] as const) expect(rulesOf(skip)).toBeUndefined();
    expect(variationsFor(RULES).skipping).toBe(true);
    expect(variationsFor(templates[0] ?? RULES).skipping).toBe(false);
  });

  it('lets a worker alone think as much as it can, if it has a setting for thinking', () => {
    const id = choices.find(({ section }) => section === 'workers')?.info.id ?? '';
    const most = method(id, { mostThinking: true });
    expect(most).toMatchObject({ label: 'Worker a, most thinking', settings: { sampling: { mostThinking: true } } });
    expect(most.id).not.toBe(method(id).id);
    expect(isSingleWorker(most)).toBe(true);
    const single = choices.find(({ info }) => info.id === id) ?? RULES;
    expect(variationsFor(single, POOL).mostThinking).toBe(false);
    const thinking = POOL.map((worker) => ({ ...worker, thinks: false }));
    expect(variationsFor(single, thinking).mostThinking).toBe(true);
    expect(variationsFor(RULES, thinking).mostThinking).toBe(false);
  });

  it('gives different prompts, labels and ids to methods with out-of-domain, in-domain or no examples', () => {
    const sets = VARIED_EXAMPLES.map((examples) => method(MODEL.info.id, { examples }));
    expect(sets.map(({ settings }) => settings.prompt?.examples)).toEqual(['other', 'same', 'none']);
    expect(sets.map(({ label }) => label.split(', ').at(-1))).toEqual([
      'out-of-domain examples',
      'in-domain examples',
      'no examples',
    ]);
    expect(new Set(sets.map(({ id }) => id)).size).toBe(3);
  });

  it('keeps the user’s other edits of the prompt if a variation sets the examples', () => {
    const prompts = { all: { examples: 'own', ownExamples: 'Mine', later: 'Again.' }, single: {} } as const;
    expect(method(MODEL.info.id, { examples: 'same' }, { prompts }).settings.prompt).toMatchObject({
      examples: 'same',
      later: 'Again.',
    });
  });

  it('labels a single-worker method with the name of the worker, but keeps the Conductor’s label in the settings', () => {
    expect(method('template:best-single@a').label).toBe('Worker a');
    expect(method('template:best-single@a').settings.conductor.label).toBe('Best single worker: Worker a');
  });
});
