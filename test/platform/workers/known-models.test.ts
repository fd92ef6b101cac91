import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  BENCHMARK_DOMAIN,
  BENCHMARKS,
  familyOf,
  matchModel,
  plainModelId,
  publishedRecord,
  type KnownModel,
} from '../../../src/core/contract';
import { knownModelSchema } from '../../../src/core/contract/model/known-model-schema';
import { KNOWN_MODELS } from '../../../src/platform/workers/known-models';

const FILES: Readonly<Record<string, unknown>> = import.meta.glob('../../../models/known/*.json', {
  eager: true,
  import: 'default',
});

/** For each family of models, ids as providers write them. */
const IDS: Readonly<Record<string, readonly string[]>> = {
  'gpt-5': ['gpt-5', 'openai/gpt-5', 'gpt-5-2025-08-07', 'openai/gpt-5:nitro', ' GPT-5 '],
  'gemini-2.5-pro': ['gemini-2.5-pro', 'google/gemini-2.5-pro', 'models/gemini-2.5-pro', 'gemini-2.5-pro-002'],
  'claude-sonnet-4': [
    'claude-sonnet-4',
    'anthropic/claude-sonnet-4',
    'claude-sonnet-4-20250514',
    'claude-sonnet-4@20250514',
    'claude-sonnet-4-0',
    'us.anthropic.claude-sonnet-4-20250514-v1:0',
  ],
  'qwen3-32b': ['qwen/qwen3-32b', 'Qwen/Qwen3-32B', 'Qwen/Qwen3-32B-FP8', 'qwen3:32b', 'qwen3:32b-q8_0', 'qwen-3-32b'],
  'gemma-3-27b': ['google/gemma-3-27b-it', 'google/gemma-3-27b-it:free', 'gemma3:27b', 'gemma3:27b-it-qat'],
  'deepseek-r1-distill-qwen-32b': ['deepseek/deepseek-r1-distill-qwen-32b', 'deepseek-r1:32b'],
};

/** Ids of models that are not in `models/known`. Most of them resemble the id of a known model. */
const OTHERS = [
  'gpt-5-mini',
  'openai/gpt-5-nano',
  'gpt-5-chat-latest',
  'gpt-5-codex',
  'gpt-5.1',
  'gpt-5.5',
  'gpt-50',
  'claude-sonnet-4-5',
  'claude-sonnet-4-5-20250929',
  'anthropic/claude-sonnet-4.5',
  'claude-opus-4-20250514',
  'anthropic.claude-opus-4-20250514-v1:0',
  'gemini-2.5-pro-preview-06-05',
  'gemini-2.5-flash',
  'qwen3-32b-base',
  'qwen3:8b',
  'qwen/qwen3-235b-a22b',
  'google/gemma-3-12b-it',
  'gemma-3-27b-pt',
  'gemma3:12b',
  'gemma3n:e4b',
  'deepseek-r1-distill-llama-70b',
  'deepseek-r1-distill-qwen-14b',
  'deepseek-r1:70b',
  'deepseek/deepseek-r1',
  'toString',
  '',
];

describe('the files of models/known', () => {
  test.each(Object.entries(FILES))(
    '%s matches the schema, is named after its id, and has no future dates',
    (path, file) => {
      const model: KnownModel = knownModelSchema.parse(file);
      expect(path.endsWith(`/${model.id}.json`)).toBe(true);
      for (const fact of [model.context, model.vision, model.thinking, ...model.figures]) {
        if (fact) expect(Date.parse(fact.date)).toBeLessThan(Date.now());
      }
    },
  );

  test('fail validation with an unknown field or benchmark, an impossible percentage, or an invalid source or pattern', () => {
    const [file] = z.array(knownModelSchema).parse(Object.values(FILES));
    const figures = file?.figures[0];
    const broken = [
      { ...file, contextSize: 1 },
      { ...file, figures: [{ ...figures, scores: { MATH: 50 } }] },
      { ...file, figures: [{ ...figures, scores: { MATH500: 101 } }] },
      { ...file, figures: [{ ...figures, source: 'a paper' }] },
      { ...file, ids: ['('] },
    ];
    for (const each of broken) expect(knownModelSchema.safeParse(each).success).toBe(false);
  });

  test('have scores on all benchmarks, so that their means are comparable', () => {
    for (const { figures } of KNOWN_MODELS) {
      for (const { scores } of figures) expect(Object.keys(scores).toSorted()).toEqual([...BENCHMARKS].toSorted());
    }
  });

  test('match a few samples from Tables 1, 7 and 8 of arXiv:2512.04388', () => {
    const scores = (id: string, place: number) => KNOWN_MODELS.find((each) => each.id === id)?.figures[place]?.scores;
    expect(scores('gpt-5', 0)).toMatchObject({ MATH500: 74.45, LCB: 57.5, 'GPQA-D': 72.73 });
    expect(scores('gpt-5', 1)).toMatchObject({ AIME25: 90.8, BCB: 32.75 });
    expect(scores('claude-sonnet-4', 1)).toMatchObject({ RLPR: 36.7, LCB: 46.54 });
    expect(scores('gemma-3-27b', 0)).toMatchObject({ LCB: 7.21, MMLU: 63.58 });
  });
});

