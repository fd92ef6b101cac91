/**
 * @file All known providers, and the rules that find the provider of an address.
 */
import { originOf, type ProviderPreset } from '../../../core/contract';
import { isThisMachine } from '../target';
import { anthropic } from './anthropic';
import { custom } from './custom';
import { deepseek } from './deepseek';
import { fireworks } from './fireworks';
import { gemini } from './gemini';
import { groq } from './groq';
import { huggingFace } from './hugging-face';
import { liteLlm } from './litellm';
import { llamaCpp } from './llama-cpp';
import { lmStudio } from './lm-studio';
import { mistral } from './mistral';
import { ollama } from './ollama';
import { openai } from './openai';
import { openrouter } from './openrouter';
import { together } from './together';
import { vllm } from './vllm';
import { xai } from './xai';

/** The providers in display order: OpenRouter, other services by name, the user's own servers, then `custom`. */
export const PROVIDERS: readonly ProviderPreset[] = [
  openrouter,
  anthropic,
  deepseek,
  fireworks,
  gemini,
  groq,
  huggingFace,
  mistral,
  openai,
  together,
  xai,
  ollama,
  llamaCpp,
  lmStudio,
  vllm,
  liteLlm,
  custom,
];

/**
 * The provider of an address. Services are found by their origin, and servers on this machine by their port.
 * All other addresses have the provider `custom`.
 */
export function presetFor(baseUrl: string): ProviderPreset {
  const origin = originOf(baseUrl);
  if (origin === '') return custom;
  return PROVIDERS.find((preset) => isAt(preset, origin)) ?? custom;
}

/**
 * The provider that the worker's setup names, else the provider of its address. The name of a service counts only if the address
 * has the service's origin. Without this check, a worker from a file could pass off another server as the service and get the
 * service's key.
 */
export function presetOf(worker: { readonly provider?: string | undefined; readonly baseUrl: string }): ProviderPreset {
  const named = PROVIDERS.find(({ id }) => id === worker.provider);
  return named && mayBeAt(named, originOf(worker.baseUrl)) ? named : presetFor(worker.baseUrl);
}

/** The user's own servers can be at any origin. */
function mayBeAt({ baseUrl, place }: ProviderPreset, origin: string): boolean {
  return place === 'own' || originOf(baseUrl) === origin;
}

function isAt({ baseUrl, place }: ProviderPreset, origin: string): boolean {
  if (place === 'service') return originOf(baseUrl) === origin;
  return baseUrl !== '' && isThisMachine(origin) && new URL(baseUrl).port === new URL(origin).port;
}
