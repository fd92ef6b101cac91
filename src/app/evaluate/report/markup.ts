/** @file Writes the elements of a report as text. All text and attribute values are escaped. */

/** Markup whose texts are escaped. */
export interface Markup {
  readonly html: string;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}

/** @param children texts and elements. `null`: nothing */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: readonly (Markup | string | null)[]
): Markup {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  const content = children.map((child) => (typeof child === 'string' ? escaped(child) : (child?.html ?? '')));
  return { html: `<${name}${written.join('')}>${content.join('')}</${name}>` };
}
