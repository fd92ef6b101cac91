import { describe, expect, it } from 'vitest';
import { renderPrompt, workerPrompt, type Role } from '../../../src/core/contract';
import { SUBTASK } from '../../../src/core/conductor/wording';
import { SIMULATED_WORKERS, type SimulatedProfile } from '../../../src/core/simulation/profiles';
import { workFor } from '../../../src/core/simulation/work';
import { readPuzzle } from '../../../src/core/tasks';
import { SAMPLE_QUESTIONS } from '../../../src/core/tasks/samples';
import { BY_ROLE, outputsOf, profileNamed, puzzles, step } from './workflows';

const QUESTION = 'Use 3, 4, 7, 8, 25 and 50, each at most once, with + − × ÷ to reach 537.';
const RIGHT = '**Answer:** $7 × (50 + 25) + 8 + 4 = 537$';
const WRONG = '**Answer:** $7 × (50 + 25) + 8 + 3 = 536$';

interface Shown {
  readonly role: Role;
  readonly output: string;
}

/** A worker's reply to a subtask when the steps in `shown` are visible to the worker. */
function replyOf(
  profile: SimulatedProfile,
  role: Role,
  shown: readonly Shown[],
  { question = QUESTION, seed = 1, subtask = '' } = {},
): string {
  const steps = [
    ...shown.map((each) => ({ worker: 0, subtask: SUBTASK[each.role], access: [] })),
    { worker: 0, subtask: subtask || SUBTASK[role], access: shown.map((_, index) => index) },
  ];
  const messages = renderPrompt(workerPrompt({ steps }, 0, shown.length), {
    question,
    subtask: (_, at) => steps[at]?.subtask,
    output: (_, at) => shown[at]?.output,
  });
  const work = workFor(profile, messages, seed);
  if (!work.ok) throw new Error(work.fault.message);
  expect(work.role).toBe(role);
  return work.text;
}

function isRight(text: string, question = QUESTION): boolean {
  return readPuzzle(question)?.check(text).correct ?? false;
}

/** A worker that does everything well. */
const MASTER: SimulatedProfile = {
  ...profileNamed('Cedar'),
  id: 'sim:master',
  strengths: { plan: 1, solve: 1, verify: 1, refine: 1, aggregate: 1, decide: 1 },
  families: { countdown: 1, arithmetic: 1, ordering: 1, statements: 1, change: 1 },
};

describe('a simulated worker', () => {
  it('gives the same text for the same messages and seed', () => {
    for (const { question } of puzzles(10)) {
      expect(outputsOf(BY_ROLE, question, 3)).toEqual(outputsOf(BY_ROLE, question, 3));
    }
  });

  it('gives the same answer with over half of the seeds, and different answers with the rest', () => {
    const answers = Array.from({ length: 60 }, (_, seed) => replyOf(profileNamed('Birch'), 'solve', [], { seed }));
    const counts = [...new Set(answers)].map((text) => answers.filter((answer) => answer === text).length);
    expect(counts.length).toBeGreaterThan(3);
    expect(Math.max(...counts)).toBeGreaterThan(30);
  });

  it('ends an attempt with its answer on the last line, or with “I have no answer.”', () => {
    for (const { puzzle, question } of puzzles(60)) {
      for (const [index, output] of outputsOf(
        [step('solve', 'Alder'), step('refine', 'Dogwood', [0])],
        question,
        1,
      ).entries()) {
        const line = output?.split('\n').at(-1) ?? '';
        expect(line, `step ${index + 1}: ${output}`).toMatch(/^\*\*Answer:\*\* |^I have no answer\.$/);
        expect(puzzle.readAnswer(line)).toBe(puzzle.readAnswer(output ?? ''));
      }
    }
  });

  it('reports that it cannot read a question, and suggests a key or a local model', () => {
    for (const profile of SIMULATED_WORKERS) {
      const work = workFor(profile, [{ role: 'user', content: 'What is the capital of France?' }], 1);
      expect(work).toMatchObject({ ok: false, fault: { code: 'question-unreadable', retryable: false } });
      expect(work.ok ? '' : work.fault.message).toMatch(/your own key|local model/);
    }
  });

  it('reads a puzzle that is only in its subtask', () => {
    const messages = renderPrompt(
      workerPrompt({ steps: [{ worker: 0, subtask: 'What is 2 + 2?', access: [] }] }, 0, 0),
      {
        question: 'Help me with my homework.',
        subtask: () => 'What is 2 + 2?',
        output: () => undefined,
      },
    );
    const work = workFor(MASTER, messages, 1);
    expect(work.ok && work.text).toContain('**Answer:** $4$');
  });
});

describe('solving', () => {
  it('follows a strategy from a visible plan or from the subtask', () => {
    const advice = 'Combine the small numbers first and keep the large ones for last.';
    expect(replyOf(MASTER, 'solve', [])).not.toContain(advice);
    expect(replyOf(MASTER, 'solve', [{ role: 'plan', output: advice }])).toContain(advice);
    expect(replyOf(MASTER, 'solve', [], { subtask: 'Solve it: combine the small numbers first.' })).toContain(advice);
  });

  it('ignores visible answers', () => {
    const alone = replyOf(profileNamed('Elm'), 'solve', []);
    expect(replyOf(profileNamed('Elm'), 'solve', [{ role: 'solve', output: RIGHT }])).toBe(alone);
  });
});

describe('planning', () => {
  it('gives advice and no answer', () => {
    for (const { puzzle, question } of puzzles(50)) {
      const text = replyOf(MASTER, 'plan', [], { question });
      expect(puzzle.strategies.some(({ advice }) => text.includes(advice))).toBe(true);
      expect(puzzle.check(text).correct).toBe(false);
    }
  });
});

