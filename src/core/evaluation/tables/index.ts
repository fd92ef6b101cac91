/** @file Tables of results with the paper's published results, and their exports. */
export { readBatchFile, writeBatchFile, type BatchFile, type BatchFileOptions } from './batch-file';
export { tableAsCsv, tableAsLatex, tableAsMarkdown } from './export-table';
export { benchmarkOf, PUBLISHED_ROWS, PUBLISHED_SOURCE, type PublishedRow } from './published';
export {
  resultsTable,
  type MeanScore,
  type MethodRow,
  type PublishedResultsRow,
  type ReferenceRow,
  type ResultsCell,
  type ResultsTable,
} from './results-table';
