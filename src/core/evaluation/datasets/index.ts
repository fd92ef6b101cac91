/** @file Datasets: from rows of tables to the tasks of an evaluation, and samples of them. */
export { createDatasetImporter } from './importer';
export { privateTestsOpener } from './private-tests';
export { sampleTasks, splitTasks } from './sample';
