/** @file The worker thread that opens or reads one table. It is built into its own file beside the command line. */
import { parentPort } from 'node:worker_threads';
import { serveTable } from '../../platform/datasets/table-worker/serve-table';
import type { TableOrder } from '../../platform/datasets/table-worker/messages';
import type { ServePort } from '../../platform/serve-calls';

const port: ServePort<TableOrder> = {
  postMessage: (message, { transfer } = {}) => parentPort?.postMessage(message, transfer),
  onmessage: null,
};
parentPort?.on('message', (data) => port.onmessage?.(new MessageEvent('message', { data })));
serveTable(port);
