/**
 * @file Limits the texts of a plan under a grammar, in tokens. The grammar itself sets no limits (`grammar-text.ts` says why). The
 * engine counts, and closes a text that is too long, so that a plan is complete before the tokens run out.
 */
import type { Step, TextBound } from '../contract';
import { formatWorkflow } from './format';
import { givenRest, longestSteps, type GrammarOptions } from './grammar';

/** The output limit of a plan in tokens (arXiv 2512.04388, appendix A.1). A plan of many steps may get a higher limit. */
export const PLAN_MAX_TOKENS = 1024;

/** Tokens of the thought and of each subtask. */
export interface PlanBounds {
  /** 0: no thought. */
  readonly thought: number;
  readonly subtask: number;
}

/** About 120 words. */
const LONGEST_THOUGHT = 160;
const LONGEST_SUBTASK = 256;
/** The minimum for the thought and for each subtask, even if many steps together then exceed {@link PLAN_MAX_TOKENS}. */
const SHORTEST = 32;
/** Maximum number of tokens beyond a limit: the rest of an escape or a character, and one visible character. */
const OVERSHOOT = 6;
const THOUGHT_END = '\nmodel_id = [';

/** Divides the tokens of an answer among the lists, the thought, and the subtasks in equal parts. */
export function planBounds(options: GrammarOptions, maxTokens: number = PLAN_MAX_TOKENS): PlanBounds {
  const steps = stepsOf(options).length;
  const free = maxTokens - listTokens(options) - (steps + 1) * OVERSHOOT;
  const thought = options.thought === false ? 0 : clamp(Math.floor(free / 4), LONGEST_THOUGHT);
  return { thought, subtask: clamp(Math.floor((free - thought) / steps), LONGEST_SUBTASK) };
}

/**
 * The longest answer in tokens, with its end, if the engine enforces the limits and every character of the lists is one token.
 */
export function worstCaseTokens(options: GrammarOptions, bounds: PlanBounds): number {
  const texts = stepsOf(options).length * (bounds.subtask + OVERSHOOT);
  return listTokens(options) + bounds.thought + OVERSHOOT + texts;
}

/** The limits in the format of the engine. */
export function textBounds({ thought, subtask }: PlanBounds): TextBound[] {
  return [
    ...(thought > 0 ? [{ opens: null, closes: '[', ends: [THOUGHT_END], tokens: thought }] : []),
    // A blank string cannot be closed yet.
    { opens: '"', closes: '"', ends: ['"', '.'], tokens: subtask },
  ];
}

/** Lists of empty strings, the line break before them, and the token that ends the answer. */
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
