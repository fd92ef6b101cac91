/**
 * @file Finds the code in the messages of a worker, which have the format of `worker-prompt.ts`. Looks for fences only, line by
 * line: a model can write text for which a whole Markdown parser takes seconds or overflows the stack.
 */
import type { Message } from '../../core/contract';

const PART_START = /<(overall-task|response|subtask)(?: number="\d+")?>\n/g;
const PYTHON = /^\{?\.?(?:python3?|py3?)\b/i;
/** A fence, with quote and list marks before it. Their number is bounded, so that matching stays linear. */
const OPENING = /^((?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t]){0,40})(`{3,}|~{3,})(.*)$/;

/**
 * Returns the newest fenced Python code: from the last response that has any, else from the worker's subtask, else from the
 * question. Within a text the last fence counts. A fence without a language counts only in a response, and only if no fence is
 * marked as Python. Messages of another format are read as one text.
 * @returns `null` if there is none
 */
export function findPythonCode(messages: readonly Message[]): string | null {
  const text = messages
    .filter((message) => message.role === 'user')
    .map((message) => message.content)
    .join('\n');
  const parts = partsOf(text).map(({ name, inner }) => ({ name, fences: fencesIn(inner) }));
  if (parts.length === 0) parts.push({ name: 'response', fences: fencesIn(text) });
  const of = (...names: string[]) => parts.filter(({ name }) => names.includes(name)).flatMap((part) => part.fences);
  const responses = of('response');
  const inOrder = [...of('overall-task'), ...of('subtask'), ...responses];
  const found =
    inOrder.findLast(({ language }) => PYTHON.test(language)) ?? responses.findLast(({ language }) => language === '');
  return found?.code ?? null;
}

interface Fence {
  /** As written after the opening fence. */
  readonly language: string;
  readonly code: string;
}

/** The parts of a prompt, each from its opening tag to the first closing tag of the same name. */
function partsOf(text: string): { readonly name: string; readonly inner: string }[] {
  const parts: { name: string; inner: string }[] = [];
  const withoutEnd = new Set<string>();
  let after = 0;
  for (const { 0: start, 1: name = '', index } of text.matchAll(PART_START)) {
    if (index < after || withoutEnd.has(name)) continue;
    const from = index + start.length;
    const end = text.indexOf(`\n</${name}>`, from);
    if (end === -1) {
      withoutEnd.add(name);
      continue;
    }
    parts.push({ name, inner: text.slice(from, end) });
    after = end;
  }
  return parts;
}

function fencesIn(markdown: string): Fence[] {
  const fences: Fence[] = [];
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

/** A line of code without the indentation and the quote marks of its opening fence. */
function withoutMargin(line: string, before: string): string {
  const marks = before.includes('>') ? ' \t>' : ' \t';
  let at = 0;
  while (at < before.length && at < line.length && marks.includes(line[at] ?? '')) at += 1;
  return line.slice(at);
}
