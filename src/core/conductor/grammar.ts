/**
 * @file Generates a grammar for plans in the form that `formatWorkflow` writes. An engine that enforces this grammar can only
 * write a workflow for the given pool. The format is the EBNF that xgrammar and llama.cpp share. Repetition is written out,
 * because the engines in older model libraries do not support `{m,n}`.
 */
import type { AccessScheme, Step } from '../contract';
import { formatAccess } from './format';

export interface GrammarOptions {
  /** Number of workers, including the Conductor if `recursion` is on. */
  readonly poolSize: number;
  readonly maxSteps: number;
  readonly access: AccessScheme;
  /** Whether all lists of the plan may be empty. An empty plan keeps the answer of the previous round. Default false. */
  readonly allowEmpty?: boolean;
  /**
   * Whether the pool's last entry is the Conductor. Only the last of several steps may name the Conductor.
   * Default false.
   */
  readonly recursion?: boolean;
  /** Whether "all" includes the earlier rounds. Then even the first step may have "all". Default false. */
  readonly showsEarlier?: boolean;
  /** Steps whose workers and access are fixed. The model writes only the thought and the subtasks. */
  readonly skeleton?: { readonly steps: readonly Pick<Step, 'worker' | 'access'>[] };
  /** Whether a thought may precede the lists. Default true. */
  readonly thought?: boolean;
}

/**
 * Generates the grammar. `parseWorkflow` and `checkWorkflow` accept every answer that the grammar allows, unless a subtask
 * consists only of non-ASCII white space. The grammar allows every output of `formatWorkflow` for a workflow that meets the
 * options. The grammar does not limit the length of texts. `bounds.ts` does.
 *
 * With a skeleton, the model's text ends after the last subtask. `givenRest` returns the fixed rest of the answer.
 *
 * A thought contains no square brackets, so the first square bracket always opens `model_id`. Throws a `RangeError` if no
 * workflow could meet the options.
 */
export function workflowGrammar(options: GrammarOptions): string {
  check(options);
  const hasThought = options.thought !== false;
  const rules = [
    `root ::= lists${hasThought ? ' | thought' : ''}`,
    ...(options.skeleton ? skeletonRules(options.skeleton.steps) : planRules(options)),
    ...stringRules('subtask'),
    ...(hasThought ? textRules('thought', 'lists') : []),
  ];
  return `${rules.join('\n')}\n`;
}

function check({ poolSize, maxSteps, recursion, skeleton }: GrammarOptions): void {
  if (poolSize < (recursion ? 2 : 1)) throw new RangeError('A workflow needs a worker that is not the Conductor.');
  if ((skeleton?.steps.length ?? maxSteps) < 1) throw new RangeError('A workflow needs at least one step.');
}

/** Returns the steps whose formatted lists of workers and access are as long as the options allow. */
export function longestSteps({
  poolSize,
  maxSteps,
  showsEarlier = false,
}: GrammarOptions): Pick<Step, 'worker' | 'access' | 'seesEarlier'>[] {
  return Array.from({ length: maxSteps }, (_, index) => ({
    worker: poolSize - 1,
    // For the first two steps, the entry `"all"` is longer than a list of step numbers.
    seesEarlier: showsEarlier && index < 2,
    access: Array.from({ length: index }, (__, earlier) => earlier),
  }));
}

/**
 * The fixed end of an answer to a skeleton: the end of the list of subtasks, and the access list. The text between the subtasks is
 * fixed too, but the model has to write it: WebLLM can't add given tokens to an answer in progress.
 */
export function givenRest(steps: readonly Pick<Step, 'access'>[], access: AccessScheme): string {
  return `]\naccess_list = [${steps.map((step, index) => formatAccess(step.access, index, access)).join(', ')}]`;
}

