import { expect, test } from 'vitest';
import type { Batch, EvaluationTask } from '../../../src/core/contract';
import { computeResults, taskRows } from '../../../src/app/evaluate/evaluate-results';
import { batchReport } from '../../../src/app/evaluate/report/report';
import { evaluationTask, outcome, storedBatch } from '../../fixtures/evaluation/batches';

const OUTCOMES = [
  outcome(true, { taskId: 't0', method: 0, runId: 'run-a' }),
  outcome(false, { taskId: 't1', method: 0, runId: 'run-b' }),
  outcome(true, { taskId: 't0', method: 1 }),
];

/** The report of the batch, whose texts may hold no `sk-secret`. The run `run-b` is not in the file. */
async function reportOf(batch: Batch, tasks: readonly EvaluationTask[]) {
  const results = await computeResults(batch, OUTCOMES, {
    profile: 'strict',
    compared: null,
    pause: () => Promise.resolve(),
  });
  const read: number[] = [];
  const report = await batchReport({ batch, results, rows: taskRows(batch, OUTCOMES) }, (dataset) => {
    read.push(dataset);
    return Promise.resolve(tasks);
  });
  const html = report.write({
    placeOf: (id) => (id === 'run-a' ? 7 : null),
    isSafe: (text) => !text.includes('sk-secret'),
  });
  return { html, style: report.style, read };
}

const HOSTILE = '<script>alert(1)</script> & "more"';

test('has the results, the plots and the tasks, with links to the runs in the file', async () => {
  const { html, style } = await reportOf(storedBatch('batch', { name: HOSTILE }), [
    evaluationTask('t0', { question: HOSTILE, reference: '42' }),
  ]);
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;');
  expect(html).not.toMatch(/<script|style=|\son\w+=/);
  expect(html).toContain('Method two');
  expect(html.match(/<svg /g)).toHaveLength(4);
  expect(html).toContain('<a class="good" href="#7">✓ Right</a>');
  expect(html).toContain('<span class="bad">✗ Wrong</span>');
  expect(html).toContain('t0 · answer 42');
  expect(html).not.toContain('NaN');
  expect(style).not.toContain('</');
});

test('leaves out texts that may hold a key, and texts of confidential datasets', async () => {
  const task = evaluationTask('t0', { question: 'My key is sk-secret-1.' });
  const { html } = await reportOf(storedBatch('batch', { name: 'sk-secret-2' }), [task]);
  expect(html).not.toContain('sk-secret');
  expect(html).toContain('may contain an API key');

  const open = storedBatch('batch');
  const plan = { ...open.plan, datasets: open.plan.datasets.map((each) => ({ ...each, isConfidential: true })) };
  const confidential = await reportOf({ ...open, plan }, [evaluationTask('t0', { question: 'A closed question.' })]);
  expect(confidential.read).toEqual([]);
  expect(confidential.html).not.toContain('closed');
  expect(confidential.html).toContain('t0');
});
