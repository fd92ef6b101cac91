/** @file Helpers for SVG drawings: colors, positions, and escaped or shortened text. */

/** Colors as CSS values. The first of `workers` is for the Conductor. */
export interface ScorePalette {
  readonly page: string;
  readonly ink: string;
  readonly ink2: string;
  readonly ink3: string;
  readonly line: string;
  readonly lineStrong: string;
  readonly accent: string;
  readonly warn: string;
  readonly bad: string;
  readonly workers: readonly { readonly fill: string; readonly on: string }[];
}

/** The left edge and the width of the area for a score's notes, in px. */
export interface SvgScale {
  readonly left: number;
  readonly width: number;
}

/** Converts a position in percent to px, rounded to a hundredth. */
export function place(percent: number, { left, width }: SvgScale): number {
  return Math.round((left + (percent / 100) * width) * 100) / 100;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Characters that XML forbids (control characters, halves of surrogate pairs, noncharacters), and characters that change the
 * direction of text. Joiners and variation selectors are not included, because emoji and many scripts need them.
 */
const UNSAFE = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\p{Bidi_Control}]/gu;

/** Text for an element or an attribute. Consecutive white space becomes one space. Unsafe characters are removed. */
export function escapeText(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(UNSAFE, '')
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}

/**
 * Text shortened to a width in px and escaped.
 * @param letter average width of a letter in px
 */
export function fitText(text: string, width: number, letter: number): string {
  const most = Math.max(0, Math.floor(width / letter));
  const letters = [
    ...text
      .slice(0, 4 * most + 4)
      .replace(/\s+/g, ' ')
      .trim(),
  ];
  return escapeText(letters.length <= most ? letters.join('') : `${letters.slice(0, Math.max(0, most - 1)).join('')}…`);
}

export function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${value}"`)
    .join(' ');
}
