/**
 * @file Finds the published facts about a worker's model. `models/known/` contains the facts, with their sources and dates, and
 * documents their format.
 */
import type { Domain } from '../worker/domain';
import type { ReasoningLevel } from '../worker/provider';

/** The benchmarks with figures in `models/known/`. */
export const BENCHMARKS = ['MATH500', 'AIME25', 'LCB', 'BCB', 'GPQA-D', 'MMLU', 'RLPR'] as const;
export type Benchmark = (typeof BENCHMARKS)[number];

/** The domain that each benchmark measures. No benchmark measures writing. */
export const BENCHMARK_DOMAIN: Readonly<Record<Benchmark, Domain>> = {
  MATH500: 'maths',
  AIME25: 'maths',
  LCB: 'code',
  BCB: 'code',
  'GPQA-D': 'science',
  MMLU: 'knowledge',
  RLPR: 'knowledge',
};

/**
 * The two settings of arXiv 2512.04388. `constrained`: 4,096 output tokens and as little thinking as the model allows.
 * `unconstrained`: as many output tokens as the model allows, with thinking.
 */
export const PUBLISHED_SETTINGS = ['constrained', 'unconstrained'] as const;
export type PublishedSetting = (typeof PUBLISHED_SETTINGS)[number];

/** The source of a fact. */
export interface FactSource {
  /** Address of the page. */
  readonly source: string;
  /** The date stated on the page. If there is none, the date on which the page was read. */
  readonly date: string;
}

/** The figures from one source for one model in one setting. */
export interface KnownFigures extends FactSource {
  readonly setting: PublishedSetting;
  /** A short description of how the model was run. */
  readonly run: string;
  /** Whether the model thought before it answered. Absent: the figures apply with and without thinking. */
  readonly thinking?: boolean;
  /** Names of the tables that contain the figures, such as “Tables 7 and 8”. */
  readonly tables: string;
  /** Share of correct answers, in percent. */
  readonly scores: Readonly<Partial<Record<Benchmark, number>>>;
}

/** Whether a model thinks before it answers. */
export interface KnownThinking extends FactSource {
  readonly thinks: 'never' | 'optional' | 'always';
  /**
   * Whether the model thinks if a call requests no reasoning level. Absent: yes. Set only if `thinks` is
   * `optional`.
   */
  readonly byDefault?: boolean;
}

/** A model family: one model under all ids that providers use for it. */
export interface KnownModel {
  /** Stable, because workers refer to it. */
  readonly id: string;
  readonly label: string;
  /**
   * Regular expressions for model ids. A model belongs to the family if one of the expressions matches the
   * whole result of `plainModelId`.
   */
  readonly ids: readonly string[];
  /** Tokens of prompt and answer together. `null`: not stated by any source. */
  readonly context: ({ readonly tokens: number } & FactSource) | null;
  /** Whether the model reads images. `null`: not stated by any source. */
  readonly vision: ({ readonly reads: boolean } & FactSource) | null;
  /** `optional`: thinking can be reduced or turned off. `null`: not stated by any source. */
  readonly thinking: KnownThinking | null;
  readonly figures: readonly KnownFigures[];
}

/** The published figures for a worker's model, as a run stores them. */
export interface PublishedRecord extends FactSource {
  /** Id of the model family. */
  readonly family: string;
  readonly label: string;
  readonly setting: PublishedSetting;
  readonly tables: string;
  readonly domains: Readonly<Partial<Record<Domain, PublishedAbility>>>;
}

export interface PublishedAbility {
  /** Mean score over the domain's benchmarks, in percent. */
  readonly score: number;
  /**
   * From 0 to 1. For each of the domain's benchmarks, the score is divided by the best score of any model in `models/known/`, in
   * any setting. The ability is the mean of these ratios. So hard and easy benchmarks have equal weight.
   */
  readonly ability: number;
}

