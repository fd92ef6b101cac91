/** @file Passes questions from runs to the page, which asks the user. */
import type { Confirmations } from '../app/services';
import type { ContinueQuestion } from '../core/runs';

export interface ConfirmationChannel extends Confirmations {
  /** Asks the user whether a run may continue. @returns the user's answer. `false` if no page can ask */
  ask(question: ContinueQuestion): Promise<boolean>;
}

export function createConfirmations(): ConfirmationChannel {
  let answer: ((question: ContinueQuestion) => Promise<boolean>) | null = null;
  return {
    ask: (question) => answer?.(question) ?? Promise.resolve(false),
    answerWith(given) {
      answer = given;
      return () => {
        if (answer === given) answer = null;
      };
    },
  };
}
