/**
 * @file Renders a model's Markdown to HTML, block by block. This code runs in a Web Worker, because parsing hostile text may
 * never end. Model output is untrusted. Therefore raw HTML is shown as text, and images are never loaded. Links have their
 * address in `data-address` instead of `href`. The page also sanitizes the result. The code for formulas is lazy-loaded with the
 * first formula. The code for highlighting is lazy-loaded with the first code block that names a language.
 */
import { Lexer, Marked, type Token, type TokensList, type TokenizerAndRendererExtension, type Tokens } from 'marked';
import { cjkEmphasis } from './cjk-emphasis';
import { isHeavy, withFewMarks } from './display-text';

/** A part of the text as the page shows it. */
export interface Block {
  /** UTF-16 units of the source. */
  readonly length: number;
  /** `null`: the block is too large or too expensive to lay out, so it is shown as plain text. */
  readonly html: string | null;
  /** Whether this is the last block, which more text may still change. */
  readonly isTail: boolean;
}

export interface Markup {
  /**
   * The blocks in order, covering the whole text. Throws if the nesting is too deep.
   * @param isComplete whether no more text will follow
   */
  blocks(text: string, isComplete: boolean): AsyncGenerator<Block, void>;
}

type Typeset = (formula: string, display: boolean) => string;
type Highlight = (code: string, language: string) => string | null;

/**
 * Maximum length of code that is highlighted in the last block, in UTF-16 units. The last block may still grow, and each change
 * repeats the highlighting. Longer code is highlighted once another block follows or the text is complete.
 */
const LONGEST_GROWING_CODE = 4_000;
/** Maximum length of code that is highlighted at all, in UTF-16 units. */
const LONGEST_CODE = 50_000;
/** Limits on elements, UTF-16 units and nesting. Within them, the page sanitizes and lays out a block without a visible delay. */
const MOST_ELEMENTS = 1_500;
const LONGEST_HTML = 150_000;
const DEEPEST = 60;
/** Small blocks are merged up to this many UTF-16 units of source, because many small blocks cost more to lay out. */
const FULL_BLOCK = 1_000;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

/** @param loading called before the code for formulas or for highlighting is loaded over the network */
export function createMarkup(loading: () => void): Markup {
  let typeset: Typeset | null = null;
  let highlight: Highlight | null = null;
  let isGrowing = false;
  const missingParts = new Set<'math' | 'code'>();

  const marked = new Marked({
    gfm: true,
    renderer: {
      html: ({ text }) => escape(text),
      image: ({ href, text }) => escape(`![${text}](${href})`),
      link(token) {
        const label = this.parser.parseInline(token.tokens);
        return isAddress(token.href)
          ? `<a role="link" tabindex="0" data-address="${escape(token.href)}">${label}</a>`
          : label;
      },
      // The model's headings begin at level 4, so that they rank below the page's own headings.
      heading({ tokens, depth }) {
        const level = Math.min(6, depth + 3);
        return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
      },
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
      code({ text, lang }) {
        const language = lang?.trim().split(/\s/)[0] ?? '';
        const longest = isGrowing ? LONGEST_GROWING_CODE : LONGEST_CODE;
        const plain = escape(text);
        const coloured = language !== '' && text.length <= longest ? colour(text, language) : null;
        return `<pre tabindex="0"><code>${coloured !== null && fits(coloured) ? coloured : plain}</code></pre>\n`;
      },
    },
  });
  marked.use(cjkEmphasis, { extensions: mathExtensions(renderMath) });

  function colour(code: string, language: string): string | null {
    if (!highlight) missingParts.add('code');
    return highlight?.(code, language) ?? null;
  }

  function renderMath(formula: string, display: boolean): string {
    if (!typeset) missingParts.add('math');
    const math = typeset?.(formula, display);
    return math !== undefined && fits(math) ? math : `<code>${escape(formula)}</code>`;
  }

  /** Loads the code that the last rendering lacked. If loading fails, for example offline, formulas and code stay plain text. */
  async function loadMissingParts(): Promise<void> {
    const parts = [...missingParts];
    missingParts.clear();
    loading();
    try {
      if (parts.includes('math')) ({ typeset } = await import('./math'));
      if (parts.includes('code')) ({ highlight } = await import('./code'));
    } catch {
      // If loading fails, the next block that needs this code tries again.
    }
  }

  /** @param links reference definitions of the whole text */
  function render(source: string, links: TokensList['links']): string {
    const lexer = new Lexer(marked.defaults);
    lexer.tokens.links = links;
    return marked.parser(lexer.lex(source));
  }

  async function htmlOf(source: string, links: TokensList['links']): Promise<string | null> {
    if (isHeavy(withFewMarks(source))) return null;
    let html = render(source, links);
    if (missingParts.size > 0) {
      await loadMissingParts();
      html = render(source, links);
      missingParts.clear();
    }
    return fits(html) ? withFewMarks(html) : null;
  }

  return {
    async *blocks(text, isComplete) {
      const lexer = new Lexer(marked.defaults);
      // `blockTokens` doesn't parse inline text. `htmlOf` parses the inline text of one block at a time, so a
      // slow block doesn't delay earlier blocks.
      const tokens = lexer.blockTokens(text, lexer.tokens);
      const sources = sourcesOf(tokens);
      for (const [index, source] of sources.entries()) {
        const isTail = index === sources.length - 1;
        isGrowing = isTail && !isComplete;
        yield { length: source.length, html: await htmlOf(source, lexer.tokens.links), isTail };
      }
    },
  };
}