/** The fields of a worker that decide which published facts apply. */
export interface MatchedWorker {
  /** The model's id at the provider. */
  readonly model: string;
  readonly reasoning?: ReasoningLevel | null;
  /** The worker's budget of thinking tokens, if it has one. */
  readonly reasoningTokens?: number;
  /** The family that the user chose. `null`: no family. Absent: the family is matched by `model`. */
  readonly knownAs?: string | null;
}

/** Suffixes of model ids that tell a provider how to route a call. */
const ROUTING = /:(?:free|nitro|floor|exacto|extended|online|beta|fastest|cheapest)$/;

/** A model's id without the provider's path and routing: `openai/gpt-5:nitro` is `gpt-5`. In lower case. */
export function plainModelId(model: string): string {
  const name = model.trim().toLowerCase().replace(ROUTING, '');
  return name.slice(name.lastIndexOf('/') + 1);
}

/** The first family that matches a model id, or `null`. */
export function matchModel(models: readonly KnownModel[], model: string): KnownModel | null {
  const plain = plainModelId(model);
  return models.find(({ ids }) => ids.some((id) => new RegExp(`^(?:${id})$`).test(plain))) ?? null;
}

/** The family of a worker: the user's choice, else the family that matches the model's id. */
export function familyOf(models: readonly KnownModel[], worker: MatchedWorker): KnownModel | null {
  if (worker.knownAs === undefined) return matchModel(models, worker.model);
  return models.find(({ id }) => id === worker.knownAs) ?? null;
}

/**
 * The published figures for a worker's model. Only figures for the worker's mode (thinking or not) are used.
 * A worker with a high reasoning level or a large thinking budget gets the unconstrained figures. Any other
 * worker gets the constrained figures, because Podium's default output limit is the limit of the constrained
 * setting. If the model has no figures in the preferred setting, the first figures of the other setting are
 * used. Returns `null` if the model is unknown, or has no figures for the worker's mode.
 */
export function publishedRecord(models: readonly KnownModel[], worker: MatchedWorker): PublishedRecord | null {
  const family = familyOf(models, worker);
  const figures = family && figuresFor(family, worker);
  if (!family || !figures) return null;
  const { setting, tables, source, date, scores } = figures;
  return {
    family: family.id,
    label: family.label,
    setting,
    tables,
    source,
    date,
    domains: abilitiesOf(models, scores),
  };
}

/** Output limit of the constrained setting, in tokens. A worker with a larger thinking budget gets unconstrained figures. */
const CONSTRAINED_OUTPUT = 4096;

function figuresFor({ figures }: KnownModel, worker: MatchedWorker): KnownFigures | undefined {
  const { reasoning = null, reasoningTokens } = worker;
  const thinks = reasoningTokens === undefined ? reasoning !== 'off' : reasoningTokens > 0;
  const own = figures.filter(({ thinking = thinks }) => thinking === thinks);
  const isLong = reasoningTokens === undefined ? reasoning === 'high' : reasoningTokens > CONSTRAINED_OUTPUT;
  const setting: PublishedSetting = isLong ? 'unconstrained' : 'constrained';
  return own.find((each) => each.setting === setting) ?? own[0];
}

function abilitiesOf(models: readonly KnownModel[], scores: KnownFigures['scores']): PublishedRecord['domains'] {
  const found = new Map<Domain, { score: number; share: number; count: number }>();
  for (const benchmark of BENCHMARKS) {
    const score = scores[benchmark];
    if (score === undefined) continue;
    const domain = BENCHMARK_DOMAIN[benchmark];
    const sum = found.get(domain) ?? { score: 0, share: 0, count: 0 };
    const share = score / bestScore(models, benchmark);
    found.set(domain, { score: sum.score + score, share: sum.share + share, count: sum.count + 1 });
  }
  const rounded = (value: number) => Math.round(value * 1000) / 1000;
  return Object.fromEntries(
    [...found].map(([domain, { score, share, count }]) => {
      return [domain, { score: rounded(score / count), ability: rounded(share / count) }];
    }),
  );
}

function bestScore(models: readonly KnownModel[], benchmark: Benchmark): number {
  return Math.max(...models.flatMap(({ figures }) => figures.map(({ scores }) => scores[benchmark] ?? 0)));
}
