/**
 * @file The request fields that users may add to a worker's calls. Podium needs the fields that it sends itself, and fields that
 * change how many answers a call has or how long they are, so these are in no list. The contract's index doesn't export this file,
 * because only calls and the worker's form need it.
 */
import { isMoney } from '../money/money';
import type { ExtraFamily } from './provider';
import { WEB_FIELDS, type WorkerSetup } from './setup';

/** Fields whose use is charged as tokens, or not at all. */
const COMMON = ['stop', 'frequency_penalty', 'logit_bias', 'response_format'];
const OPENAI = ['web_search_options', 'service_tier', 'verbosity', 'prompt_cache_key'];
const ROUTER = ['plugins', 'provider', 'transforms', 'min_p', 'top_a', 'repetition_penalty', 'verbosity'];
const GROQ = ['search_settings', 'compound_custom', 'citation_options', 'service_tier'];
const OWN = [
  ...['min_p', 'typical_p', 'repeat_penalty', 'repetition_penalty', 'repeat_last_n', 'bad_words', 'ignore_eos'],
  ...['mirostat', 'mirostat_tau', 'mirostat_eta', 'xtc_probability', 'xtc_threshold', 'samplers'],
  ...['dry_multiplier', 'dry_base', 'dry_allowed_length', 'dry_penalty_last_n', 'dry_sequence_breakers'],
  ...['chat_template_kwargs', 'skip_special_tokens', 'stop_token_ids', 'min_tokens', 'length_penalty'],
  ...['grammar', 'json_schema', 'structured_outputs', 'guided_json', 'guided_regex', 'guided_choice'],
  ...['guided_grammar', 'cache_prompt', 'keep_alive', 'safe_prompt'],
];

/** The extra fields by the family of providers that accepts them. */
const FAMILIES = {
  service: COMMON,
  openai: [...COMMON, ...OPENAI],
  router: [...COMMON, ...ROUTER, 'web_search_options'],
  groq: [...COMMON, ...GROQ],
  xai: [...COMMON, 'search_parameters'],
  mistral: [...COMMON, 'safe_prompt'],
  own: [...new Set([...COMMON, ...OPENAI, ...ROUTER, ...GROQ, 'search_parameters', ...OWN])],
} as const satisfies Readonly<Record<ExtraFamily, readonly string[]>>;

/** The names of the fields that may be added. */
export function extraFieldsOf(family: ExtraFamily): readonly string[] {
  return FAMILIES[family];
}

/** Whether a field may cost more than the tokens of a call, so that a call with it needs a maximum price. */
export function mayCostExtra(field: string): boolean {
  return WEB_FIELDS.includes(field) || field === 'service_tier';
}

type Extra = Pick<WorkerSetup, 'extraFields' | 'extraUsd'>;

/** Maximum characters of a worker's extra fields as JSON. */
const LONGEST_FIELDS = 20_000;

/** Why a worker with these extra fields can't be called. `null`: it can be called. */
export function extraFieldsProblem(family: ExtraFamily, { extraFields = {}, extraUsd }: Extra): string | null {
  const names = Object.keys(extraFields);
  const known = extraFieldsOf(family);
  const refused = names.find((name) => !known.includes(name));
  if (refused !== undefined) return `The field “${refused}” can’t be added here. These can: ${known.join(', ')}.`;
  if (JSON.stringify(extraFields).length > LONGEST_FIELDS)
    return `The fields are longer than ${LONGEST_FIELDS.toLocaleString('en')} characters.`;
  const priced = names.find(mayCostExtra);
  if (priced !== undefined && !(extraUsd !== undefined && isMoney(extraUsd)))
    return `The field “${priced}” may cost more than the tokens of a call, so enter a maximum price for it.`;
  return null;
}
