/** @file The worker thread that opens or reads one table. It is built into its own file beside the command line. */
import { parentPort } from 'node:worker_threads';
import { serveTable } from '../../platform/datasets/table-worker/serve-table';

parentPort?.on(
  'message',
  serveTable((report) => parentPort?.postMessage(report)),
);
