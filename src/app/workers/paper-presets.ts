/**
 * @file Presets for the worker pool and the two settings of the Conductor paper (arXiv 2512.04388v5). The
 * paper's tables 5 to 8 use the constrained setting. Its tables 1, 10 and 11 use the unconstrained setting.
 * docs/workers-and-keys.md describes both settings, and names the values that Podium chose.
 *
 * The paper gives sampling values only for the constrained setting. In the unconstrained setting, the run's
 * temperature applies.
 */
import type { Preferences, PublishedSetting, WorkerSetup } from '../../core/contract';
import { count } from '../ui/figures';

/** The worker settings that a preset changes. */
export type MemberSettings = Pick<WorkerSetup, 'reasoning' | 'reasoningTokens' | 'sampling'>;

export interface PoolMember {
  readonly name: string;
  /** OpenRouter's id. */
  readonly model: string;
  /**
   * Whether the worker uses reasoning. Distinguishes the two workers with the same model. Absent: no other
   * worker has this model.
   */
  readonly thinks?: boolean;
  readonly settings: Readonly<Record<PublishedSetting, MemberSettings>>;
}

const CONSTRAINED = { temperature: 0.2, maxTokens: 4096 } as const;
const QWEN = { ...CONSTRAINED, topP: 0.8, topK: 20, presencePenalty: 1 } as const;
/** Maximum output tokens of the open models in the unconstrained setting. */
const OPEN = { maxTokens: 20_480 } as const;
/** Maximum thinking tokens of Gemini and Claude in the unconstrained setting. */
const THINKING = 32_768;

export const PAPER_POOL: readonly PoolMember[] = [
  {
    name: 'Gemini 2.5 Pro',
    model: 'google/gemini-2.5-pro',
    settings: {
      constrained: { reasoningTokens: 128, sampling: CONSTRAINED },
      unconstrained: { reasoningTokens: THINKING, sampling: { maxTokens: 65_535 } },
    },
  },
  {
    name: 'Claude Sonnet 4',
    model: 'anthropic/claude-sonnet-4',
    settings: {
      constrained: { reasoning: 'off', sampling: CONSTRAINED },
      unconstrained: { reasoningTokens: THINKING, sampling: { maxTokens: 64_000 } },
    },
  },
  {
    name: 'GPT-5',
    model: 'openai/gpt-5',
    settings: {
      constrained: { reasoning: 'minimal', sampling: CONSTRAINED },
      unconstrained: { reasoning: 'high', sampling: { maxTokens: 128_000 } },
    },
  },
  {
    name: 'Qwen3 32B direct',
    model: 'qwen/qwen3-32b',
    thinks: false,
    settings: {
      constrained: { reasoning: 'off', sampling: QWEN },
      unconstrained: { reasoning: 'off', sampling: OPEN },
    },
  },
  {
    name: 'Qwen3 32B reasoning',
    model: 'qwen/qwen3-32b',
    thinks: true,
    settings: {
      constrained: { reasoning: 'medium', sampling: QWEN },
      unconstrained: { reasoning: 'high', sampling: OPEN },
    },
  },
  {
    name: 'Gemma 3 27B',
    model: 'google/gemma-3-27b-it',
    settings: { constrained: { sampling: CONSTRAINED }, unconstrained: { sampling: OPEN } },
  },
  {
    name: 'DeepSeek R1 Distill 32B',
    model: 'deepseek/deepseek-r1-distill-qwen-32b',
    settings: { constrained: { sampling: CONSTRAINED }, unconstrained: { sampling: OPEN } },
  },
];

/** The settings of new runs in each preset. They apply to workers that have no settings of their own. */
export const RUN_SETTINGS: Readonly<Record<PublishedSetting, Partial<Pick<Preferences, 'temperature' | 'maxTokens'>>>> =
  { constrained: CONSTRAINED, unconstrained: OPEN };

/** Whether a worker is this member of the pool. If the pool has the model twice, the worker must also match `thinks`. */
export function isMember(
  { model, thinks }: PoolMember,
  setup: Pick<WorkerSetup, 'model' | 'reasoning' | 'reasoningTokens'>,
): boolean {
  if (setup.model !== model) return false;
  return thinks === undefined || thinks === (setup.reasoning !== 'off' || (setup.reasoningTokens ?? 0) > 0);
}

/** A worker with the settings of a preset in place of its own. */
export function withPreset(setup: WorkerSetup, settings: MemberSettings): WorkerSetup {
  const { reasoning: _, reasoningTokens: __, sampling: ___, ...rest } = setup;
  return { ...rest, ...settings };
}

/** A worker's output limit, thinking and sampling settings in one line. */
export function presetWords({ reasoning, reasoningTokens, sampling = {} }: MemberSettings): string {
  const { maxTokens, temperature, topP, topK, presencePenalty } = sampling;
  const thinking =
    reasoningTokens === undefined ? levelWords(reasoning ?? null) : `${count(reasoningTokens)} tokens of thinking`;
  const parts = [
    maxTokens === undefined ? null : `${count(maxTokens)} output tokens`,
    thinking,
    temperature === undefined ? null : `temperature ${temperature}`,
    topP === undefined ? null : `top-p ${topP}`,
    topK === undefined ? null : `top-k ${topK}`,
    presencePenalty === undefined ? null : `presence penalty ${presencePenalty}`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

function levelWords(level: NonNullable<MemberSettings['reasoning']> | null): string | null {
  if (level === null) return null;
  return level === 'off' ? 'no thinking' : `${level} thinking`;
}
