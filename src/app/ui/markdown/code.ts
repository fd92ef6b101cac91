/**
 * @file Highlights code with highlight.js, in the languages that answers use most.
 */
import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';

const LANGUAGES = { bash, cpp, css, java, javascript, json, python, rust, sql, typescript, xml };
for (const [name, language] of Object.entries(LANGUAGES)) highlighter.registerLanguage(name, language);

/** The code as highlighted and escaped HTML. `null`: the language is unknown. */
export function highlight(code: string, language: string): string | null {
  const known = highlighter.getLanguage(language);
  if (!known) return null;
  const { value } = highlighter.highlight(code, { language, ignoreIllegals: true });
  return plainElements(value);
}

/**
 * Replaces the spans of highlight.js with `i`, `b` or plain `span` elements, because the sanitizer removes classes. As a result,
 * highlighted code is italic or bold instead of colored.
 */
function plainElements(markup: string): string {
  const open: string[] = [];
  return markup.replace(/<span class="[^"]*">|<\/span>/g, (tag) => {
    if (tag === '</span>') return `</${open.pop() ?? 'span'}>`;
    const element = elementFor(tag);
    open.push(element);
    return `<${element}>`;
  });
}

function elementFor(tag: string): 'i' | 'b' | 'span' {
  if (/hljs-(?:comment|quote|meta)/.test(tag)) return 'i';
  return /hljs-(?:keyword|built_in|literal|type|name|selector-tag)/.test(tag) ? 'b' : 'span';
}
