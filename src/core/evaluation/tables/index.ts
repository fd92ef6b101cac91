/** @file Tables of results with the published results of arXiv 2512.04388, and their exports. */
export { readBatchFile, writeBatchFile } from './batch-file';
export { tableAsCsv, tableAsLatex, tableAsMarkdown } from './export-table';
export { benchmarkOf, PUBLISHED_ROWS } from './published';
export { resultsTable, type MeanScore, type MethodRow, type ReferenceRow, type ResultsTable } from './results-table';
