/** @file Finds boxes (`\boxed{…}` and `\fbox{…}`) in a response. */

/** Maximum length of the text between two boxes that belong to one answer, in UTF-16 units. */
const LONGEST_JOINT = 48;

interface Box {
  readonly start: number;
  readonly end: number;
  readonly content: string;
}

/** The content of the last box, together with earlier boxes that belong to the same answer. */
export function boxed(text: string): string | null {
  const boxes = boxesIn(text);
  const last = boxes.at(-1);
  if (!last) return null;
  const group = [last];
  for (const box of boxes.slice(0, -1).reverse()) {
    const next = group[0];
    if (!next || !joins(text.slice(box.end, next.start))) break;
    group.unshift(box);
  }
  const content = group.map((box) => box.content.trim()).join(', ');
  if (group.length > 1) return content;
  return withPercent(content, text.slice(last.end));
}

/** Index of the last box, or -1. */
export function lastBox(text: string): number {
  return Math.max(text.lastIndexOf('\\boxed'), text.lastIndexOf('\\fbox'));
}

/** The content, with a percent sign if the text after it begins with one. */
export function withPercent(content: string, after: string): string {
  return /^\s*(?:[)$}\]]+\s*)?(?:\\?%|percent\b|pct\b)/i.test(after) && !content.includes('%')
    ? `${content} \\%`
    : content;
}

function boxesIn(text: string): Box[] {
  const boxes: Box[] = [];
  for (const match of text.matchAll(/\\(?:boxed|fbox)\s*(\{)?/g)) {
    const from = match.index + match[0].length;
    if (match.index < (boxes.at(-1)?.end ?? 0)) continue;
    if (!match[1]) {
      const word = /^\s*(\S+)/.exec(text.slice(from, from + 100))?.[1]?.replace(/(?<![$.])[$.]+$/, '');
      if (word) boxes.push({ start: match.index, end: from + word.length + 1, content: word });
      continue;
    }
    const end = closing(text, from);
    boxes.push({ start: match.index, end: end + 1, content: text.slice(from, end) });
  }
  return boxes;
}

/** Index of the brace that closes the group starting at `from`. Without such a brace, the length of the text. */
function closing(text: string, from: number): number {
  let depth = 1;
  for (let index = from; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '\\') {
      index++;
      continue;
    }
    if (character === '{') depth++;
    if (character === '}' && --depth === 0) return index;
  }
  return text.length;
}

/** Whether the text between two boxes shows that the boxes belong to one answer. */
function joins(between: string): boolean {
  if (between.length > LONGEST_JOINT || /[.:]\s|\n\s*\n/.test(between.trim())) return false;
  const bare = between.replace(/\\(?:quad|qquad|[,;: !]|text|[()[\]])|[${}\s]/g, ' ').trim();
  return bare === '' || bare === ',' || /(?:^|\W)(?:and|or)(?:\W|$)/.test(bare);
}
