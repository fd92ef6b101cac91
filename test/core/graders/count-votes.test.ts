import { describe, expect, it } from 'vitest';
import { countVotes } from '../../../src/core/graders/count-votes';

describe('counting votes', () => {
  it('finds the most frequent answer, however it is written', () => {
    expect(countVotes(['So it is 7.\nAnswer: 7', 'Answer: 1/2', 'Thus \\boxed{0.5}'])).toMatchObject({
      from: 1,
      same: [1, 2],
    });
  });

  it('lets the answer that was given first win a tie', () => {
    expect(countVotes(['Answer: 5', 'Answer: 6', 'Answer: 7'])).toMatchObject({ from: 0, same: [0] });
    expect(countVotes(['Answer: 5', 'Answer: 6', 'Answer: 7', 'Answer: 7', 'Answer: 6'])).toMatchObject({
      from: 1,
      same: [1, 4],
    });
  });

  const PROSE = ['A poem about the sea.\nIt has two lines.', 'Another poem.\nIt is longer than the first.'];

  it('decides nothing if texts that can’t be compared could change the result', () => {
    expect(countVotes(PROSE)).toBeNull();
    expect(countVotes(['Answer: 5', 'Answer: 5', ...PROSE])).toBeNull();
    expect(countVotes(['Answer: 5', ...PROSE])).toBeNull();
    expect(countVotes([])).toBeNull();
  });

  it('ignores texts that can’t be compared if they can’t change the result', () => {
    expect(countVotes([...PROSE, 'Answer: 5', 'Answer: 5', 'Answer: 5'])).toMatchObject({ from: 2, same: [2, 3, 4] });
  });

  it('counts equal prose', () => {
    const [one = ''] = PROSE;
    expect(countVotes([one, `${one}\n`, one])).toMatchObject({ from: 0, same: [0, 1, 2] });
  });
});
