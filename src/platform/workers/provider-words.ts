/** @file Extracts the message from a provider's error response, removes keys from the message, and shortens it. */
import { keyKindOf, parseJson } from '../../core/contract';
import { KeyForms, KeyRemover } from './key-forms';
import { ShortKeyRemover } from './short-key';

export interface ProviderWords {
  /** The message, which is not redacted yet. `''` if there is no readable message. */
  readonly text: string;
  /** Machine-readable reasons, in lower case, e.g. `insufficient_quota`. */
  readonly codes: readonly string[];
  /** The HTTP status in the body. A stream that began with status 200 can report an error's status only in its body. */
  readonly status: number | null;
}

const NOTHING: ProviderWords = { text: '', codes: [], status: null };

/** Maximum depth of objects, lists and JSON texts inside each other. */
const DEEPEST = 6;
/** Maximum number of a list's entries, and of an object's fields, that are read. */
const MOST_ENTRIES = 20;
const MOST_FIELDS = 60;
/** The fields that hold the message, best first. The names are in lower case without `_` and `-`. */
const MESSAGES = [
  ...['message', 'msg', 'errormessage', 'errormsg', 'statusmsg', 'faultstring', 'detail', 'errors', 'error'],
  ...['errordescription', 'fault', 'exception', 'baseresp', 'details', 'description', 'title', 'reason'],
];
const CODES = ['code', 'type', 'status', 'errorcode', 'errortype', 'statuscode'];

/**
 * Reads an error body. Servers use many formats: `{ error: { message, code } }`, `{ error: "…" }`, `{ message }`,
 * `{ detail: "…" }`, `{ errors: [...] }`, a list of validation errors (FastAPI), any of these inside a list (Gemini) or as JSON
 * inside the text of another message (OpenRouter, LiteLLM), and plain text. Of a web page, reads only the title.
 */
export function readProviderWords(body: unknown): ProviderWords {
  return read(body, 0);
}

/**
 * Whether an object without an answer reports an error. An object whose type names another purpose, such as a ping, does not.
 */
export function isErrorBody(data: unknown): boolean {
  if (Array.isArray(data)) return data.length > 0 && isErrorBody(data[0]);
  const fields = fieldsOf(data);
  if (['error', 'errors', 'detail', 'fault', 'baseresp'].some((name) => isFilled(fields.get(name)))) return true;
  if (!['message', 'msg', 'errormsg', 'errormessage'].some((name) => isFilled(fields.get(name)))) return false;
  const purposes = ['type', 'object', 'event', 'status'].map((name) => fields.get(name)).filter(isWord);
  return purposes.length === 0 || purposes.some((purpose) => /error|exception|fail|invalid|denied/i.test(purpose));
}

function read(value: unknown, depth: number): ProviderWords {
  if (depth > DEEPEST) return NOTHING;
  if (typeof value === 'string') return readText(value.slice(0, MOST_SEARCHED).trim(), depth);
  if (Array.isArray(value)) return readList(value, depth);
  return typeof value === 'object' && value !== null ? readFields(value, depth) : NOTHING;
}

/** The beginning of a web page, or of another document in XML. A message may begin with other tags, such as `<think>`. */
const PAGE = /^<(?:!doctype|html|\?xml)\b/i;

