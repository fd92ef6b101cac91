/** @file Defines the exported table of runs. */
import { isRecorded, isSimulated, judgeRun, leftOutSteps, threadOf, type Judgement, type Run } from '../../contract';
import { topologyOf } from '../topology';
import { defineTable, type RunRecord } from './table';

interface JudgedRun extends Pick<RunRecord, 'facts'> {
  readonly run: Run;
  readonly judgement: Judgement;
}

export const RUNS_TABLE = defineTable<JudgedRun>(
  'One row per run.',
  ({ run, facts }) => [{ run, facts, judgement: judgeRun(run) }],
  {
    run_id: { type: 'text', about: 'Id of the run.', of: ({ run }) => run.id },
    started_at: { type: 'time', about: 'When the run started.', of: ({ run }) => run.startedAt },
    started_at_ms: {
      type: 'integer',
      unit: 'ms',
      about: 'When the run started, since 1970-01-01 UTC.',
      of: ({ run }) => run.startedAt,
    },
    time_ms: {
      type: 'number',
      unit: 'ms',
      about: 'Active time. Interruptions and waiting for the user do not count.',
      of: ({ run }) => run.time,
    },
    status: {
      type: 'text',
      about: '`running`, `finished`, `failed`, `cancelled` or `interrupted`.',
      of: ({ run }) => run.status,
    },
    fault_code: {
      type: 'text',
      about: 'Why the run failed. Empty if it did not fail.',
      of: ({ run }) => run.fault?.code ?? null,
    },
    cap_reached: {
      type: 'text',
      about: 'The limit that the run reached first: `rounds`, `calls`, `tokens` or `usd`. Empty if none.',
      of: ({ run }) => run.capReached?.cap ?? null,
    },
    ended_early: {
      type: 'boolean',
      about: 'Whether the user ended the run early, with the best answer so far.',
      of: ({ run }) => run.early !== null,
    },
    question: { type: 'text', about: 'The question.', of: ({ run }) => run.question.text },
    answer: { type: 'text', about: 'The answer. Empty if there is none.', of: ({ run }) => run.answer },
    conductor_kind: {
      type: 'text',
      about: '`heuristic`, `policy`, `endpoint`, `webllm`, `transformers`, `browser`, `template` or `by-hand`.',
      of: ({ run }) => run.conductor.kind,
    },
    conductor: { type: 'text', about: 'Name of the Conductor.', of: ({ run }) => run.conductor.label },
    conductor_model: {
      type: 'text',
      about: 'The model that writes the Conductor’s plans. Empty if it has no model.',
      of: ({ run }) => run.conductor.model ?? null,
    },
    shape: {
      type: 'text',
      about: 'Shape of the first round’s workflow. Empty if it has no steps.',
      of: ({ run }) => topologyOf(run.rounds[0]?.steps.map(({ step }) => step) ?? []),
    },
    rounds: { type: 'integer', unit: 'rounds', about: 'Number of rounds.', of: ({ run }) => run.rounds.length },
    steps: {
      type: 'integer',
      unit: 'steps',
      about: 'Number of steps in all rounds.',
      of: ({ run }) => run.rounds.reduce((sum, { steps }) => sum + steps.length, 0),
    },
    valid_plan: {
      type: 'boolean',
      about:
        'Whether the Conductor’s first answer was a valid workflow. Empty if unknown, or if the plan was written by hand.',
      of: ({ judgement }) => judgement.format,
    },
    correct: { type: 'boolean', about: 'The grade. Empty if not graded.', of: ({ judgement }) => judgement.correct },
    graded_by: {
      type: 'text',
      about: '`person` or `grader`. Empty if not graded.',
      of: ({ run: { grade } }) => (grade && grade.correct !== null ? grade.by : null),
    },
    grade_imported: {
      type: 'boolean',
      about: 'Whether the grade was imported from a file. Empty if not graded.',
      of: ({ run: { grade } }) => (grade && grade.correct !== null ? grade.imported === true : null),
    },
    reward: {
      type: 'number',
      unit: '0 to 1',
      about: '0 for an invalid plan, 0.5 for a valid plan and a wrong answer, 1 for a right answer. Empty if unknown.',
      of: ({ judgement }) => judgement.reward,
    },
    calls: {
      type: 'integer',
      unit: 'calls',
      about: 'Calls to workers. Calls that were never sent do not count.',
      of: ({ run }) => run.spent.calls,
    },
    input_tokens: {
      type: 'integer',
      unit: 'tokens',
      about: 'Input of all calls, the Conductor’s included.',
      of: ({ run }) => run.spent.input,
    },
    output_tokens: {
      type: 'integer',
      unit: 'tokens',
      about: 'Output of all calls, the Conductor’s included.',
      of: ({ run }) => run.spent.output,
    },
    tokens_estimated: {
      type: 'boolean',
      about: 'Whether some token counts are estimates.',
      of: ({ run }) => run.spent.estimated,
    },
    usd: {
      type: 'number',
      unit: 'USD',
      about: 'Cost of all calls except calls to judges. Empty if the cost of a call is unknown.',
      of: ({ run }) => (run.spent.unpriced > 0 ? null : run.spent.usd),
    },
    usd_known: {
      type: 'number',
      unit: 'USD',
      about: 'Cost of the calls whose cost is known, except calls to judges. Empty if no cost is known.',
      of: ({ run }) => (run.spent.unpriced > 0 && run.spent.usd === 0 ? null : run.spent.usd),
    },
    unpriced_calls: {
      type: 'integer',
      unit: 'calls',
      about: 'Calls whose cost is unknown.',
      of: ({ run }) => run.spent.unpriced,
    },
    left_out_steps: {
      type: 'integer',
      unit: 'steps',
      about: 'Failed or skipped steps that the run went on without.',
      of: ({ run }) => leftOutSteps(run).length,
    },
    simulated: { type: 'boolean', about: 'Whether a simulated worker took part.', of: ({ run }) => isSimulated(run) },
    recorded: { type: 'boolean', about: 'Whether the run replays recorded answers.', of: ({ run }) => isRecorded(run) },
    title: {
      type: 'text',
      about: 'The title that the user gave the run. Empty if none.',
      of: ({ run }) => run.annotation.title || null,
    },
    note: {
      type: 'text',
      about: 'The user’s note. Empty if none.',
      of: ({ run }) => run.annotation.note || null,
    },
    starred: { type: 'boolean', about: 'Whether the user starred the run.', of: ({ run }) => run.annotation.starred },
    labels: { type: 'json', about: 'Tags of the run, as a list.', of: ({ run }) => JSON.stringify(run.labels) },
    parent_run_id: {
      type: 'text',
      about: 'The run from which this run was forked. Empty if none.',
      of: ({ run }) => run.parent?.runId ?? null,
    },
    conversation_id: {
      type: 'text',
      about: 'Id of the first run of the conversation. Empty if the question is not a follow-up.',
      of: ({ run }) => threadOf(run.question)?.id ?? null,
    },
    turn: {
      type: 'integer',
      about: 'Number of the run in its conversation, from 1.',
      of: ({ run }) => threadOf(run.question)?.turn ?? 1,
    },
    batch_id: { type: 'text', about: 'Batch of the run. Empty if none.', of: ({ run }) => run.batch?.id ?? null },
    batch_name: {
      type: 'text',
      about: 'Name of the batch. Empty if none, or if the batch was deleted.',
      of: ({ facts }) => facts?.batch ?? null,
    },
    dataset: {
      type: 'text',
      about: 'Id of the dataset of the run’s task.',
      of: ({ run }) => run.batch?.dataset ?? null,
    },
    dataset_name: {
      type: 'text',
      about: 'Name of the dataset. Empty if none, or if the batch was deleted.',
      of: ({ facts }) => facts?.dataset ?? null,
    },
    task: { type: 'text', about: 'The run’s task in the dataset.', of: ({ run }) => run.batch?.task ?? null },
    method: {
      type: 'text',
      about: 'Id of the method that answered the task, such as a Conductor or a single worker. Empty if none.',
      of: ({ run }) => run.batch?.method ?? null,
    },
    method_name: {
      type: 'text',
      about: 'Name of the method. Empty if none, or if the batch was deleted.',
      of: ({ facts }) => facts?.method ?? null,
    },
    repeat: { type: 'integer', about: 'Repeat of the task, from 0.', of: ({ run }) => run.batch?.repeat ?? null },
    seed: { type: 'integer', about: 'Seed of the run.', of: ({ run }) => run.seed },
    imported: { type: 'boolean', about: 'Whether the run was imported.', of: ({ run }) => run.importedAt !== null },
  },
);
