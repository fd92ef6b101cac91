/**
 * @file Grammar rules for text: a thought, and the strings of a plan. They set no length limits. An engine prepares a mask of
 * its whole vocabulary for each position in the rules. A rule that counts hundreds of characters needs hundreds of positions.
 * With a vocabulary of 150,000 tokens, preparing them takes half a minute. The few rules here take a fraction of a second.
 * `bounds.ts` limits the length of texts in tokens during generation.
 *
 * Each rule ends with a reference to the rule for the rest of the text. The character that closes the text is part of the same
 * rules. So almost no token crosses the end of a rule. This saves time, because after each generated token an engine must check
 * all tokens that cross the end of a rule again.
 */

/**
 * Control characters, which must be escaped in strings. The character classes that match characters beyond ASCII are
 * negated and list only ASCII characters, because in older engines only a negated class matches characters beyond
 * ASCII. So the grammar accepts a subtask that consists only of non-ASCII white space. The parser rejects such a
 * subtask.
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
 * Rules for free text that begins with a visible character. The text can have any number of lines, and contains no square
 * brackets.
 * @param next the rule that follows on a line of its own
 */
export function textRules(name: string, next: string): string[] {
  return [`${name} ::= [^\\[\\]${CONTROLS} ] ${name}_on`, `${name}_on ::= "\\n" ${next} | ${FREE} ${name}_on`];
}
