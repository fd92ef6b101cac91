/**
 * @file What is published of a model: dated figures with their source, and how a worker is matched to them. The files are in
 * `models/known/`, and their format is explained there.
 */
import type { Domain } from '../worker/domain';
import type { ReasoningLevel } from '../worker/provider';

/** The benchmarks that `models/known/` has figures of. */
export const BENCHMARKS = ['MATH500', 'AIME25', 'LCB', 'BCB', 'GPQA-D', 'MMLU', 'RLPR'] as const;
export type Benchmark = (typeof BENCHMARKS)[number];

/** The domain that a benchmark counts for. No benchmark here measures writing. */
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
 * `unconstrained`: the model's largest output, with thinking.
 */
export const PUBLISHED_SETTINGS = ['constrained', 'unconstrained'] as const;
export type PublishedSetting = (typeof PUBLISHED_SETTINGS)[number];

/** Where a fact is from. */
export interface FactSource {
  /** Address of the page. */
  readonly source: string;
  /** The day that the page states. If it states none, the day on which it was read. */
  readonly date: string;
}

/** What one source says of one model in one setting. */
export interface KnownFigures extends FactSource {
  readonly setting: PublishedSetting;
  /** What the model ran with, in a few words. */
  readonly run: string;
  /** Whether the model thought before it answered, for models that are published both ways. Absent: there is one way. */
  readonly thinking?: boolean;
  /** Which tables of the source. */
  readonly tables: string;
  /** Share of right answers, in percent. */
  readonly scores: Readonly<Partial<Record<Benchmark, number>>>;
}

/** One model family: every id under which providers offer the same model. */
export interface KnownModel {
  /** Stable: workers refer to it. */
  readonly id: string;
  readonly label: string;
  /** Regular expressions, each for a whole id as `plainModelId` returns it. */
  readonly ids: readonly string[];
  /** Tokens of prompt and answer together; `null`: no source states it. */
  readonly context: ({ readonly tokens: number } & FactSource) | null;
  /** Whether it reads images; `null`: no source states it. */
  readonly vision: ({ readonly reads: boolean } & FactSource) | null;
  /** `optional`: it can be asked to think less or not at all. `null`: no source states it. */
  readonly thinking: ({ readonly thinks: 'never' | 'optional' | 'always' } & FactSource) | null;
  readonly figures: readonly KnownFigures[];
}

/** What is published of a worker's model, as a run records it. */
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
   * From 0 to 1: the mean over the domain's benchmarks of the score divided by the best score that any model in
   * `models/known/` has on that benchmark in any setting. It makes hard and easy benchmarks count alike.
   */
  readonly ability: number;
}

/** A worker, as far as it decides what is published of it. */
export interface MatchedWorker {
  /** As the provider calls it. */
  readonly model: string;
  readonly reasoning?: ReasoningLevel | null;
  /** The family that the user chose; `null`: none. Absent: matched by `model`. */
  readonly knownAs?: string | null;
}

/** Suffixes that providers add to route a call. The model stays the same. */
const ROUTING = /:(?:free|nitro|floor|exacto|extended|online|beta|fastest|cheapest)$/;

/** A model's id without the provider's path and routing: `openai/gpt-5:nitro` is `gpt-5`. In lower case. */
export function plainModelId(model: string): string {
  const name = model.trim().toLowerCase().replace(ROUTING, '');
  return name.slice(name.lastIndexOf('/') + 1);
}

/** The family that a model's id belongs to. `null`: none here. */
export function matchModel(models: readonly KnownModel[], model: string): KnownModel | null {
  const plain = plainModelId(model);
  return models.find(({ ids }) => ids.some((id) => new RegExp(`^(?:${id})$`).test(plain))) ?? null;
}

/** The family of a worker: the user's choice, else by the model's id. */
export function familyOf(models: readonly KnownModel[], worker: MatchedWorker): KnownModel | null {
  if (worker.knownAs === undefined) return matchModel(models, worker.model);
  return models.find(({ id }) => id === worker.knownAs) ?? null;
}

/**
 * What is published of a worker's model. The unconstrained figures count for a worker that is asked to think a lot, and the
 * constrained ones for all others, since Podium's default output limit is that of the constrained setting. `null`: nothing.
 */
export function publishedRecord(models: readonly KnownModel[], worker: MatchedWorker): PublishedRecord | null {
  const family = familyOf(models, worker);
  const figures = family && figuresFor(family, worker.reasoning ?? null);
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

function figuresFor({ figures }: KnownModel, reasoning: ReasoningLevel | null): KnownFigures | undefined {
  const thinks = reasoning !== 'off';
  const own = figures.filter(({ thinking = thinks }) => thinking === thinks);
  const setting: PublishedSetting = reasoning === 'high' ? 'unconstrained' : 'constrained';
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

/** The best score of any model in any setting. */
function bestScore(models: readonly KnownModel[], benchmark: Benchmark): number {
  return Math.max(...models.flatMap(({ figures }) => figures.map(({ scores }) => scores[benchmark] ?? 0)));
}
