/** @file Datasets: converts the rows of tables to the tasks of an evaluation. */
export { createDatasetImporter } from './importer';
export { privateTestsOpener } from './private-tests';
