/**
 * @file Finds fenced code in a Markdown text. The search goes line by line and looks only for fences.
 * A full Markdown parser can take seconds, or overflow the stack, on the output of a model.
 */

const PYTHON = /^\{?\.?(?:python3?|py3?)\b/i;
/** An opening fence, optionally after quote and list marks. The limit of 40 marks keeps matching linear. */
const OPENING = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t]){0,40})(`{3,}(?!`)|~{3,}(?!~))(.*)$/;

export interface FencedCode {
  /** The language, as written after the opening fence. */
  readonly language: string;
  readonly code: string;
}

/** Whether a fence is marked as Python. */
export function isPython({ language }: FencedCode): boolean {
  return PYTHON.test(language);
}

/** The fenced blocks of a text, in order. Skips blank blocks. The last block may lack a closing fence. */
export function fencedCode(markdown: string): FencedCode[] {
  const fences: FencedCode[] = [];
  let open: {
    readonly fence: string;
    readonly before: string;
    readonly language: string;
    readonly lines: string[];
  } | null = null;
  const close = () => {
    if (open && open.lines.some((line) => line.trim() !== '')) {
      fences.push({ language: open.language, code: open.lines.join('\n') });
    }
    open = null;
  };
  for (const line of markdown.split(/\r\n|\r|\n/)) {
    if (open) {
      const inner = withoutMargin(line, open.before);
      const rest = inner.trim();
      if (rest.length >= open.fence.length && rest === (open.fence[0] ?? '').repeat(rest.length)) close();
      else open.lines.push(inner);
      continue;
    }
    const [, before = '', fence, info = ''] = OPENING.exec(line) ?? [];
    if (fence === undefined || (fence.startsWith('`') && info.includes('`'))) continue;
    open = { fence, before, language: info.trim(), lines: [] };
  }
  close();
  return fences;
}

/** Removes the indentation and the quote marks that a line of code shares with its opening fence. */
function withoutMargin(line: string, before: string): string {
  const marks = before.includes('>') ? ' \t>' : ' \t';
  let at = 0;
  while (at < before.length && at < line.length && marks.includes(line[at] ?? '')) at += 1;
  return line.slice(at);
}
