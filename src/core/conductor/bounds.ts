/**
 * @file Limits the tokens of each text (the thought and the subtasks) in a plan that is generated with a grammar. So the plan is
 * complete before it reaches its output limit. The grammar itself sets no length limits (`grammar.ts` says why). Instead,
 * the engine counts the tokens of each text and ends a text that is too long.
 */
import type { Step, TextBound } from '../contract';
import { formatWorkflow } from './format';
import { givenRest, longestSteps, type GrammarOptions } from './grammar';

/** The output limit of a plan in tokens (arXiv 2512.04388, appendix A.1). A plan of many steps may get a higher limit. */
export const PLAN_MAX_TOKENS = 1024;

/** Maximum number of tokens of the thought and of each subtask. */
export interface PlanBounds {
  /** 0: no thought. */
  readonly thought: number;
  readonly subtask: number;
}

/** Enough tokens for about 120 words. */
const LONGEST_THOUGHT = 160;
const LONGEST_SUBTASK = 256;
/**
 * Lower bound for the limit of the thought and of each subtask. A plan of many steps may therefore exceed
 * {@link PLAN_MAX_TOKENS}.
 */
const SHORTEST = 32;
/**
 * Maximum number of tokens by which a text can exceed its limit. These tokens complete an escape sequence or a character, and add
 * one visible character.
 */
const OVERSHOOT = 6;
const THOUGHT_END = '\nmodel_id = [';

/**
 * Divides the tokens of an answer among its texts. First, tokens are reserved for the syntax of the three lists (see
 * `format.ts`). The thought gets up to a quarter of the remaining tokens. The subtasks share all other tokens equally.
 */
export function planBounds(options: GrammarOptions, maxTokens: number = PLAN_MAX_TOKENS): PlanBounds {
  const steps = stepsOf(options).length;
  const free = maxTokens - listTokens(options) - (steps + 1) * OVERSHOOT;
  const thought = options.thought === false ? 0 : clamp(Math.floor(free / 4), LONGEST_THOUGHT);
  return { thought, subtask: clamp(Math.floor((free - thought) / steps), LONGEST_SUBTASK) };
}

/**
 * Length of the longest answer in tokens, including the end token. Assumes that the engine enforces the limits, and that each
 * character of the lists is one token.
 */
export function worstCaseTokens(options: GrammarOptions, bounds: PlanBounds): number {
  const texts = stepsOf(options).length * (bounds.subtask + OVERSHOOT);
  return listTokens(options) + bounds.thought + OVERSHOOT + texts;
}

/** The limits in the format of the engine. */
export function textBounds({ thought, subtask }: PlanBounds): TextBound[] {
  return [
    ...(thought > 0 ? [{ opens: null, closes: '[', ends: [THOUGHT_END], tokens: thought }] : []),
    // The grammar does not allow a subtask of white space alone. To end such a text, the engine writes a period before the quote.
    { opens: '"', closes: '"', ends: ['"', '.'], tokens: subtask },
  ];
}

/**
 * Number of tokens in the lists if the subtasks are empty and each character is one token. Includes the line
 * break before the lists and the end token.
 */
function listTokens(options: GrammarOptions): number {
  const steps = stepsOf(options).map((step) => ({ ...step, subtask: '' }));
  const unwritten = options.skeleton ? givenRest(options.skeleton.steps, options.access).length : 0;
  return formatWorkflow({ steps }, options).length - unwritten + 2;
}

function stepsOf(options: GrammarOptions): readonly Pick<Step, 'worker' | 'access' | 'seesEarlier'>[] {
  return options.skeleton?.steps ?? longestSteps(options);
}

function clamp(share: number, most: number): number {
  return Math.max(SHORTEST, Math.min(most, share));
}