describe('verifying', () => {
  it('reports which answers are right, why others are wrong, and which steps give no answer', () => {
    const shown: Shown[] = [
      { role: 'solve', output: RIGHT },
      { role: 'solve', output: WRONG },
      { role: 'solve', output: 'I have no answer.' },
      { role: 'plan', output: 'Think.' },
    ];
    expect(replyOf(MASTER, 'verify', shown)).toBe(
      '- Step 1: right.\n- Step 2: wrong. It makes 536, 1 short of 537.\n- Step 3 gives no answer that I can check.',
    );
  });

  it('reports that there is no answer to check', () => {
    expect(replyOf(MASTER, 'verify', [])).toMatch(/no answer of an earlier step/);
  });

  it('gives an output that is never graded as a right answer', () => {
    for (const { puzzle, question } of puzzles(60)) {
      const outputs = outputsOf(
        [step('solve', 'Birch'), step('solve', 'Elm'), step('verify', 'Cedar', [0, 1])],
        question,
        1,
      );
      expect(puzzle.check(outputs[2] ?? '').correct).toBe(false);
    }
  });

  it('finds most mistakes with high skill, fewer with low skill', () => {
    const caught = (profile: SimulatedProfile) => {
      let [errors, found] = [0, 0];
      for (const { puzzle, question } of puzzles(200)) {
        const [attempt = ''] = outputsOf([step('solve', 'Alder')], question, 1);
        if (puzzle.readAnswer(attempt) === null || puzzle.check(attempt).correct) continue;
        errors++;
        if (replyOf(profile, 'verify', [{ role: 'solve', output: attempt }], { question }).includes('wrong')) found++;
      }
      expect(errors).toBeGreaterThan(60);
      return found / errors;
    };
    const [strong, weak] = [caught(profileNamed('Cedar')), caught(profileNamed('Elm'))];
    expect(strong).toBeGreaterThan(0.8);
    expect(strong).toBeGreaterThan(weak + 0.05);
  });

  it('finds fewer mistakes if a worker verifies its own answers', () => {
    const caught = (checker: 'Birch' | 'Dogwood') =>
      puzzles(300).filter(({ puzzle, question }) => {
        const [attempt = ''] = outputsOf([step('solve', 'Birch')], question, 1);
        if (puzzle.check(attempt).correct) return false;
        return replyOf(profileNamed(checker), 'verify', [{ role: 'solve', output: attempt }], { question }).includes(
          'wrong',
        );
      }).length;
    expect(caught('Birch')).toBeLessThan(caught('Dogwood') * 0.8);
  });
});

describe('refining', () => {
  it('keeps an answer that a check found right', () => {
    const text = replyOf(MASTER, 'refine', [
      { role: 'solve', output: RIGHT },
      { role: 'verify', output: '- Step 1: right.' },
    ]);
    expect(text).toContain('I keep the answer of step 1: step 2 found it right.');
    expect(isRight(text)).toBe(true);
  });

  it('corrects an answer that a check found wrong', () => {
    const text = replyOf(MASTER, 'refine', [
      { role: 'solve', output: WRONG },
      { role: 'verify', output: '- Step 1: wrong. It makes 536.' },
    ]);
    expect(text).toContain('The answer of step 1 does not hold, as step 2 found.');
    expect(isRight(text)).toBe(true);
  });

  it('reports that there is no earlier answer', () => {
    expect(replyOf(MASTER, 'refine', [])).toMatch(/^I see no earlier answer/);
  });
});

describe('deciding', () => {
  it.each(['decide', 'aggregate'] as const)('picks the right answer among wrong ones in the role “%s”', (role) => {
    for (const outputs of [
      [RIGHT, WRONG],
      [WRONG, RIGHT],
      [WRONG, WRONG, RIGHT],
    ]) {
      expect(
        isRight(
          replyOf(
            MASTER,
            role,
            outputs.map((output) => ({ role: 'solve' as const, output })),
          ),
        ),
      ).toBe(true);
    }
  });

  it('applies a check of step 7 to a later step that keeps the answer of step 7', () => {
    const kept = 'I keep the answer of step 7: it holds.\n\n**Answer:** $7 × (50 + 25) + 8 + 4 = 537$';
    const text = replyOf(profileNamed('Alder'), 'decide', [
      { role: 'verify', output: '- Step 7: right.' },
      { role: 'refine', output: kept },
    ]);
    expect(text).toContain('step 1 found it right');
  });

  it('returns one of the visible answers', () => {
    for (const { puzzle, question } of puzzles(40)) {
      const outputs = outputsOf(
        [step('solve', 'Elm'), step('solve', 'Cedar'), step('decide', 'Alder', [0, 1])],
        question,
        1,
      );
      const [one, other, decided] = outputs.map((output) => puzzle.readAnswer(output ?? ''));
      expect([one, other]).toContain(decided);
    }
  });

  it('reports that there is no visible answer', () => {
    expect(replyOf(MASTER, 'decide', [])).toMatch(/^I see no answer to decide on/);
  });
});

describe('the built-in workflow with seed 1', () => {
  it.each(SAMPLE_QUESTIONS)(
    'solves the sample question “$label”, although step 2 gives a wrong answer',
    ({ question }) => {
      const outputs = outputsOf(BY_ROLE, question, 1);
      expect(outputs.map((output) => isRight(output ?? '', question))).toEqual([true, false, false, true, true]);
      expect(outputs[2]).toMatch(/Step 1: right\.\n- Step 2: wrong\./);
    },
  );
});
