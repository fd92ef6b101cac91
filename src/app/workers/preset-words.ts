/** @file Describes the settings of a worker in the pool of the paper (arXiv 2512.04388). */
import type { MemberSettings } from './paper-presets';
import { count } from '../ui/figures';

/** Lists the output limit, thinking and sampling settings in one line. */
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
