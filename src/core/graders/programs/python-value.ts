/**
 * @file Writes Python values as canonical texts: values that are equal by Python's `==` get the same text. This file
 * writes the expected value, which is given as JSON. The harness in the sandbox writes a function's result. So the
 * expected value never enters the sandbox.
 */
import { canonicalDecimal } from './decimal';

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Returns the canonical text of a JSON value, or `null` if the text is not JSON. */
export function canonicalJson(json: string): string | null {
  // `JSON.parse` rounds large integers, so each number becomes a string before parsing. The prefix `#` marks a
  // number, and `$` marks a string.
  const marked = json.replace(TOKEN, (token) => (token.startsWith('"') ? `"$${token.slice(1)}` : `"#${token}"`));
  try {
    return canonical(JSON.parse(marked));
  } catch {
    return null;
  }
}

/** Normalizes the numbers in a text from the harness. The result can be compared with a text from `canonicalJson`. */
export function canonicalReply(reply: string): string {
  return reply.replace(TOKEN, (token) => (token.startsWith('"') ? token : (canonicalDecimal(token) ?? token)));
}

function canonical(value: unknown): string {
  if (typeof value === 'string') return value.startsWith('#') ? canonicalNumber(value.slice(1)) : text(value.slice(1));
  // In Python, `True == 1`, so booleans are written as numbers.
  if (typeof value === 'boolean') return canonicalNumber(value ? '1' : '0');
  if (typeof value !== 'object' || value === null) return 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const pairs = Object.entries(value).map(([key, each]) => `${text(key.slice(1))}:${canonical(each)}`);
  return `{${pairs.toSorted().join(',')}}`;
}

/**
 * Returns the canonical text of a number. Integers stay exact, because Python's integers have no size limit. Numbers
 * with a fraction or an exponent are rounded to 64-bit floats, as in Python.
 */
function canonicalNumber(token: string): string {
  const isInteger = !/[.eE]/.test(token);
  const value = Number(token);
  const exact = isInteger ? token : Number.isInteger(value) ? String(BigInt(value)) : String(value);
  return canonicalDecimal(exact) ?? exact;
}

/** Returns a string as ASCII JSON, in the same form as Python's `json.dumps`. */
function text(value: string): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