describe('matching by model id', () => {
  test.each(Object.entries(IDS).flatMap(([family, ids]) => ids.map((id) => [id, family] as const)))(
    '%s matches the family %s and no other',
    (id, family) => {
      const matching = KNOWN_MODELS.filter((model) => matchModel([model], id) !== null);
      expect(matching.map((model) => model.id)).toEqual([family]);
    },
  );

  test.each(OTHERS)('does not match “%s”', (id) => {
    expect(matchModel(KNOWN_MODELS, id)).toBeNull();
  });

  test('is tested for every known family', () => {
    expect(Object.keys(IDS).toSorted()).toEqual(KNOWN_MODELS.map(({ id }) => id).toSorted());
  });

  test('ignores the path and the routing suffix of an id, but keeps a size such as “:32b”', () => {
    expect(plainModelId('accounts/fireworks/models/Qwen3-32B:free')).toBe('qwen3-32b');
    expect(plainModelId('qwen3:32b')).toBe('qwen3:32b');
  });

  test('uses the user’s choice of a known model instead of the id', () => {
    expect(familyOf(KNOWN_MODELS, { model: 'my-own-name', knownAs: 'gpt-5' })?.id).toBe('gpt-5');
    expect(familyOf(KNOWN_MODELS, { model: 'gpt-5', knownAs: null })).toBeNull();
    expect(familyOf(KNOWN_MODELS, { model: 'gpt-5', knownAs: 'gone' })).toBeNull();
  });
});

describe('publishedRecord', () => {
  const recordOf = (model: string, reasoning?: 'off' | 'low' | 'medium' | 'high') =>
    publishedRecord(KNOWN_MODELS, { model, ...(reasoning ? { reasoning } : {}) });

  test('returns the mean score of each domain, with its source', () => {
    const record = recordOf('openai/gpt-5');
    expect(record).toMatchObject({ family: 'gpt-5', setting: 'constrained', tables: 'Tables 7 and 8' });
    expect(record?.source).toBe('https://arxiv.org/abs/2512.04388v5');
    const scores = Object.entries(record?.domains ?? {}).map(([domain, { score }]) => [domain, Math.round(score)]);
    expect(Object.fromEntries(scores)).toEqual({ maths: 61, code: 46, science: 73, knowledge: 61 });
  });

  test('uses the scores of the unconstrained setting only for a worker with a high thinking level', () => {
    expect(recordOf('gpt-5', 'high')).toMatchObject({ setting: 'unconstrained', tables: 'Table 1' });
    expect(recordOf('gpt-5', 'medium')?.setting).toBe('constrained');
    // This model has only constrained scores.
    expect(recordOf('gemma3:27b', 'high')?.setting).toBe('constrained');
  });

  test('returns the scores measured without thinking if thinking is off', () => {
    expect(recordOf('qwen/qwen3-32b', 'off')?.domains.maths?.score).toBeCloseTo((73.15 + 23.33) / 2, 3);
    expect(recordOf('qwen/qwen3-32b')?.domains.maths?.score).toBeCloseTo((76.85 + 23.33) / 2, 3);
  });

  test('computes the ability in a domain from scores divided by the best score of all models', () => {
    expect(recordOf('gpt-5', 'high')?.domains.maths?.ability).toBe(1);
    expect(recordOf('gpt-5')?.domains.code?.ability).toBeCloseTo((57.5 / 82.9 + 33.8 / 37.51) / 2, 3);
    for (const { id } of KNOWN_MODELS) {
      for (const { ability = 1 } of Object.values(recordOf(id)?.domains ?? {})) {
        expect(ability).toBeGreaterThan(0);
        expect(ability).toBeLessThan(1);
      }
    }
  });

  test('has no score for writing, which no benchmark measures, and is null for an unknown model', () => {
    expect(Object.values(BENCHMARK_DOMAIN)).not.toContain('writing');
    expect(recordOf('gpt-5')?.domains.writing).toBeUndefined();
    expect(recordOf('gpt-5-mini')).toBeNull();
  });
});
