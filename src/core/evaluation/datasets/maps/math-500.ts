/** @file MATH-500: 500 competition problems (HuggingFaceH4/MATH-500). */
import { optionalText, requiredText } from '../row-fields';
import type { SetMap } from './set-map';

export const math500: SetMap = {
  info: {
    set: 'math-500',
    title: 'MATH-500',
    grader: 'mathematics',
    isConfidential: false,
    files: [
      {
        label: '500 competition problems',
        address: { repository: 'HuggingFaceH4/MATH-500', file: 'test.jsonl' },
        isGated: false,
      },
    ],
  },
  columns: ['problem', 'answer', 'subject', 'level', 'unique_id'],
  task(row) {
    const subject = optionalText(row, 'subject');
    return {
      id: requiredText(row, 'unique_id'),
      question: requiredText(row, 'problem'),
      reference: requiredText(row, 'answer'),
      grader: 'mathematics',
      domain: 'maths',
      ...(subject !== null && { group: subject }),
    };
  },
};
