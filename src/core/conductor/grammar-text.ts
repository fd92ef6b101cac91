/**
 * @file Grammar rules for the texts of a plan: the thought and the strings. The rules do not limit the length
 * of a text, because length limits make engines slow. An engine prepares a mask over its whole vocabulary for
 * each position in the rules. A rule that counts hundreds of characters has hundreds of positions. With a
 * vocabulary of 150,000 tokens, preparing the masks takes half a minute. The few rules here take a fraction
 * of a second. `bounds.ts` limits the number of tokens of each text instead.
 *
 * Some tokens extend beyond the end of a rule. An engine checks these tokens again after each generated token,
 * which takes time. To keep their number low, each rule here refers after one character to a rule for the whole
 * remaining text, including the character that closes the text.
 */

/**
 * Control characters, which must be escaped in strings.
 *
 * In older engines, non-ASCII characters match only negated character classes. So the rules use negated
 * classes that list the excluded ASCII characters. These classes also match non-ASCII white space. A subtask
 * that consists only of such white space is rejected by the parser.
 */
const CONTROLS = '\\x00-\\x1f\\x7f';
const PLAIN = `[^"\\\\${CONTROLS}]`;
/** A character of a thought: anything except square brackets and control characters. A line break is allowed. */
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
 * Rules for free text that begins with a visible character. The text can have several lines, but no square brackets.
 * @param next the rule that follows the text on a new line
 */
export function textRules(name: string, next: string): string[] {
  return [`${name} ::= [^\\[\\]${CONTROLS} ] ${name}_on`, `${name}_on ::= "\\n" ${next} | ${FREE} ${name}_on`];
}
