/**
 * @file Writes and reads the replies of simulated workers: a few short lines of Markdown, and the answer on a line of its own.
 * Other simulated workers parse these replies, so the wording must not change.
 */

const UNSURE = 'I am not sure of this.';

/** Whether a text expresses doubt about its answer. */
export function isUnsure(text: string): boolean {
  return /\bnot (?:quite |entirely )?(?:sure|certain)\b|\bno exact (?:way|answer)\b/i.test(text);
}

/** Joins the lines and the answer. Adds a sentence if there is no answer, or if the worker is not sure of the answer. */
export function formatReply(lines: readonly string[], answer: string | null, sure: boolean): string {
  const allLines = answer === null ? [...lines, 'I have no answer.'] : sure ? lines : [...lines, UNSURE];
  const paragraphs = allLines.filter((line) => line !== '').join('\n');
  return answer === null ? paragraphs : `${paragraphs}\n\n**Answer:** ${asMathematics(answer)}`;
}

/** Puts an answer of numbers and signs between dollar signs, so that it is rendered as mathematics. */
function asMathematics(answer: string): string {
  return /^[\d\s()+\-−×÷=/.,]+$/.test(answer) ? `$${answer}$` : answer;
}

/** The numbers of the steps in a text such as "I keep the answer of steps 1 and 3". */
export function keptSteps(text: string): number[] {
  const match = /\b(?:keep|take) the answer of steps? ((?:\d{1,3}(?:, | and )?){1,16})/.exec(text);
  return (match?.[1]?.match(/\d+/g) ?? []).map(Number);
}

/** Names steps in words, such as "step 1" or "steps 1 and 3". */
export function stepNames(numbers: readonly number[]): string {
  if (numbers.length < 2) return `step ${numbers.join('')}`;
  return `steps ${numbers.slice(0, -1).join(', ')} and ${numbers[numbers.length - 1] ?? ''}`;
}
