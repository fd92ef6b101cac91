/**
 * @file Markdown of a model into DOM nodes. What a model says is data: raw HTML is shown as text, images are never loaded,
 * links carry their address as data and open only when a person confirms, and DOMPurify is the second layer below all that.
 * Mathematics and code colouring are loaded with the first formula or the first code block.
 */
import DOMPurify from 'dompurify';
import { Marked, type Tokens } from 'marked';
import { mathExtensions } from './math-syntax';

export interface RenderOptions {
  /** The text may still grow: long code is not coloured yet. */
  readonly growing: boolean;
}

export interface Rendered {
  readonly nodes: DocumentFragment;
  /** Resolves when something that was missing (formulas, colouring) has been loaded: render again then. */
  readonly missing: Promise<void> | null;
}

export interface Renderer {
  render(text: string, options: RenderOptions): Rendered;
  /** How many characters at the beginning of the text are blocks that more text can no longer change. */
  finishedLength(text: string): number;
}

type Typeset = (formula: string, display: boolean) => string;
type Highlight = (code: string, language: string) => string | null;

/** Colouring is repeated for each frame while a block grows; beyond this it waits until the block is whole. */
const LONGEST_GROWING_CODE = 4_000;

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

export function createRenderer(): Renderer {
  let typeset: Typeset | null = null;
  let highlight: Highlight | null = null;
  let options: RenderOptions = { growing: false };
  const wanted = new Set<'math' | 'code'>();

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
      // Below the page's own headings, whatever level the model took.
      heading({ tokens, depth }) {
        const level = Math.min(6, depth + 3);
        return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
      },
      checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
      code({ text, lang }) {
        const language = lang?.trim().split(/\s/)[0] ?? '';
        const coloured =
          language !== '' && !(options.growing && text.length > LONGEST_GROWING_CODE) ? colour(text, language) : null;
        return `<pre tabindex="0"><code>${coloured ?? escape(text)}</code></pre>\n`;
      },
    },
  });
  marked.use({ extensions: mathExtensions(renderMath) });

  function colour(code: string, language: string): string | null {
    if (!highlight) wanted.add('code');
    return highlight?.(code, language) ?? null;
  }

  function renderMath(formula: string, display: boolean): string {
    if (!typeset) wanted.add('math');
    return typeset?.(formula, display) ?? `<code>${escape(formula)}</code>`;
  }

  async function fetchWanted(): Promise<void> {
    const parts = [...wanted];
    wanted.clear();
    if (parts.includes('math')) ({ typeset } = await import('./math'));
    if (parts.includes('code')) ({ highlight } = await import('./code'));
  }

  return {
    render(text, renderOptions) {
      options = renderOptions;
      const nodes = sanitize(marked.parse(text, { async: false }));
      return { nodes, missing: wanted.size > 0 ? fetchWanted() : null };
    },
    finishedLength(text) {
      const tokens = marked.lexer(text);
      const last = tokens.findLastIndex((token) => token.type !== 'space');
      return tokens.slice(0, Math.max(last, 0)).reduce((length, token: Tokens.Generic) => length + token.raw.length, 0);
    },
  };
}

/**
 * Only addresses a browser opens as a page or a letter may be offered as a link, and none with a name before the host: it
 * reads like another host.
 */
function isAddress(href: string): boolean {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href) || !URL.canParse(href)) return false;
  const { username, password } = new URL(href);
  return username === '' && password === '';
}

function sanitize(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    USE_PROFILES: { html: true, mathMl: true },
    ADD_TAGS: ['semantics', 'annotation'],
    ADD_ATTR: ['data-address'],
    FORBID_TAGS: [
      'style',
      'form',
      'input',
      'button',
      'select',
      'textarea',
      'iframe',
      'img',
      'picture',
      'svg',
      'video',
      'audio',
      'source',
      'template',
      'dialog',
      'map',
      'area',
      'link',
      'meta',
      'object',
      'embed',
    ],
    FORBID_ATTR: ['style', 'id', 'name', 'class', 'href', 'src', 'srcset', 'action', 'background', 'ping', 'poster'],
  });
}