/** Reads a text. JSON inside the text is replaced with the message in it. */
function readText(text: string, depth: number): ProviderWords {
  if (PAGE.test(text)) return { ...NOTHING, text: titleOf(text) };
  const from = text.search(/[[{]/);
  const to = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  const inside = from < 0 ? NOTHING : read(parseJson(text.slice(from, to + 1)), depth + 1);
  if (inside.text === '') return { ...NOTHING, text };
  const before = text
    .slice(0, from)
    .replace(/^data:/, '')
    .trim();
  return { ...inside, text: joined([before, inside.text], ' ') };
}

/** The title of a web page, such as “502 Bad Gateway”. */
function titleOf(page: string): string {
  return /<title[^<>]{0,100}>([^<>]{1,200})<\/title/i.exec(page)?.[1]?.trim() ?? '';
}

function readList(items: readonly unknown[], depth: number): ProviderWords {
  const all = items.slice(0, MOST_ENTRIES).map((item) => read(item, depth + 1));
  return {
    text: joined([...new Set(all.map(({ text }) => text))], '; '),
    codes: all.flatMap(({ codes }) => codes),
    status: all.find(({ status }) => status !== null)?.status ?? null,
  };
}

function readFields(value: object, depth: number): ProviderWords {
  const fields = fieldsOf(value);
  const error = fields.get('error');
  // A text in `error` is often only the name of the status, with the message in another field.
  const names = typeof error === 'object' && error !== null ? ['error', ...MESSAGES] : MESSAGES;
  const inner = firstOf(names, (name) => {
    const words = read(fields.get(name), depth + 1);
    if (words.text !== '' || name !== 'errors') return words;
    // The errors of a form: a list of messages for each field.
    const all = [...fieldsOf(fields.get(name))].map(([field, each]) =>
      joined([field, read(each, depth + 2).text], ': '),
    );
    return { ...words, text: joined(all, '; ') };
  });
  const raw = read(fieldsOf(fields.get('metadata')).get('raw'), depth + 1);
  const place = fields.get('loc');
  const at = Array.isArray(place) ? place.filter((part) => isWord(part) || typeof part === 'number').join('.') : '';
  const reasons = CODES.map((name) => fields.get(name)).filter((each) => isWord(each) || typeof each === 'number');
  const codes = reasons.map((reason) => String(reason).toLowerCase());
  const statuses = reasons.map(Number).filter((each) => Number.isInteger(each) && each >= 400 && each < 600);
  return {
    text: joined([joined([at, inner.text], ': '), raw.text], ' '),
    codes: [...codes, ...inner.codes, ...raw.codes],
    status: statuses[0] ?? inner.status ?? raw.status,
  };
}

function firstOf(names: readonly string[], readAt: (name: string) => ProviderWords): ProviderWords {
  for (const name of names) {
    const words = readAt(name);
    if (words.text !== '') return words;
  }
  return NOTHING;
}

/** The fields of an object, by their names in lower case without `_` and `-`. */
function fieldsOf(value: unknown): Map<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map();
  const entries = Object.entries(value).slice(0, MOST_FIELDS);
  return new Map(entries.map(([name, field]) => [name.toLowerCase().replace(/[_-]/g, ''), field]));
}

function isFilled(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== '' && value !== false;
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function joined(parts: readonly string[], by: string): string {
  return parts.filter((part) => part !== '').join(by);
}

/** Maximum number of characters that are searched for a key, and maximum number that are shown. */
const MOST_SEARCHED = 8_000;
const MOST_DETAIL = 500;
/** The text that replaces a key. */
const HIDDEN = '[key]';
/** Formats of common providers' keys, and long unbroken strings, which are probably secrets. */
const LIKE_A_KEY = [
  /\bBearer\s+\S+/gi,
  /\b(?:sk|pk|rk|gsk|hf|xai|nvapi|csk|fw|r8|tgp|AIza)[-_]?[A-Za-z0-9_*-]{8,}/g,
  /\b(?=[A-Za-z0-9]*\d)(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{32,}\b/g,
];

/** Removes a key from a text that arrives in pieces. */
export interface TextRemover {
  push(piece: string): string;
  /** Returns the text that is still held back. */
  end(): string;
}

/**
 * Removes the key, including the changed forms of it that `key-forms.ts` finds. Of a short key, only the key itself and its
 * percent-encoded form are found.
 * @returns `null` if the text must stay as it is, because the key is a placeholder or a short number
 */
export function keyRemover(key: string): TextRemover | null {
  const kind = keyKindOf(key);
  if (kind === 'placeholder' || kind === 'number') return null;
  const forms = KeyForms.of(key);
  return forms ? new KeyRemover(forms, HIDDEN) : new ShortKeyRemover(key, HIDDEN);
}

/** Removes several secrets, see `keyRemover`. @returns `null` if the text must stay as it is */
export function secretsRemover(secrets: readonly string[]): TextRemover | null {
  const removers = secrets.map(keyRemover).filter((remover) => remover !== null);
  if (removers.length === 0) return null;
  return {
    push: (piece) => removers.reduce((text, remover) => remover.push(text), piece),
    end: () => removers.reduce((text, remover) => remover.push(text) + remover.end(), ''),
  };
}

/** Removes secrets from a text, see `keyRemover`. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const remover = secretsRemover(secrets);
  return remover ? remover.push(text) + remover.end() : text;
}

/** Removes the secrets and everything that looks like a key, and shortens the text to `MOST_DETAIL` characters. */
export function redact(text: string, secrets: readonly string[]): string {
  let clear = withoutSecrets(text.slice(0, MOST_SEARCHED), secrets);
  // An error message, unlike an answer, may lose a number.
  for (const secret of secrets) if (keyKindOf(secret) === 'number') clear = clear.replaceAll(secret, HIDDEN);
  for (const pattern of LIKE_A_KEY) clear = clear.replace(pattern, HIDDEN);
  return clear.length > MOST_DETAIL ? `${clear.slice(0, MOST_DETAIL - 1)}…` : clear;
}

/** Checks whether a text contains one of several keys, also in a changed form such as base64 (see `key-forms.ts`). */
export function createKeyFinder(keys: readonly string[]): (text: string) => boolean {
  return (text) => withoutSecrets(text, keys) !== text;
}
