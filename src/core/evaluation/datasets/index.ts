/** @file Datasets: from rows of tables to the tasks of an evaluation, and samples of them. */
export { createDatasetImporter, type ImporterDependencies } from './importer';
export { privateTestsOpener, type InflateBase64 } from './private-tests';
export { sampleTasks, splitTasks, type OutlineEntry } from './sample';
