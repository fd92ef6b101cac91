/** @file Trains or compares policies in a Web Worker, and yields the reports of the Web Worker. */
import { readReport, type TrainingDesk } from '../../core/training/orders';
import { startWorker } from '../../platform/start-worker';
import { failingWith, WorkerLink } from '../../platform/worker-link';
import program from './training-worker?worker&url';

interface TrainingDeskOptions {
  /** Awaited before the script of the Web Worker is loaded. */
  readonly ready?: () => Promise<void>;
  /** Lets tests replace the Web Worker. */
  readonly createWorker?: () => Worker;
}

const errorOf = failingWith({
  notLoaded: 'Couldn’t load the training code. Check the connection, then start the training again.',
  crashed:
    'Training stopped because its Web Worker crashed. Close other tabs and programs, then start the training again.',
});

export function createTrainingDesk({
  ready,
  createWorker = () => startWorker(program),
}: TrainingDeskOptions = {}): TrainingDesk {
  return {
    carryOut(order, signal) {
      return new WorkerLink({ start: createWorker, ready, read: readReport, errorOf }).call(order, signal);
    },
  };
}
