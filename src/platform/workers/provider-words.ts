/** @file Extracts the message from a provider's error response, removes keys from the message, and shortens it. */
import * as z from 'zod/mini';
import { KeyForms, KeyRemover } from './key-forms';

z.config({ jitless: true });

const word = z.catch(z.nullish(z.string()), null);
const codeWord = z.catch(z.nullish(z.union([z.string(), z.number()])), null);
const errorShape = z.object({
  message: word,
  code: codeWord,
  type: codeWord,
  status: codeWord,
  /** OpenRouter: the message of the model's host. */
  metadata: z.catch(z.nullish(z.object({ raw: word })), null),
});
const envelope = z.object({ error: z.optional(z.unknown()), detail: z.optional(z.unknown()) });
const complaint = z.object({ msg: z.string(), loc: z.catch(z.array(z.union([z.string(), z.number()])), []) });

export interface ProviderWords {
  /** The message, which is not redacted yet. `''` if there is no readable message. */
  readonly text: string;
  /** Machine-readable reasons, in lower case, e.g. `insufficient_quota`. */
  readonly codes: readonly string[];
  /** The HTTP status in the body. A stream that began with status 200 can report an error's status only in its body. */
  readonly status: number | null;
}

const NOTHING: ProviderWords = { text: '', codes: [], status: null };

/**
 * Reads an error body. The formats in use are `{ error: { message, code } }`, `{ error: "…" }`, `{ message }` and
 * `{ detail: "…" }`. Instead of a text, `detail` may be a list of validation errors (FastAPI). Any of these formats may be inside
 * a list (Gemini). The body may also be plain text. Ignores web pages.
 */
export function readProviderWords(body: unknown): ProviderWords {
  if (typeof body === 'string') return readText(body);
  if (Array.isArray(body)) return readList(body);
  const outer = envelope.safeParse(body);
  if (!outer.success) return NOTHING;
  if (outer.data.error !== undefined && outer.data.error !== null) return readProviderWords(outer.data.error);
  if (outer.data.detail !== undefined && outer.data.detail !== null) return readProviderWords(outer.data.detail);
  const error = errorShape.safeParse(body);
  return error.success ? fromError(error.data) : NOTHING;
}

function readText(text: string): ProviderWords {
  const trimmed = text.trim();
  return trimmed.startsWith('<') ? NOTHING : { ...NOTHING, text: trimmed };
}

function readList(items: readonly unknown[]): ProviderWords {
  const complaints = z.array(complaint).safeParse(items.slice(0, MOST_COMPLAINTS));
  if (!complaints.success || items.length === 0) return items.length > 0 ? readProviderWords(items[0]) : NOTHING;
  const text = complaints.data.map(({ loc, msg }) => [loc.join('.'), msg].filter((part) => part !== '').join(': '));
  return { ...NOTHING, text: text.join('; ') };
}

function fromError(error: z.infer<typeof errorShape>): ProviderWords {
  const reasons = [error.code, error.type, error.status].filter((each) => each !== null && each !== undefined);
  const status = reasons.map(Number).find((each) => Number.isInteger(each) && each >= 400 && each < 600) ?? null;
  const text = [error.message, error.metadata?.raw].filter(
    (part) => part !== null && part !== undefined && part !== '',
  );
  return { text: text.join(' '), codes: reasons.map((each) => String(each).toLowerCase()), status };
}

/** Maximum number of FastAPI's validation errors that are read. */
const MOST_COMPLAINTS = 20;
/** Maximum number of characters that are searched for a key, and maximum number that are shown. */
const MOST_SEARCHED = 8_000;
const MOST_DETAIL = 500;
/** The text that replaces a key. */
export const HIDDEN = '[key]';
/** Formats of common providers' keys, and long unbroken strings, which are probably secrets. */
const LIKE_A_KEY = [
  /\bBearer\s+\S+/gi,
  /\b(?:sk|pk|rk|gsk|hf|xai|nvapi|csk|fw|r8|tgp|AIza)[-_]?[A-Za-z0-9_*-]{8,}/g,
  /\b(?=[A-Za-z0-9]*\d)(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{32,}\b/g,
];

/**
 * Removes the key, including the changed forms of it that `key-forms.ts` finds. If the key is too short or
 * too long to search for these forms, only the key itself and its percent-encoded form are removed.
 */
export function withoutKey(text: string, key: string | null): string {
  if (!key) return text;
  const forms = KeyForms.of(key);
  if (!forms) return text.replaceAll(key, HIDDEN).replaceAll(encodeURIComponent(key), HIDDEN);
  const remover = new KeyRemover(forms, HIDDEN);
  return remover.push(text) + remover.end();
}

/** Removes the key and everything that looks like a key, and shortens the text to `MOST_DETAIL` characters. */
export function redact(text: string, key: string | null): string {
  let clear = withoutKey(text.slice(0, MOST_SEARCHED), key);
  for (const pattern of LIKE_A_KEY) clear = clear.replace(pattern, HIDDEN);
  return clear.length > MOST_DETAIL ? `${clear.slice(0, MOST_DETAIL - 1)}…` : clear;
}
