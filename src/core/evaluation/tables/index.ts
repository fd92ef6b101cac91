/**
 * @file Builds tables that compare results with those of arXiv 2512.04388, and exports these tables. Also reads and writes
 * batch files.
 */
export { readBatchFile, writeBatchFile } from './batch-file';
export { tableAsCsv, tableAsLatex, tableAsMarkdown } from './export-table';
export { benchmarkOf, PUBLISHED_ROWS } from './published';
export { resultsTable, type MeanScore, type MethodRow, type ReferenceRow, type ResultsTable } from './results-table';
