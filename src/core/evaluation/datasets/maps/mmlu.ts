/** @file MMLU: multiple-choice questions on 57 subjects, with four options (cais/mmlu). */
import { choiceQuestion } from '../multiple-choice';
import { listOfTexts, optionalText, requiredText, UnfitRow, valueAt } from '../row-fields';
import type { SetMap } from './set-map';

const file = (label: string, path: string) => ({
  label,
  address: { repository: 'cais/mmlu', file: path },
  isGated: false,
});

export const mmlu: SetMap = {
  info: {
    set: 'mmlu',
    title: 'MMLU',
    grader: 'letter',
    isConfidential: false,
    files: [
      file('Test: 14,042 questions on 57 subjects', 'all/test-00000-of-00001.parquet'),
      file('Validation: 1,531 questions', 'all/validation-00000-of-00001.parquet'),
      file('Training: 99,842 questions without subjects', 'all/auxiliary_train-00000-of-00001.parquet'),
    ],
  },
  columns: ['question', 'subject', 'choices', 'answer'],
  isTable: ({ preview }) =>
    preview.every((row) => listOfTexts(valueAt(row, 'choices')) !== null && typeof row['answer'] === 'number'),
  task(row, number) {
    const options = listOfTexts(valueAt(row, 'choices'));
    if (options === null) throw new UnfitRow('The field “choices” is not a list of texts.');
    const subject = optionalText(row, 'subject');
    const right = Number(requiredText(row, 'answer'));
    return {
      id: `${subject ?? 'question'}/${number}`,
      ...choiceQuestion(requiredText(row, 'question'), options, right, null),
      grader: 'letter',
      domain: 'knowledge',
      ...(subject !== null && { group: subject }),
    };
  },
};