function skeletonRules(steps: readonly Pick<Step, 'worker'>[]): string[] {
  const workers = steps.map((step) => step.worker).join(', ');
  const subtasks = steps.map(() => 'subtask').join(' ", " ');
  return [`lists ::= ${literal(`model_id = [${workers}]\nsubtasks = [`)} ${subtasks}`];
}

/**
 * The rule `pick<n>` generates the worker of step n, counted from 1. If the plan has n steps, the rule
 * `rest<n>` closes the list of workers and generates the other two lists with n entries each.
 */
function planRules(options: GrammarOptions): string[] {
  const { poolSize, maxSteps, allowEmpty, recursion, access, showsEarlier = false } = options;
  const rules: string[] = [];
  const empty = allowEmpty ? `${literal(']\nsubtasks = []\naccess_list = []')} | ` : '';
  rules.push(`lists ::= "model_id = [" (${empty}pick1)`);
  const workers = recursion ? poolSize - 1 : poolSize;
  rules.push(`worker ::= ${Array.from({ length: workers }, (_, index) => literal(String(index))).join(' | ')}`);
  for (let count = 1; count <= maxSteps; count++) {
    const more = count < maxSteps ? ` | ", " pick${count + 1}` : '';
    const self = recursion && count > 1 ? ` | ${literal(String(poolSize - 1))} rest${count}` : '';
    rules.push(`pick${count} ::= worker (rest${count}${more})${self}`);
    const places = Array.from({ length: count }, (_, index) => index);
    const subtasks = places.map(() => 'subtask').join(' ", " ');
    const entries = places.map((index) => accessRule(index, access, showsEarlier)).join(' ", " ');
    rules.push(`rest${count} ::= "]\\nsubtasks = [" ${subtasks} "]\\naccess_list = [" ${entries} "]"`);
  }
  const needsSome = maxSteps > 1 || showsEarlier;
  if (needsSome && (access === 'binary' || showsEarlier)) rules.push('some ::= "[]" | "\\"all\\""');
  if (maxSteps > 1 && access === 'fine') rules.push(...fineAccessRules(maxSteps));
  return rules;
}

function accessRule(index: number, access: AccessScheme, showsEarlier: boolean): string {
  if (index === 0) return showsEarlier ? 'some' : '"[]"';
  if (access === 'binary') return 'some';
  return showsEarlier ? `(some${index} | "\\"all\\"")` : `some${index}`;
}

/**
 * The rule `some<n>` matches a list, which can be empty, of steps before step n (counted from 0). The rule
 * `upto<n>` matches one or more of the steps 0 to n, in ascending order.
 */
function fineAccessRules(maxSteps: number): string[] {
  const rules: string[] = [];
  for (let index = 1; index < maxSteps; index++) {
    const last = index - 1;
    rules.push(`some${index} ::= "[" upto${last}? "]"`);
    rules.push(last === 0 ? 'upto0 ::= "0"' : `upto${last} ::= upto${last - 1} | (upto${last - 1} ", ")? "${last}"`);
  }
  return rules;
}

function literal(text: string): string {
  return JSON.stringify(text);
}

// Grammar rules for the texts of a plan: the thought and the strings. The rules do not limit the length
// of a text, because length limits make engines slow. An engine prepares a mask over its whole vocabulary for
// each position in the rules. A rule that counts hundreds of characters has hundreds of positions. With a
// vocabulary of 150,000 tokens, preparing the masks takes half a minute. The few rules here take a fraction
// of a second. `bounds.ts` limits the number of tokens of each text instead.
//
// Some tokens extend beyond the end of a rule. An engine checks these tokens again after each generated token,
// which takes time. To keep their number low, each rule here refers after one character to a rule for the whole
// remaining text, including the character that closes the text.

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
function stringRules(name: string): string[] {
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
function textRules(name: string, next: string): string[] {
  return [`${name} ::= [^\\[\\]${CONTROLS} ] ${name}_on`, `${name}_on ::= "\\n" ${next} | ${FREE} ${name}_on`];
}
