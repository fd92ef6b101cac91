/** @file The combinations of pool size, step limit and access scheme that tests of plans use. */
import type { GrammarOptions } from '../../../src/core/conductor/grammar';

/** Any 90 consecutive numbers cover all combinations of 1 to 9 workers, 1 to 5 steps and both schemes. */
export function grammarCase(number: number): GrammarOptions {
  return {
    poolSize: 1 + (number % 9),
    maxSteps: 1 + (Math.floor(number / 9) % 5),
    access: Math.floor(number / 45) % 2 === 0 ? 'binary' : 'fine',
  };
}
