/**
 * @file Grammar rules for text of bounded length. A bound of some hundred characters is a row of blocks and a shorter end.
 *
 * Engines prepare a mask of their whole vocabulary for each place in the rules, and must work it out anew, token by token,
 * wherever a token may run over the end of a rule. So each rule goes on into the next one instead of returning (a row of rules
 * costs one place each, and nothing runs over until the block ends), and blocks are long enough for that to be rare and short
 * enough for places to be few.
 */

/** Characters in a block. */
const BLOCK = 48;
/** White space and escapes before the first visible character of a string: no more than this many. */
const LEADING = 8;
/** The longest escape, `\u0000`. */
const LONGEST_ESCAPE = 6;

/**
 * What no string holds raw. Classes stay ASCII and negated: engines match everything beyond ASCII by any negated class, and
 * older ones by no other. So nothing here can refuse a subtask of nothing but white space from beyond ASCII; the parser does.
 */
const CONTROLS = '\\x00-\\x1f\\x7f';
const PLAIN = `[^"\\\\${CONTROLS}]`;
/** A thought: any number of lines without square brackets. */
const FREE = '[^\\[\\]\\x00-\\x09\\x0b-\\x1f\\x7f]';

/** A bound as blocks and a rest, after the one character that must be there. */
interface Measure {
  readonly blocks: number;
  readonly rest: number;
}

function measure(length: number): Measure {
  const rest = (length - 1) % BLOCK;
  return { blocks: (length - 1 - rest) / BLOCK, rest };
}

/**
 * Rules for a JSON string on one line with something to be seen in it, in quotes.
 * @param length most characters between the quotes as they are written. An escape at the end of a block may run over it.
 */
export function boundedStringRules(name: string, length: number): string[] {
  const { blocks, rest } = measure(length);
  return [
    `${name} ::= "\\"" lead${LEADING} "\\""`,
    ...Array.from({ length: LEADING + 1 }, (_, left) => `lead${left} ::= ${leadUnits(left)}`),
    `body ::= ${row(blocks, 'full', 'part', rest)}`,
    'part0 ::= ""',
    ...ends(blocks, rest).map((left) => `part${left} ::= "" | ${partUnits(left)}`),
    ...blockPlaces(blocks).map((left) => `full${left} ::= ${fullUnits(left)}`),
    'three ::= [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F]',
    'four ::= [0-9a-fA-F] three',
  ];
}

/** The longest that {@link boundedStringRules} admits between the quotes. */
export function worstCaseString(length: number): number {
  const { blocks, rest } = measure(length);
  return (LEADING + 1) * LONGEST_ESCAPE + blocks * (BLOCK - 1 + LONGEST_ESCAPE) + rest;
}

/**
 * Rules for free text of any number of lines without square brackets, which begins with something to be seen.
 * @param length most characters
 */
export function boundedTextRules(name: string, length: number): string[] {
  const { blocks, rest } = measure(length);
  return [
    `${name} ::= [^\\[\\]${CONTROLS} ] ${row(blocks, 'line', 'stop', rest)}`,
    'stop0 ::= ""',
    ...ends(blocks, rest).map((left) => `stop${left} ::= "" | ${FREE} stop${left - 1}`),
    ...blockPlaces(blocks).map((left) => `line${left} ::= ${FREE}${left > 1 ? ` line${left - 1}` : ''}`),
  ];
}

/** Fewer than all blocks and then less than one more, or all of them and then the rest. */
function row(blocks: number, block: string, end: string, rest: number): string {
  return `(${end}${BLOCK - 1} | ${block}${BLOCK} `.repeat(blocks) + `${end}${rest}` + ')'.repeat(blocks);
}

/** How much may be left at an end. */
function ends(blocks: number, rest: number): number[] {
  return Array.from({ length: blocks > 0 ? BLOCK - 1 : rest }, (_, index) => index + 1);
}

/** How much may be left of a block. */
function blockPlaces(blocks: number): number[] {
  return Array.from({ length: blocks > 0 ? BLOCK : 0 }, (_, index) => index + 1);
}

function leadUnits(left: number): string {
  const visible = `[^"\\\\${CONTROLS} ] body | "\\\\" ["\\\\/] body | "\\\\u" [dD] three body`;
  if (left === 0) return visible;
  const next = `lead${left - 1}`;
  return `${visible} | " " ${next} | "\\\\" [bfnrt] ${next} | "\\\\u" [0-9a-cefA-CEF] three ${next}`;
}

/** At most so many characters more. */
function partUnits(left: number): string {
  const units = [`${PLAIN} part${left - 1}`];
  if (left >= 2) units.push(`"\\\\" ["\\\\/bfnrt] part${left - 2}`);
  if (left >= LONGEST_ESCAPE) units.push(`"\\\\u" four part${left - LONGEST_ESCAPE}`);
  return units.join(' | ');
}

/** So many characters more, or an escape beyond. */
function fullUnits(left: number): string {
  const then = (weight: number) => (left > weight ? ` full${left - weight}` : '');
  return `${PLAIN}${then(1)} | "\\\\" ["\\\\/bfnrt]${then(2)} | "\\\\u" four${then(LONGEST_ESCAPE)}`;
}
