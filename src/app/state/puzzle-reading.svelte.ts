/** @file Whether a question is a puzzle that Podium itself can read. What reads puzzles comes when it is first needed. */
import { SAMPLE_QUESTIONS } from '../../core/tasks/samples';

export class PuzzleReading {
  /** `null`: not known, or there is no question. */
  isPuzzle: boolean | null = $state(null);

  /** @param question call while a component initialises; `null`: there is none to read */
  constructor(question: () => string | null) {
    $effect(() => {
      const text = question();
      const isSample = SAMPLE_QUESTIONS.some((sample) => sample.question === text);
      this.isPuzzle = isSample ? true : null;
      if (text === null || isSample) return;
      let isCurrent = true;
      import('../../core/tasks').then(
        ({ readPuzzle }) => {
          if (isCurrent) this.isPuzzle = readPuzzle(text) !== null;
        },
        () => undefined,
      );
      return () => {
        isCurrent = false;
      };
    });
  }
}
