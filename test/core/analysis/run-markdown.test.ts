import * as fc from 'fast-check';
import { Marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { runMarkdown } from '../../../src/core/analysis/run-markdown';
import { foldEvents, sampleRunId } from '../../../src/core/contract';
import { finishedRun, POOL, scriptedRun } from '../../app/scripted-runs';
import { endedRun } from '../../fixtures/run-arbitrary';

/** Texts of all code blocks at the top level. */
function fences(markdown: string): string[] {
  return new Marked().lexer(markdown).flatMap((token) => (token.type === 'code' ? [String(token.text)] : []));
}

describe('a run as Markdown', () => {
  it('has the question, the facts, the plan, every step and the answer', () => {
    const run = finishedRun();
    const markdown = runMarkdown(run);
    expect(markdown).toContain('- Cost: $');
    expect(markdown).toContain('| 3 | Cedar | verify | 1, 2 | finished |');
    expect(fences(markdown)).toContain(run.question.text);
    expect(fences(markdown).at(-1)).toBe(run.answer);
    expect(markdown.match(/^### Step \d/gm)).toHaveLength(4);
  });

  it('has the answer of one worker alone, and the vote', () => {
    const run = finishedRun();
    const aloneAnswer = { output: 'Five.', usage: null, cost: 0 };
    const alone = { worker: run.pool[1]?.id ?? '', share: 1 };
    const open = runMarkdown({ ...run, alone, aloneAnswer });
    expect(open).toContain('## Answer of Birch alone');
    expect(fences(open)).toContain('Five.');
    expect(open).not.toContain('comparison');
    const vote = { preferred: 'alone', at: 1 } as const;
    expect(runMarkdown({ ...run, alone, aloneAnswer, vote })).toContain('the answer of the worker alone is better');
    expect(runMarkdown(run)).not.toContain('alone');
  });

  it('states where answers disagree, with the markup of models escaped', () => {
    const markdown = runMarkdown(finishedRun(), [{ title: 'Contradictions', items: ['5: *Alder*', '6: Birch'] }]);
    expect(markdown).toContain('## Where they disagree\n\n- Contradictions\n  - 5\\: \\*Alder\\*\n  - 6\\: Birch\n');
    expect(runMarkdown(finishedRun())).not.toContain('disagree');
  });

  it('states that the user ended the run early', () => {
    const run = { ...finishedRun(), early: { round: 0, step: 0, during: 0 } };
    expect(runMarkdown(run)).toContain('- Status: finished, ended early by the user\n');
    expect(runMarkdown(finishedRun())).toContain('- Status: finished\n');
  });

  it('states how many calls have an unknown cost, and that the prices of a sample run are made up', () => {
    const run = finishedRun();
    const priced = { ...run, id: sampleRunId(1), spent: { ...run.spent, usd: 0.25, unpriced: 0 } };
    expect(runMarkdown(priced)).toContain('- Cost: $0.25 (at made-up prices)\n');
    const unpriced = { ...run, spent: { ...run.spent, usd: 0, unpriced: 1 } };
    expect(runMarkdown(unpriced)).toContain('- Cost: 1 call of unknown cost\n');
  });

  it('lists “earlier rounds” for each step that sees them', () => {
    const solve = { worker: 0, start: 100, first: 110, end: 200, output: '42' };
    const run = scriptedRun({
      rounds: [
        { steps: [solve], ended: 200, recursed: true },
        {
          planStart: 210,
          steps: [
            { ...solve, seesEarlier: true, start: 300, first: 310, end: 400 },
            { ...solve, seesEarlier: true, access: [0], start: 500, first: 510, end: 600 },
          ],
        },
      ],
      end: 'finished',
    });
    const markdown = runMarkdown(run);
    expect(markdown).toContain('| 1 | Alder |  | the question only | finished |');
    expect(markdown).toContain('| 2 | Alder |  | earlier rounds | finished |');
    expect(markdown).toContain('| 3 | Alder |  | 2, earlier rounds | finished |');
  });

  it('states the verdicts of a check, and why a step was not called, with the numbers of all rounds', () => {
    const solve = { worker: 0, start: 100, first: 110, end: 200, output: '42' };
    const run = scriptedRun({
      rounds: [
        { steps: [solve], ended: 200, recursed: true },
        {
          planStart: 210,
          steps: [
            { ...solve, start: 300, first: 310, end: 400 },
            { ...solve, access: [0], start: 500, first: 510, end: 600 },
            { ...solve, access: [0, 1], start: 700, first: 710, end: 800 },
          ],
        },
      ],
      end: 'finished',
    });
    const rounds = run.rounds.map((round) => ({
      ...round,
      steps: round.steps.map((step) => {
        if (round.round === 0) return step;
        if (step.index === 1) return { ...step, verdicts: [{ step: 0, verdict: 'right' as const }] };
        return step.index === 2 ? { ...step, settled: { from: 0, evidence: [1], at: 700 } } : step;
      }),
    }));
    const markdown = runMarkdown({ ...run, rounds });
    expect(markdown.match(/^Verdicts: .*$/gm)).toEqual(['Verdicts: step 2 right.']);
    expect(markdown.match(/^Not called: .*$/gm)).toEqual(['Not called: the answer of step 2 was settled by step 3.']);
  });

  it('keeps hostile subtasks and outputs in their code blocks', () => {
    const hostile =
      'Done.\n```\n# Not a heading\n````\n<script>alert(1)</script>\n![x](https://example.com/x.png)\n~~~';
    const worker = { ...POOL[0], name: 'A | [b](c) `d`\n# e' } as (typeof POOL)[number];
    const run = scriptedRun({
      pool: [worker],
      rounds: [{ steps: [{ worker: 0, subtask: hostile, start: 100, first: 110, end: 200, output: hostile }] }],
      end: 'finished',
    });
    const markdown = runMarkdown(run);
    const tokens = new Marked().lexer(markdown);
    expect(fences(markdown).filter((text) => text === hostile)).toHaveLength(3);
    expect(tokens.filter(({ type }) => type === 'html')).toHaveLength(0);
    const headings = tokens.flatMap((token) => (token.type === 'heading' ? [String(token.text)] : []));
    expect(headings).toHaveLength(5);
    expect(headings.join(' ')).not.toContain('Not a heading');
  });

  it('has one heading for each part of the run, and no HTML, whatever the models write', () => {
    fc.assert(
      fc.property(endedRun(), (events) => {
        const run = foldEvents(events);
        if (!run) return;
        const kinds = new Marked().lexer(runMarkdown(run)).filter(({ type }) => type === 'heading' || type === 'html');
        const steps = run.rounds.reduce((sum, round) => sum + round.steps.length, 0);
        expect(kinds).toHaveLength(2 + run.rounds.length + steps + (run.answer === null ? 0 : 1));
      }),
      { numRuns: 50 },
    );
  });
});
