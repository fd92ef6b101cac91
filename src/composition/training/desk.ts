/** @file Trains or compares policies in a Web Worker, and yields the reports of the Web Worker. */
import { fault, FaultError } from '../../core/contract';
import { readReport, type TrainingDesk } from '../../core/training/orders';
import { startWorker } from '../../platform/start-worker';
import { reportsOf, type WorkerFailure } from '../../platform/worker-reports';
import program from './training-worker?worker&url';

interface TrainingDeskOptions {
  /** Awaited before the script of the Web Worker is loaded. */
  readonly ready?: () => Promise<void>;
  /** Lets tests replace the Web Worker. */
  readonly createWorker?: () => Worker;
}

export function createTrainingDesk({
  ready,
  createWorker = () => startWorker(program),
}: TrainingDeskOptions = {}): TrainingDesk {
  return {
    async *carryOut(order, signal) {
      const errorOf = ({ kind, detail }: WorkerFailure) =>
        kind === 'crashed' ? brokenOffFault(detail) : loadFault(detail);
      for await (const report of reportsOf({ ready, createWorker, order, read: readReport, errorOf }, signal)) {
        if (report.type === 'failed') throw new FaultError(report.fault);
        yield report;
        if (report.type === 'finished') return;
      }
    },
  };
}

function brokenOffFault(detail: string): FaultError {
  const message =
    'Training stopped because its Web Worker crashed. Close other tabs and programs, then start the training again.';
  return new FaultError(fault('internal', message, { retryable: true, detail }));
}

function loadFault(detail: string): FaultError {
  const message = 'Couldn’t load the training code. Check the connection, then start the training again.';
  return new FaultError(fault('internal', message, { retryable: true, detail }));
}
