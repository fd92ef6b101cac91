/** @file Compares Podium's verdicts on real answers, and on answers in which the last number is not the answer, with known ones. */
import { extractAnswer, sameAnswer } from '../../../src/core/graders/mathematics';
import { numbersIn } from '../../../src/core/graders/mathematics/numbers';
import { statedAnswers } from '../../fixtures/stated-answers';
import type { RealAnswer } from './answers';

/** Maximum number of answers that are printed for each kind of difference. */
const SHOWN = 5;

export function compareGrading(answers: readonly RealAnswer[]): void {
  const graded = answers.map((answer) => {
    const found = extractAnswer(answer.response);
    return { ...answer, found, isRight: found !== null && sameAnswer(answer.reference, found) };
  });
  for (const model of new Set(answers.map((each) => each.model))) {
    const own = graded.filter((each) => each.model === model);
    const [source, podium] = [own.filter(({ right }) => right), own.filter(({ isRight }) => isRight)];
    console.log(`${model}: right in ${share(source, own)} (source), ${share(podium, own)} (Podium)`);
  }
  const [right, wrong] = [graded.filter((each) => each.right), graded.filter((each) => !each.right)];
  const lost = right.filter(({ isRight }) => !isRight);
  const gained = wrong.filter(({ isRight }) => isRight);
  // The source reads the last number and compares it as text.
  const amounts = gained.filter(({ found }) => found !== null && /\.0+$/.test(found));
  const others = gained.filter((each) => !amounts.includes(each));
  const elsewhere = others.filter(({ reference, response }) => !sameAnswer(reference, lastNumber(response)));
  console.log(`Right for the source, wrong for Podium: ${lost.length} of ${right.length}`);
  for (const { reference, found } of lost.slice(0, SHOWN)) console.log(`  reference ${reference}, found ${found}`);
  console.log(`Wrong for the source, right for Podium: ${gained.length} of ${wrong.length}`);
  console.log(`  amounts such as 5.00 for 5: ${amounts.length}`);
  console.log(`  the last number of the response is not the answer: ${elsewhere.length}`);
  for (const { reference, response } of elsewhere.slice(0, SHOWN)) console.log(`    ${reference}: … ${end(response)}`);
  console.log(`  others: ${others.length - elsewhere.length}`);

  const stated = statedAnswers();
  const missed = stated.filter(({ response, reference }) => !sameAnswer(reference, extractAnswer(response) ?? ''));
  console.log(`Own answers in which the last number is not the answer: ${missed.length} of ${stated.length} wrong`);
}

function share(some: readonly unknown[], all: readonly unknown[]): string {
  return `${((100 * some.length) / all.length).toFixed(1)} %`;
}

function lastNumber(response: string): string {
  return numbersIn(response).at(-1)?.text ?? '';
}

function end(response: string): string {
  return response.trim().slice(-90).replaceAll('\n', ' ');
}
