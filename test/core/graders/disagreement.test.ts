import { describe, expect, it } from 'vitest';
import {
  answersDigest,
  changesOfMind,
  disagreementOf,
  independentAnswers,
  type Disagreement,
} from '../../../src/core/graders/disagreement';
import { disagreementIn, disagreementParts } from '../../../src/core/graders/disagreement-words';
import { scriptedRun } from '../../app/scripted-runs';

const given = (...texts: readonly string[]) => texts.map((text, index) => ({ by: 'ABCDEF'[index] ?? '', text }));
const PROSE = 'Cats purr.\nThat calms them.';

const exactParts = (found: Disagreement) => disagreementParts(found, null);

describe('where answers disagree', () => {
  it('groups answers as the graders compare them, and finds consensus and what only one said', () => {
    const found = disagreementOf(given('So it is 1/2.\nAnswer: 1/2', 'Answer: 0.5', '\\boxed{7}', PROSE));
    expect(found.groups).toEqual([
      { answer: '1/2', by: ['A', 'B'] },
      { answer: '7', by: ['C'] },
    ]);
    expect(found.uncompared).toEqual(['D']);
    expect(exactParts(found)).toEqual([
      { title: 'Consensus', items: ['2 of 4 say 1/2: A and B'] },
      { title: 'Only one said', items: ['7: C'] },
      { title: 'Can’t be compared exactly', items: ['The longer answers of D.'] },
    ]);
  });

  it('shows contradictions if no answer is more frequent than the others', () => {
    expect(exactParts(disagreementOf(given('Answer: 5', 'Answer: 6')))).toEqual([
      { title: 'Contradictions', items: ['5: A', '6: B'] },
    ]);
    const split = exactParts(disagreementOf(given('Answer: 5', 'Answer: 6', 'Answer: 6', 'Answer: 5', 'Answer: 9')));
    expect(split).toEqual([{ title: 'Contradictions', items: ['5: A and D', '6: B and C', '9: E'] }]);
    const two = exactParts(disagreementOf(given('Answer: 5', 'Answer: 5', 'Answer: 5', 'Answer: 6', 'Answer: 6')));
    expect(two).toEqual([
      { title: 'Consensus', items: ['3 of 5 say 5: A, B and C'] },
      { title: 'Contradictions', items: ['6: D and E'] },
    ]);
  });

  it('shows only the consensus if all agree', () => {
    expect(exactParts(disagreementOf(given('B', '(B)')))).toEqual([
      { title: 'Consensus', items: ['2 of 2 say B: A and B'] },
    ]);
  });

  it('does not take a number in prose for the answer', () => {
    const verses = given('The sea, verse 1.\nBlue it was.', 'The sea, verse 2.\nGrey it was.', 'So it is\n12');
    const { groups, uncompared } = disagreementOf(verses);
    expect(groups).toEqual([{ answer: '12', by: ['C'] }]);
    expect(uncompared).toEqual(['A', 'B']);
  });

  it('names the worker that wrote the rest', () => {
    const analysis = { consensus: ['Cats purr.'], contradictions: [], gaps: [], unique_insights: [], blind_spots: [] };
    expect(disagreementParts(disagreementOf(given('Answer: 5', PROSE)), { by: 'Elm', analysis })).toEqual([
      { title: 'Consensus, according to Elm', items: ['Cats purr.'] },
    ]);
  });

  it('identifies the same answers in any order', () => {
    const [a, b] = given('5', '6');
    if (!a || !b) throw new Error('unreachable');
    expect(answersDigest('q', [a, b])).toBe(answersDigest('q', [b, a]));
    expect(answersDigest('q', [a, b])).not.toBe(answersDigest('q', [a, { ...b, text: '7' }]));
    expect(answersDigest('q', [a, b])).not.toBe(answersDigest('r', [a, b]));
  });
});

describe('where a run disagrees', () => {
  const solve = (worker: number, output: string, start: number) => {
    return { worker, role: 'solve' as const, output, start, first: start + 10, end: start + 90 };
  };
  const debate = scriptedRun({
    rounds: [
      {
        steps: [
          solve(0, 'Answer: 5', 100),
          solve(1, 'Answer: 6', 100),
          { ...solve(0, 'Birch is right.\nAnswer: 6', 200), role: 'refine', access: [0, 1] },
          { ...solve(1, 'I stay.\nAnswer: 6', 200), role: 'refine', access: [0, 1] },
          { ...solve(2, 'Answer: 6', 300), role: 'decide', access: [2, 3] },
        ],
        ended: 400,
      },
    ],
    end: 'finished',
  });

  it('compares only the steps that solved without seeing others', () => {
    expect(independentAnswers(debate)).toEqual([
      { by: 'Alder (step 1)', text: 'Answer: 5' },
      { by: 'Birch (step 2)', text: 'Answer: 6' },
    ]);
    const alone = scriptedRun({ rounds: [{ steps: [solve(0, 'Answer: 5', 100)], ended: 200 }], end: 'finished' });
    expect(independentAnswers(alone)).toEqual([]);
    expect(disagreementIn(alone)).toEqual([]);
  });

  it('states who changed their mind after seeing whom', () => {
    expect(changesOfMind(debate)).toEqual([
      {
        by: 'Alder (step 3)',
        from: '5',
        to: '6',
        saw: ['Birch (step 2)'],
        followed: ['Birch (step 2)'],
      },
    ]);
    expect(disagreementIn(debate)).toEqual([
      { title: 'Contradictions', items: ['5: Alder (step 1)', '6: Birch (step 2)'] },
      {
        title: 'Changed their mind',
        items: ['Alder (step 3), from 5 to 6, like Birch (step 2), after seeing Birch (step 2)'],
      },
    ]);
  });
});
