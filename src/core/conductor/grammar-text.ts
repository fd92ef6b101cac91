/**
 * @file Grammar rules for text: a thought, and the strings of a plan. They set no length limits. An engine prepares a mask of its
 * whole vocabulary for each position in the rules, and counting hundreds of characters needs as many positions. With 150,000
 * tokens, that takes half a minute before the first token. These few rules take a fraction of a second. The length is limited in
 * tokens during generation (`bounds.ts`).
 *
 * Each rule continues in the next one instead of returning, including the character that closes the text. So almost no token
 * crosses the end of a rule, and only those that do have to be computed again for each generated token.
 */

/**
 * Characters that must be escaped in strings. Classes are ASCII and negated: every negated class matches all characters beyond
 * ASCII, and in older engines only negated ones do. So the grammar accepts a subtask of non-ASCII white space, which the parser
 * refuses.
 */
const CONTROLS = '\\x00-\\x1f\\x7f';
const PLAIN = `[^"\\\\${CONTROLS}]`;
/** A character of a thought. A thought has any number of lines without square brackets. */
const FREE = '[^\\[\\]\\x00-\\x09\\x0b-\\x1f\\x7f]';

/** Rules for a quoted JSON string on one line with at least one visible character. */
export function stringRules(name: string): string[] {
  return [
    `${name} ::= "\\"" lead`,
    `lead ::= [^"\\\\${CONTROLS} ] body | " " lead | "\\\\" (visible body | blank lead)`,
    `body ::= "\\"" | ${PLAIN} body | "\\\\" escape body`,
    'visible ::= ["\\\\/] | "u" [dD] three',
    'blank ::= [bfnrt] | "u" [0-9a-cefA-CEF] three',
    'escape ::= ["\\\\/bfnrt] | "u" [0-9a-fA-F] three',
    'three ::= [0-9a-fA-F] [0-9a-fA-F] [0-9a-fA-F]',
  ];
}

/**
 * Rules for free text of any number of lines without square brackets, which begins with a visible character.
 * @param next the rule that follows on a line of its own
 */
export function textRules(name: string, next: string): string[] {
  return [`${name} ::= [^\\[\\]${CONTROLS} ] ${name}_on`, `${name}_on ::= "\\n" ${next} | ${FREE} ${name}_on`];
}
