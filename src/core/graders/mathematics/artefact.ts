/**
 * @file Compares mathematical answers as the published code of arXiv 2512.04388 does. MATH answers must have
 * equal normalized texts. For AIME, one common number is enough.
 */

/** Whether two answers are equal after normalization. The order of items separated by commas is ignored. */
export function isSameString(reference: string, answer: string): boolean {
  const [one, other] = [normalized(reference), normalized(answer)];
  return one === other || sortedItems(one) === sortedItems(other);
}

function normalized(text: string): string {
  return withoutBox(text)
    .replace(/\\[dt]frac/g, '\\frac')
    .replace(/\\(?:left|right|!|,)/g, '')
    .replace(/\^\{?\\circ\}?/g, '')
    .replace(/\\text\s*\{([^{}]*)\}/g, '$1')
    .replace(/\\pm/g, '±')
    .replace(/^.*\\in(?![a-z])/, '')
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .replace(/[\s$]/g, '');
}

/** Removes the first `\boxed{` and the last closing brace after it, in linear time. Keeps all other text. */
function withoutBox(text: string): string {
  const box = /\\boxed\s*\{/.exec(text);
  const from = box === null ? 0 : box.index + box[0].length;
  const end = text.lastIndexOf('}');
  return box === null || end < from ? text : text.slice(0, box.index) + text.slice(from, end) + text.slice(end + 1);
}

function sortedItems(text: string): string {
  return text.split(',').sort().join(',');
}

/** Whether any number in the answer is also in the reference. For example, “7 + 14 = 21” matches the reference 7. */
export function hasSameNumber(reference: string, answer: string): boolean {
  const expected = numbersIn(reference);
  return numbersIn(answer).some((number) => expected.some((one) => Math.abs(one - number) < NEAR));
}

/** Numbers that differ by less than this count as equal. */
const NEAR = 1e-6;

function numbersIn(text: string): readonly number[] {
  return [...text.matchAll(/-?\d+\.?\d*/g)].map(([number]) => Number(number));
}
