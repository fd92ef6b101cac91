/** @file Exports the table of results as CSV, Markdown and LaTeX. */
import { csvLine } from '../../analysis/exports/csv';
import { gridOf, knownUsd } from './grid';
import { PUBLISHED_SOURCE } from './published';
import type { ResultsTable } from './results-table';

type Value = string | number | null;

/**
 * The table as CSV: one line for each row and dataset, with unrounded numbers. Shares are from 0 to 1, amounts of money are in US
 * dollars, and times are in ms. A cost is empty if it is unknown.
 */
export function tableAsCsv(table: ResultsTable): string {
  const { columns, profile } = table;
  const header = [
    ...[
      'row',
      'row_id',
      'kind',
      'dataset',
      'dataset_id',
      'profile',
      'score',
      'standard_error',
      'error_over',
      'tasks',
      'repeats',
      'graded',
    ],
    ...['units', 'missing', 'failed', 'not_gradable', 'waiting', 'valid_plans', 'steps', 'rounds', 'calls'],
    ...[
      'input_tokens',
      'output_tokens',
      'usd',
      'usd_known',
      'unpriced_calls',
      'elapsed_ms',
      'source',
      'incomplete_runs',
      'usd_per_right_answer',
    ],
  ];
  const lines = [
    ...table.methods.flatMap(({ label, id, kind, cells }) =>
      cells.map(
        ({ score, units, missing, failed, notGradable, waiting, usage, costPerRight, validPlans }, index): Value[] => [
          ...[...namesOf(label, id, kind, columns[index]), profile, score?.mean ?? null, score?.error ?? null],
          ...[score?.errorOver ?? null, score?.tasks ?? 0, score?.repeats ?? 0, score?.graded ?? 0],
          ...[units, missing, failed, notGradable, waiting, validPlans?.mean ?? null],
          ...[usage?.steps ?? null, usage?.rounds ?? null, usage?.calls ?? null],
          ...[usage?.inputTokens ?? null, usage?.outputTokens ?? null],
          ...[usage && usage.unpriced === 0 ? usage.usd : null, usage && knownUsd(usage), usage?.unpriced ?? null],
          ...[usage?.elapsed ?? null, null, usage?.incomplete ?? null],
          costPerRight?.unpriced === 0 ? costPerRight.usd : null,
        ],
      ),
    ),
    ...table.references.flatMap(({ label, id, kind, scores }) =>
      scores.map((score, index): Value[] => [
        ...[...namesOf(label, id, kind, columns[index]), profile, score?.mean ?? null, score?.error ?? null],
        ...[score?.errorOver ?? null, score?.tasks ?? 0, score?.repeats ?? 0, score?.graded ?? 0],
        ...Array.from({ length: 18 }, () => null),
      ]),
    ),
    ...table.published.flatMap(({ label, id, kind, tables, setting, scores, usd }) =>
      scores.flatMap((score, index): Value[][] => {
        if (score === null) return [];
        const source = `${PUBLISHED_SOURCE.source}, ${tables}, ${setting}, read ${PUBLISHED_SOURCE.date}`;
        const before = [...namesOf(label, id, kind, columns[index]), null, score];
        return [[...before, ...Array.from({ length: 16 }, () => null), usd, usd, null, null, source, null, null]];
      }),
    ),
  ];
  return [header, ...lines].map(csvLine).join('');
}

function namesOf(
  label: string,
  id: string,
  kind: string,
  column: ResultsTable['columns'][number] | undefined,
): Value[] {
  return [label, id, kind, column?.name ?? '', column?.id ?? ''];
}

export function tableAsMarkdown(table: ResultsTable): string {
  const { header, sections, notes } = gridOf(table);
  const line = (cells: readonly string[]) => `| ${cells.map(markdownText).join(' | ')} |\n`;
  const rule = `|${header.map((_, index) => (index === 0 ? ' --- |' : ' ---: |')).join('')}\n`;
  const rows = sections.flatMap((section) => section.rows.map(line));
  return [line(header), rule, ...rows, ...notes.map((note) => `\n${markdownText(note)}\n`)].join('');
}

function markdownText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_[\]<>|#~]/g, '\\$&');
}

/** The table as LaTeX, for the `booktabs` package. */
export function tableAsLatex(table: ResultsTable): string {
  const { header, sections, notes } = gridOf(table);
  const line = (cells: readonly string[]) => `${cells.map(latexText).join(' & ')} \\\\\n`;
  const body = sections.map(({ rows }) => rows.map(line).join('')).join('\\midrule\n');
  return [
    `% Requires \\usepackage{booktabs}.\n`,
    `\\begin{tabular}{l${'r'.repeat(header.length - 1)}}\n\\toprule\n`,
    `${line(header)}\\midrule\n${body}\\bottomrule\n\\end{tabular}\n`,
    ...notes.map((note) => `\n\\noindent ${latexText(note)}\n`),
  ].join('');
}

const LATEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '±': '$\\pm$',
  '–': '--',
  '≥': '$\\geq$',
  '’': "'",
};

function latexText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\{}$&#_%~^±–≥’]/g, (sign) => LATEX[sign] ?? `\\${sign}`);
}
