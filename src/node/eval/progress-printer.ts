/**
 * @file Prints the progress of a shard at most once a second. Prints text to stderr, or JSON lines to stdout.
 */
import { costSentence, type BatchProgress, type Clock } from '../../core/contract';
import type { Terminal } from '../command';
import type { Shard } from './shards';

/** Minimum time between two lines, in ms. */
const PAUSE = 1000;

export interface ProgressPrinterOptions {
  readonly terminal: Pick<Terminal, 'out' | 'error'>;
  readonly shard: Shard;
  readonly isJson: boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
}

export class ProgressPrinter {
  readonly #options: ProgressPrinterOptions;
  #printedAt = -Infinity;

  constructor(options: ProgressPrinterOptions) {
    this.#options = options;
  }

  update(progress: BatchProgress): void {
    const now = this.#options.clock.monotonic();
    if (now - this.#printedAt < PAUSE) return;
    this.#printedAt = now;
    this.#print('progress', progress);
  }

  /** Prints the final progress immediately. */
  finish(progress: BatchProgress): void {
    this.#print('ended', progress);
  }

  #print(type: 'progress' | 'ended', progress: BatchProgress): void {
    const { terminal, shard, isJson } = this.#options;
    if (isJson) terminal.out(`${JSON.stringify({ type, shard: shard.index, of: shard.of, ...progress })}\n`);
    else terminal.error(`${progressLine(progress, shard)}\n`);
  }
}

function progressLine(progress: BatchProgress, { index, of }: Shard): string {
  const { units, done, right, failed, notGradable, waiting, usd, unpriced, remaining } = progress;
  const counts = [
    `${done} of ${units} done`,
    `${right} right`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(notGradable > 0 ? [`${notGradable} not gradable`] : []),
    ...(waiting > 0 ? [`${waiting} to grade by hand`] : []),
    ...(usd > 0 || unpriced > 0 ? [costSentence({ usd, unpriced })] : []),
    ...(remaining !== null && done < units ? [`about ${durationWords(remaining)} left`] : []),
  ];
  return `${of === 1 ? '' : `Shard ${index} of ${of}: `}${counts.join(', ')}`;
}

function durationWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
