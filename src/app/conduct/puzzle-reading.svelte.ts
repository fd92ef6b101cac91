/** @file Checks whether a question is a puzzle that Podium can parse. The parsers are lazy-loaded. */
import { SAMPLE_QUESTIONS } from '../../core/tasks/samples';

export class PuzzleReading {
  /** Whether the question is a puzzle. `null`: unknown, or there is no question. */
  isPuzzle: boolean | null = $state(null);

  /** Call this while a component initializes. @param question returns `null` if there is no question */
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
