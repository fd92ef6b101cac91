/** The first `length` UTF-16 units of a text at most, without splitting a character. */
export function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const beginning = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(beginning) ? beginning.slice(0, -1) : beginning;
}
