/** @file A worker thread that runs a reader on damaged files, so that a reader that hangs can be ended. */
import { parentPort } from 'node:worker_threads';
import { FaultError, mixSeed, seededRandom, randomIndex } from '../../src/core/contract';
import { UsageError } from '../../src/node/exit-codes';
import { mutated } from './mutate';
import { TARGETS, type TargetName } from './targets';

/** Damaged files to read: `count` files, beginning with the number `from`. */
export interface FuzzOrder {
  readonly target: TargetName;
  readonly seeds: readonly Uint8Array[];
  readonly from: number;
  readonly count: number;
  /** Path of a file that the reader may write. */
  readonly file: string;
}

/** Sent before each file is read, and with the error if reading it failed in a way that a user can't understand. */
export type FuzzReport =
  | { readonly type: 'reading'; readonly number: number }
  | { readonly type: 'crashed'; readonly number: number; readonly error: string }
  | { readonly type: 'finished' };

/** The damaged file with this number. */
function damagedFile(target: string, seeds: readonly Uint8Array[], number: number): Uint8Array<ArrayBuffer> {
  const random = seededRandom(mixSeed(target, number));
  const pick = () => seeds[randomIndex(random, seeds.length)] ?? new Uint8Array();
  return mutated(pick(), pick(), random);
}

async function run({ target, seeds, from, count, file }: FuzzOrder): Promise<void> {
  for (let number = from; number < from + count; number++) {
    report({ type: 'reading', number });
    try {
      await TARGETS[target](damagedFile(target, seeds, number), file);
    } catch (thrown) {
      if (thrown instanceof FaultError ? thrown.fault.code === 'internal' : !(thrown instanceof UsageError)) {
        const error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
        report({ type: 'crashed', number, error });
      }
    }
  }
  report({ type: 'finished' });
}

function report(message: FuzzReport): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', (order: FuzzOrder) => void run(order));
