/**
 * @file Reads error responses that reject a setting of a call, or its output limit. Servers have many wordings and formats, and
 * some name a setting differently from the API, for example “streaming” or `presencePenalty`.
 */
import { readProviderWords } from './provider-words';

/** The name under which the role of the system message can be rejected. It is not a field of the body. */
export const SYSTEM_ROLE = 'system role';

/** The statuses with which servers reject a setting. */
const STATUSES: readonly number[] = [400, 403, 422, 501];
/** Some servers fail with status 500 if the chat template of the model has no system role. */
const TEMPLATE_FAILED = 500;

/** Matches error messages that reject a setting or a combination of settings, but not messages that reject only a value. */
const REFUSAL =
  /unsupported|not (?:currently |yet )?(?:support|permit|allow|accept|enabled|available|implemented|recogni[sz]ed|a valid (?:param|arg|field|option))|(?:do|does)(?: not|n['’]t) (?:support|accept|allow|work|recogni[sz]e)|(?:can ?not|can['’]t) (?:both )?be (?:used|set|specified|combined|changed)|unrecogni[sz]ed|unknown|unexpected|invalid (?:\w+ )?(?:param|arg|field)|extra|forbidden|only (?:the default|[\w.=: '"`]{1,30}? (?:is|are) (?:supported|allowed|accepted|valid|permitted))|(?:can|may|must) only be|(?:must|should) be (?:set to |exactly |equal to )?['"`]?[\d.]+['"`]?(?=\s*(?:[.,;!)"']?$|[.,;!)"'](?:\s|$)|for\b|with\b|when\b|on\b|if\b))|deprecated|no longer|disabled|must be verified/i;

/** Matches rejections of system messages in the words of models’ chat templates and of servers. */
const NO_SYSTEM_ROLE =
  /(?:system|developer) (?:role|message|prompt|instruction)s?\b[^.]{0,40}\b(?:not|n['’]t|unsupported)|unsupported[^.]{0,20}\b(?:system|developer) (?:role|message|prompt|instruction)|role['"`\]]*\s[^.]{0,60}['"`](?:system|developer)['"`]|roles must alternate/i;

/** Words for settings that servers do not call by their names in the API. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  stream: 'stream(?:ing|ed)?',
  max_completion_tokens: 'max[_ -]?(?:completion|output)[_ -]?tokens',
};
const THINKING = '(?:reasoning|thinking|think)';
/** Settings of a call that are not about thinking. */
const KNOWN =
  /^(?:max_tokens|max_completion_tokens|temperature|top_p|top_k|presence_penalty|seed|stream_options|stream|system role)$/;

/**
 * The setting that an error response rejects. `null`: none. Fields that name the setting count first, then the message, then the
 * rest of the response, which may repeat the whole call.
 * @param sent the settings of the call, in the order in which the texts are searched for them
 */
export function refusedSetting(status: number, body: unknown, sent: readonly string[]): string | null {
  const whole = textOf(body);
  const message = readProviderWords(body).text;
  if (sent.includes(SYSTEM_ROLE) && (STATUSES.includes(status) || status === TEMPLATE_FAILED)) {
    if (NO_SYSTEM_ROLE.test(message)) return SYSTEM_ROLE;
  }
  if (!STATUSES.includes(status)) return null;
  const settings = sent.filter((setting) => setting !== SYSTEM_ROLE);
  const named = settings.find((setting) => names(whole, setting));
  const found = inFields(whole, settings) ?? settings.find((setting) => names(message, setting)) ?? named;
  const thinking = settings.find((setting) => !KNOWN.test(setting));
  const setting = found ?? (thinking !== undefined && names(message, THINKING) ? thinking : undefined);
  if (setting === undefined) return null;
  return setting === 'stream_options' || REFUSAL.test(message) || REFUSAL.test(whole) ? setting : null;
}

function textOf(body: unknown): string {
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
}

/** The setting that the field `param` (OpenAI) or `loc` (FastAPI) names. */
function inFields(whole: string, settings: readonly string[]): string | undefined {
  const field = /"(?:param|loc)"\s*:\s*(?:"([^"]*)"|\[([^\]]*)\])/.exec(whole);
  const text = field?.[1] ?? field?.[2];
  return text === undefined ? undefined : settings.find((setting) => names(text, setting));
}

/** Whether a text has a name as a word of its own, in snake case, in camel case or with spaces. */
function names(text: string, name: string): boolean {
  const pattern = OTHER_WORDS[name] ?? name.replaceAll('_', '[_ -]?');
  return new RegExp(`(?<![\\w-])${pattern}(?![\\w-])`, 'i').test(text);
}

