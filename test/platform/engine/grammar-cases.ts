/** @file The combinations of pool size, number of steps and access scheme with which plans are tested. */
import type { GrammarOptions } from '../../../src/core/conductor/grammar';

/** The case with this number. Any 90 successive numbers cover all pools of 1 to 9 workers, 1 to 5 steps and both schemes. */
export function grammarCase(number: number): GrammarOptions {
  return {
    poolSize: 1 + (number % 9),
    maxSteps: 1 + (Math.floor(number / 9) % 5),
    access: Math.floor(number / 45) % 2 === 0 ? 'binary' : 'fine',
  };
}
