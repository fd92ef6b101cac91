/**
 * @file Grammar rules for text: a thought, and the strings of a plan. They set no bound: an engine prepares a mask of its whole
 * vocabulary for each place in the rules, and to count some hundred characters takes as many places. With 150,000 tokens that
 * is half a minute before the first one; these few take a fraction of a second. How long a text may be is counted in tokens
 * while it is written (`bounds.ts`).
 *
 * Each rule goes on into the next one instead of returning, up to and with what closes the text. So nearly no token runs over
 * the end of a rule, and those that do are all an engine has to work out anew for each token that it writes.
 */

/**
 * What no string holds raw. Classes stay ASCII and negated: engines match everything beyond ASCII by any negated class, and
 * older ones by no other. So nothing here can refuse a subtask of nothing but white space from beyond ASCII; the parser does.
 */
const CONTROLS = '\\x00-\\x1f\\x7f';
const PLAIN = `[^"\\\\${CONTROLS}]`;
/** A thought: any number of lines without square brackets. */
const FREE = '[^\\[\\]\\x00-\\x09\\x0b-\\x1f\\x7f]';

/** Rules for a JSON string on one line with something to be seen in it, in quotes. */
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
 * Rules for free text of any number of lines without square brackets, which begins with something to be seen.
 * @param next the rule that follows on a line of its own
 */
export function textRules(name: string, next: string): string[] {
  return [`${name} ::= [^\\[\\]${CONTROLS} ] ${name}_on`, `${name}_on ::= "\\n" ${next} | ${FREE} ${name}_on`];
}
