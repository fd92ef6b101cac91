/** @file How simulated workers write: a few short lines of markdown, the answer in a line of its own. */

const UNSURE = 'I am not sure of this.';

/** Whether a text doubts its own answer. */
export function saysUnsure(text: string): boolean {
  return /\bnot (?:quite |entirely )?(?:sure|certain)\b|\bno exact (?:way|answer)\b/i.test(text);
}

/** Lines, then the answer; `null` where there is none. */
export function written(lines: readonly string[], answer: string | null, sure: boolean): string {
  const said = answer === null ? [...lines, 'I have no answer.'] : sure ? lines : [...lines, UNSURE];
  const paragraphs = said.filter((line) => line !== '').join('\n');
  return answer === null ? paragraphs : `${paragraphs}\n\n**Answer:** ${asMathematics(answer)}`;
}

/** Puts what is all signs and numbers between dollar signs, so that it is set as mathematics. */
export function asMathematics(answer: string): string {
  return /^[\d\s()+\-−×÷=/.,]+$/.test(answer) ? `$${answer}$` : answer;
}

/** The steps whose answer a text says it keeps or takes. */
export function keptSteps(text: string): number[] {
  const match = /\b(?:keep|take) the answer of steps? ((?:\d{1,3}(?:, | and )?){1,16})/.exec(text);
  return (match?.[1]?.match(/\d+/g) ?? []).map(Number);
}

/** "step 1", "steps 1 and 3". */
export function stepNames(numbers: readonly number[]): string {
  if (numbers.length < 2) return `step ${numbers.join('')}`;
  return `steps ${numbers.slice(0, -1).join(', ')} and ${numbers[numbers.length - 1] ?? ''}`;
}
