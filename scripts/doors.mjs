// The doors through which data leaves Podium: saved files, the clipboard, and what servers write and answer. A run on a
// confidential dataset, the forks of such a run and the follow-ups to it must not leave through a door, nor may the texts of
// such a dataset. `test/doors.test.ts` finds the doors in the code, and requires an entry here for each.

/** Code that lets data leave. A file of `src/` that matches one of these patterns is a door. */
export const WAYS_OUT = [
  /\bchooseTarget\b/,
  /\bsaveBlob\(/,
  /\bsavePicture\(/,
  /<CopyButton\b/,
  /\bclipboard\.write/,
  /\b(?:writeWholeFile|writeFile|appendFile|createWriteStream)\(/,
  /\bopenRunFiles\(/,
  /\bnew SavedRuns\(/,
  /\bexportedRuns\(/,
];

/** Doors that ask whether runs or tasks are confidential, by file. Each has this code, which asks. */
export const ASKING = {
  'app/conduct/StepCard.svelte': 'useConfidentiality()',
  'app/run/CopyMenu.svelte': 'useConfidentiality()',
  'app/run/RawEvents.svelte': 'useConfidentiality()',
  'app/run/RunExport.svelte': 'useConfidentiality()',
  'app/shared/AnswerActions.svelte': 'useConfidentiality()',
  'app/shared/disagreement/WhereTheyDisagree.svelte': 'useConfidentiality()',
  'app/evaluate/report/report.ts': 'if (isConfidential) continue',
  'app/train/export-search.ts': 'if (!isConfidential)',
  'composition/exports/export-worker.ts': 'await openConfidentialityCheck(',
  'composition/exports/run-exports.ts': 'isConfidential: ConfidentialityCheck',
  'core/evaluation/tables/batch-file.ts': 'isConfidential ? withoutTexts(',
  'core/lessons/trainer-export.ts': 'await isConfidential(first)',
  'core/training/export/rollout-export.ts': 'await isConfidential(first)',
  'node/eval/merge-command.ts': 'confidentialityCheck(',
  'node/mcp/saved-runs.ts': 'await isConfidential(first)',
  'node/task-file.ts': 'isConfidentialRow(',
  'platform/store/backup/dataset-sections.ts': 'if (dataset.isConfidential) continue',
  'platform/store/backup/runs-section.ts': 'await confidentiality()',
  'platform/store/backup/sections.ts': 'confidentialBatches(',
  'platform/store/exported-runs.ts': 'await isConfidential(first)',
  'platform/store/replay-file/write.ts': 'await isConfidential(first)',
  'platform/store/transfer.ts': '...options',
};

/** Doors whose runs and tasks come from a door that asks, by file. */
export const BEHIND = {
  'app/evaluate/evaluate-files.ts': ['core/evaluation/tables/batch-file.ts', 'core/training/export/rollout-export.ts'],
  'app/run/picture-file.ts': ['app/run/RunExport.svelte'],
  'app/run/raw-events.svelte.ts': ['app/run/RawEvents.svelte'],
  'app/runs/run-exports.svelte.ts': ['composition/exports/export-worker.ts', 'core/training/export/rollout-export.ts'],
  'app/state/backups.svelte.ts': [
    'platform/store/backup/dataset-sections.ts',
    'platform/store/backup/runs-section.ts',
    'platform/store/backup/sections.ts',
  ],
  'app/state/replay-export.svelte.ts': ['app/evaluate/report/report.ts', 'platform/store/replay-file/write.ts'],
  'app/state/run-files.svelte.ts': ['composition/exports/export-worker.ts'],
  'node/mcp/mcp-command.ts': ['node/mcp/saved-runs.ts'],
  'node/prompts/prompts-command.ts': ['node/task-file.ts'],
  'node/teach/teach-command.ts': ['core/lessons/trainer-export.ts', 'node/task-file.ts'],
};

/** Doors that ask nothing, by file, with the reason. */
export const OPEN = {
  'app/analyze/LazyFigure.svelte': 'figures have no texts of runs',
  'app/analyze/Pairs.svelte': 'the tables of pairs have no texts of runs',
  'app/frame/PageFailed.svelte': 'the report has only the error',
  'app/settings/prompt-files.ts': 'prompts of Conductors are written by users',
  'app/state/policy-files.ts': 'policies are numbers',
  'app/state/save-file.ts': 'defines the door',
  'app/ui/CopyButton.svelte': 'defines the door',
  'app/workers/pool-export.ts': 'pools have no runs',
  'node/eval/eval-command.ts': 'the files of a shard are kept private, see docs/evaluation.md',
  'node/eval/plan-command.ts': 'a temporary file without runs',
  'node/eval/shard-files.ts': 'the files of a shard are kept private, see docs/evaluation.md',
  'node/run/run-command.ts': 'the question is the user’s own',
  'node/serve/serve-command.ts': 'the questions are those of the client',
  'node/store/file-lock.ts': 'locks have no runs',
  'node/store/run-files.ts': 'defines the door',
  'node/store/whole-file.ts': 'defines the door',
};
