/**
 * @file A canonical text for Python values: two values have the same text if they are equal by Python's `==`. This file computes
 * the text of an expected value from JSON. The harness in the sandbox computes the text of a function's result. So the expected
 * value never enters the sandbox.
 */
import { canonicalDecimal } from './decimal';

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The canonical text of a JSON value. `null`: the text is not JSON. */
export function canonicalJson(json: string): string | null {
  // Numbers become strings, because `JSON.parse` rounds large integers. A prefix distinguishes these strings from other strings.
  const marked = json.replace(TOKEN, (token) => (token.startsWith('"') ? `"$${token.slice(1)}` : `"#${token}"`));
  try {
    return canonical(JSON.parse(marked));
  } catch {
    return null;
  }
}

/** Rewrites the numbers in the harness's text, so that equal numbers have equal texts. */
export function canonicalReply(reply: string): string {
  return reply.replace(TOKEN, (token) => (token.startsWith('"') ? token : (canonicalDecimal(token) ?? token)));
}

function canonical(value: unknown): string {
  if (typeof value === 'string') return value.startsWith('#') ? canonicalNumber(value.slice(1)) : text(value.slice(1));
  // In Python, `True == 1`, so booleans have the texts of numbers.
  if (typeof value === 'boolean') return canonicalNumber(value ? '1' : '0');
  if (typeof value !== 'object' || value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const pairs = Object.entries(value).map(([key, each]) => `${text(key.slice(1))}:${canonical(each)}`);
  return `{${pairs.toSorted().join(',')}}`;
}

/** The canonical text of a number. Python reads a number with a fraction or an exponent as a float, as JavaScript does. */
function canonicalNumber(token: string): string {
  const isInteger = !/[.eE]/.test(token);
  const value = Number(token);
  const exact = isInteger ? token : Number.isInteger(value) ? String(BigInt(value)) : String(value);
  return canonicalDecimal(exact) ?? exact;
}

/** JSON in ASCII, as Python writes it. */
function text(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
