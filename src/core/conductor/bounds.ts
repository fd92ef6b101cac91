/**
 * @file How much a plan may say under a grammar, in tokens: the grammar itself sets no bound (`grammar-text.ts` says why). The
 * engine counts, and ends a text that is too long as the grammar would have it, so that a plan is whole before the tokens end.
 */
import type { Step, TextBound } from '../contract';
import { formatWorkflow } from './format';
import { longestSteps, type GrammarOptions } from './grammar';

/** The most tokens of a whole answer (arXiv 2512.04388, appendix A.1). */
export const PLAN_MAX_TOKENS = 1024;

/** Tokens of the thought and of each subtask. */
export interface PlanBounds {
  /** 0: no thought. */
  readonly thought: number;
  readonly subtask: number;
}

/** Some 120 words. */
const LONGEST_THOUGHT = 160;
const LONGEST_SUBTASK = 256;
/** More steps get no less than this, though all of them together may then take more than {@link PLAN_MAX_TOKENS}. */
const SHORTEST = 32;
/** Tokens beyond a bound at most: what is left of an escape or a character, and something to be seen. */
const OVERSHOOT = 6;
const THOUGHT_END = '\nmodel_id = [';

/** Shares out the tokens of an answer: what the lists take by themselves, then the thought, and the subtasks alike. */
export function planBounds(options: GrammarOptions, maxTokens: number = PLAN_MAX_TOKENS): PlanBounds {
  const steps = stepsOf(options).length;
  const free = maxTokens - listTokens(options) - (steps + 1) * OVERSHOOT;
  const thought = options.thought === false ? 0 : clamp(Math.floor(free / 4), LONGEST_THOUGHT);
  return { thought, subtask: clamp(Math.floor((free - thought) / steps), LONGEST_SUBTASK) };
}

/**
 * The longest answer in tokens, its end included, where the engine keeps the bounds: every character of the lists a token of
 * its own.
 */
export function worstCaseTokens(options: GrammarOptions, bounds: PlanBounds): number {
  const texts = stepsOf(options).length * (bounds.subtask + OVERSHOOT);
  return listTokens(options) + bounds.thought + OVERSHOOT + texts;
}

/** What the engine is told of the bounds. */
export function textBounds({ thought, subtask }: PlanBounds): TextBound[] {
  return [
    ...(thought > 0 ? [{ opens: null, closes: '[', ends: [THOUGHT_END], tokens: thought }] : []),
    // A string of nothing but blanks cannot be closed yet.
    { opens: '"', closes: '"', ends: ['"', '.'], tokens: subtask },
  ];
}

/** Lists of empty strings, the line break before them, and the token that ends the answer. */
function listTokens(options: GrammarOptions): number {
  const steps = stepsOf(options).map((step) => ({ ...step, subtask: '' }));
  return formatWorkflow({ steps }, options).length + 2;
}

function stepsOf(options: GrammarOptions): readonly Pick<Step, 'worker' | 'access'>[] {
  return options.skeleton?.steps ?? longestSteps(options);
}

function clamp(share: number, most: number): number {
  return Math.max(SHORTEST, Math.min(most, share));
}