/** What an error response says about the longest possible answer, in tokens. */
export type OutputRefusal =
  /** The answer and the prompt of this call together would exceed the context window. `fits`: what is left for the answer. */
  | { readonly of: 'context'; readonly context: number; readonly fits: number }
  /** The model never writes longer answers. */
  | { readonly of: 'model'; readonly fits: number };

const OUTPUT =
  /max[_ -]?(?:new[_ -]?|completion[_ -]?|output[_ -]?)?tokens|(?:completion|output) tokens|in the (?:completion|output)|for the completion/i;
const CONTEXT =
  /(?:context (?:length|window|size|limit)|sequence length|max_model_len|max_seq_len)\D{0,40}?([\d,]+)|max_new_tokens`?\s*must be <=\s*([\d,]+)/i;
/** Anthropic: `190000 + 20000 > 200000`, the prompt, the answer and the context window. */
const SUM = /(?<![\d,])([\d,]+) \+ ([\d,]+) > ([\d,]+)/;
const INPUT = [
  /(?<![\d,])([\d,]+) (?:`?inputs?`? tokens|prompt tokens|tokens? (?:of|from|in) (?:the )?(?:input|prompt|messages?|text)|in the (?:messages|prompt)|of text input)/i,
  /(?:prompt|input|messages?) (?:contains?|has|have|is|of|resulted in)(?: at least)? ([\d,]+)/i,
];
const TOTAL = /(?:requested|total of|request for)(?: about| a total of)? ([\d,]+)/i;
/** `maximum allowed number of output tokens` and the like stand before or after the number. */
const MOST_OUTPUT = [
  /(?:at most|less than or equal to|<=|≤|up to|no more than|cannot exceed|can['’]t exceed|must not exceed)\s*(?:the )?(?:maximum |limit )?(?:of )?([\d,]+)/i,
  /\[\s*\d+\s*,\s*([\d,]+)\s*\]/,
  /> ([\d,]+), which is the maximum/i,
  /(?:maximum|max|limit)(?: allowed)?(?: value| number)?(?: of| for| is|:)* (?:output |completion )?(?:tokens )?(?:is |of |: ?)?([\d,]+)/i,
  /between \d+ and ([\d,]+)/i,
];
/** Gemini: `from 1 (inclusive) to 65537 (exclusive)`. */
const RANGE = /\bto ([\d,]+)\s*\((inclusive|exclusive)\)/i;

/**
 * Reads how long an answer can be, from an error response to a call with a higher output limit. `null`: the response does not say
 * so, or the prompt alone is too long.
 * @param maxTokens the output limit of the call
 */
export function outputRefusal(status: number, body: unknown, maxTokens: number): OutputRefusal | null {
  if (!STATUSES.includes(status)) return null;
  const { text } = readProviderWords(body);
  if (!OUTPUT.test(text)) return null;
  const found = ofContext(text, maxTokens) ?? ofModel(text);
  return found && found.fits >= 1 && found.fits < maxTokens ? found : null;
}

function ofContext(text: string, maxTokens: number): OutputRefusal | null {
  const sum = SUM.exec(text);
  const context =
    count(sum?.[3]) ??
    count(
      CONTEXT.exec(text)
        ?.slice(1)
        .find((digits) => digits !== undefined),
    );
  if (context === null) return null;
  const inputs = INPUT.map((pattern) => count(pattern.exec(text)?.[1]));
  const total = count(TOTAL.exec(text)?.[1]);
  const input =
    count(sum?.[1]) ?? inputs.find((tokens) => tokens !== null) ?? (total === null ? null : total - maxTokens);
  return input === null || !(input >= 0) ? null : { of: 'context', context, fits: context - input };
}

function ofModel(text: string): OutputRefusal | null {
  const range = RANGE.exec(text);
  const end = count(range?.[1]);
  if (range && end !== null) return { of: 'model', fits: range[2] === 'exclusive' ? end - 1 : end };
  const most = MOST_OUTPUT.map((pattern) => count(pattern.exec(text)?.[1])).find((tokens) => tokens !== null);
  return most === undefined || most === null ? null : { of: 'model', fits: most };
}

function count(digits: string | undefined): number | null {
  const number = Number(digits?.replaceAll(',', '') ?? Number.NaN);
  return Number.isInteger(number) && digits !== '' ? number : null;
}

/** Whether a message about the context window blames the output limit, and not the prompt alone. */
export function isAboutOutput(text: string): boolean {
  const found = ofContext(text, Number.NaN);
  return OUTPUT.test(text) && !(found !== null && found.fits < 1);
}
