import { describe, expect, it } from 'vitest';
import { readVerdicts, verdictRequest } from '../../../../src/core/contract/workflow/read-verdicts';

const verdictsOf = (output: string, steps: readonly number[]) =>
  readVerdicts(output, steps).map(({ verdict }) => verdict);

describe('the verdict of a check', () => {
  it.each([
    ['Verdict on response 1: right', 'right'],
    ['All of it holds.\n\n**Verdict on response 1:** Correct.', 'right'],
    ['- Verdict: `right`', 'right'],
    ['{"verdict": "right"}', 'right'],
    ['Verdict on response 1 = wrong, because 25 is used twice and nothing else is right.', 'wrong'],
    ['My verdict: incorrect', 'wrong'],
    ['## Verdict\nVerdict on step 1: **Unsure**', 'unsure'],
    ['Verdict: not right', 'unsure'],
    ['Verdict on response 1: right, wrong or unsure', 'right'],
    ['Verdict on response 1: right | wrong | unsure', 'unsure'],
    ['Verdict on response 1: wrong\nI looked again.\nVerdict on response 1: right', 'right'],
    ['Verdict on response 2: right', 'unsure'],
    ['The answer is right.', 'unsure'],
    ['', 'unsure'],
    ['verdict', 'unsure'],
  ])('in %j is %s', (output, verdict) => {
    expect(verdictsOf(output, [0])).toEqual([verdict]);
  });

  it('can differ for each answer', () => {
    expect(verdictsOf('Verdict on response 1: right\nVerdict on response 3: wrong', [0, 2])).toEqual([
      'right',
      'wrong',
    ]);
  });

  it('applies to all answers if it names none', () => {
    expect(verdictsOf('Verdict on response 3: wrong\nVerdict: right', [0, 1, 2])).toEqual(['right', 'right', 'wrong']);
  });

  it('is asked for in a form without a verdict, so that a repeated request is no verdict', () => {
    expect(verdictRequest([0, 2])).toContain('Verdict on response 3: …');
    expect(verdictsOf(verdictRequest([0, 2]), [0, 2])).toEqual(['unsure', 'unsure']);
  });
});