/** The source of each block. The last block starts at the last non-space token, because more text may change that token. */
function sourcesOf(tokens: readonly Token[]): string[] {
  const last = Math.max(
    0,
    tokens.findLastIndex(({ type }) => type !== 'space'),
  );
  const sources: string[] = [];
  let source = '';
  for (const { raw } of tokens.slice(0, last)) {
    if (source !== '' && source.length + raw.length > FULL_BLOCK) {
      sources.push(source);
      source = '';
    }
    source += raw;
  }
  if (source !== '') sources.push(source);
  const tail = tokens
    .slice(last)
    .map(({ raw }) => raw)
    .join('');
  return [...sources, tail];
}

const VOID = /^<(?:br|hr|mspace)\b/;

function fits(html: string): boolean {
  if (html.length > LONGEST_HTML) return false;
  let elements = 0;
  let depth = 0;
  for (const [tag] of html.matchAll(/<\/?[a-z]+/g)) {
    if (tag.startsWith('</')) depth -= 1;
    else elements += 1;
    if (!tag.startsWith('</') && !VOID.test(tag)) depth += 1;
    if (elements > MOST_ELEMENTS || depth > DEEPEST) return false;
  }
  return true;
}

/**
 * Whether an address becomes a link: a web or mail address without a user name or password. A user name or
 * password precedes the host and can look like another host.
 */
function isAddress(href: string): boolean {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href) || !URL.canParse(href)) return false;
  const { username, password } = new URL(href);
  return username === '' && password === '';
}

// Finds formulas in a text that a model wrote: `$…$`, `$$…$$`, `\(…\)` and `\[…\]`.

/** Maximum length of a formula, in UTF-16 units. The limit keeps the search short if a `$` has no closing `$`. */
const LONGEST = 4_000;
const BLOCK = /^(?:\$\$([^]{1,4000}?)\$\$|\\\[([^]{1,4000}?)\\\])[ \t]*(?:\n|$)/;
const INLINE =
  /^(?:\$\$([^$]{1,4000}?)\$\$|\$(?!\s)((?:\\.|[^$\\\n]){1,4000}?)(?<!\s)\$(?!\d)|\\\(([^]{1,4000}?)\\\)|\\\[([^]{1,4000}?)\\\])/;

/**
 * Extensions for the parser `marked`.
 * @param render receives a formula, and whether the formula gets its own line, as with `$$` and `\[`
 */
function mathExtensions(render: (formula: string, display: boolean) => string): TokenizerAndRendererExtension[] {
  return [extension('block', BLOCK, render), extension('inline', INLINE, render)];
}

function extension(
  level: 'block' | 'inline',
  syntax: RegExp,
  render: (formula: string, display: boolean) => string,
): TokenizerAndRendererExtension {
  const name = `math-${level}`;
  // A block formula must be at the start of a line. With a looser pattern, the parser `marked` would split
  // paragraphs at every "$".
  const opening = level === 'block' ? /(?<=^|\n)(?:\$\$|\\\[)/ : /\$|\\\(|\\\[/;
  return {
    name,
    level,
    start(source) {
      const index = source.search(opening);
      return index < 0 ? undefined : index;
    },
    tokenizer(source) {
      const match = syntax.exec(source.length > 3 * LONGEST ? source.slice(0, 3 * LONGEST) : source);
      if (!match) return undefined;
      const formula = (match[1] ?? match[2] ?? match[3] ?? match[4] ?? '').trim();
      return { type: name, raw: match[0], formula, display: /^(?:\$\$|\\\[)/.test(match[0]) };
    },
    renderer: (token: Tokens.Generic) => render(String(token.formula), token.display === true),
  };
}
