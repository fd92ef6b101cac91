/** @file The question as it is typed, kept for as long as the tab lives, so that a reload loses nothing. */

const KEY = 'podium.question';

/** What was typed before a reload; `null` in a new tab, or where the browser keeps nothing. */
export function readQuestionDraft(): string | null {
  try {
    return sessionStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function writeQuestionDraft(question: string): void {
  try {
    sessionStorage.setItem(KEY, question);
  } catch {
    // Storage is off or full: the question still stands in the page.
  }
}
