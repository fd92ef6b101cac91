/**
 * @file Formats the general questions of the practice set. Each question ends with an instruction where to
 * write the answer, so that the grader can find the answer.
 */
import type { Domain, EvaluationTask, GraderKind } from '../../../contract';

/** A question without its id, group and domain. */
interface PracticeQuestion {
  readonly question: string;
  readonly reference: string;
  readonly grader: GraderKind;
}

const LETTERS = ['A', 'B', 'C', 'D'] as const;
type Letter = (typeof LETTERS)[number];
type Options = readonly [string, string, string, string];

const AFTER_ANSWER = 'End with “Answer:” and the value.';
const LAST_LINE = 'Write the answer alone on the last line.';

/** A multiple-choice question with four options. */
export function choice(question: string, options: Options, reference: Letter): PracticeQuestion {
  const listed = options.map((option, index) => `${LETTERS[index] ?? ''}) ${option}`).join('\n');
  return {
    question: `${question}\n${listed}\nEnd with “Answer:” and the letter of the right option.`,
    reference,
    grader: 'letter',
  };
}

/** A question whose answer may be written in several ways, such as `1/2` and `0.5`. */
export function formula(question: string, reference: string): PracticeQuestion {
  return { question: `${question} ${AFTER_ANSWER}`, reference, grader: 'mathematics' };
}

/** A question whose answer is a number, with or without a unit. */
export function quantity(question: string, reference: string): PracticeQuestion {
  return { question: withHint(question, AFTER_ANSWER), reference, grader: 'rlpr' };
}

/** A question whose answer has only one spelling. */
export function exactly(question: string, reference: string): PracticeQuestion {
  return { question: withHint(question, LAST_LINE), reference, grader: 'exact' };
}

/**
 * A question whose answer is a name. The answer may contain other words, such as a first name.
 * @param names regular expressions, at least one of which must match
 */
export function named(question: string, ...names: readonly [string, ...string[]]): PracticeQuestion {
  return { question: `${question} ${LAST_LINE}`, reference: `.*${wholeWords(names.join('|'))}.*`, grader: 'pattern' };
}

/** A question whose answer must contain all given names, in any order. */
export function namedAll(question: string, ...names: readonly [string, ...string[]]): PracticeQuestion {
  const reference = `${names.map((name) => `(?=.*${wholeWords(name)})`).join('')}.*`;
  return { question: `${question} ${LAST_LINE}`, reference, grader: 'pattern' };
}

/** Converts the questions of one group to tasks. Ids count from 1. */
export function questionsOf(group: string, domain: Domain, questions: readonly PracticeQuestion[]): EvaluationTask[] {
  return questions.map((question, index) => ({
    id: `practice-${group}-${String(index + 1).padStart(2, '0')}`,
    ...question,
    domain,
    group,
  }));
}

/** Appends a hint to a question. If the question has several lines, the hint is a separate paragraph. */
function withHint(question: string, hint: string): string {
  return `${question}${question.includes('\n') ? '\n\n' : ' '}${hint}`;
}

function wholeWords(pattern: string): string {
  return `(?<![\\p{L}\\d])(?:${pattern})(?![\\p{L}\\d])`;
}
