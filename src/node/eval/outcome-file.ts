/**
 * @file Stores the outcomes of a shard in an append-only file. Each line is `{"outcome":{…}}` or `{"removed":{…}}`. An outcome
 * counts as stored when its line is on disk.
 */
import {
  isRecord,
  parseJson,
  unitKey,
  type Batch,
  type BatchStore,
  type Outcome,
  type Unit,
} from '../../core/contract';
import { outcomeSchema } from '../../core/contract/evaluation/outcome-schema';
import { AppendQueue } from '../../platform/store/append-queue';
import { UsageError } from '../exit-codes';
import { AppendFile, damageWords, readCompleteLines } from '../store/append-file';

/** How the lines of a file of outcomes start. */
const STARTS = ['{"outcome":', '{"removed":'];

type Line = { readonly kind: 'outcome'; readonly outcome: Outcome } | { readonly kind: 'removed'; readonly unit: Unit };

export type ShardStore = Pick<BatchStore, 'list' | 'get' | 'outcomes' | 'addOutcomes' | 'removeOutcomes'>;

/** The outcomes of a shard, by `unitKey`. */
type Outcomes = Map<string, Outcome>;

export class OutcomeFile implements ShardStore {
  readonly #file: AppendFile;
  readonly #batch: Batch;
  readonly #outcomes: Outcomes;
  /** While a write is in progress, collects new lines for the next write. */
  readonly #queue = new AppendQueue<Line>((lines) => this.#write(lines));

  private constructor(file: AppendFile, batch: Batch, outcomes: Outcomes) {
    this.#file = file;
    this.#batch = batch;
    this.#outcomes = outcomes;
  }

  /**
   * Opens and reads the file. Leaves out damaged lines, so their units have no outcome and are carried out again. Throws a
   * `FaultError` or `UsageError` if the file can't be used. Throws a `UsageError` if the outcomes belong to another batch.
   * @param report called with a sentence about the damaged lines
   */
  static async open(path: string, batch: Batch, report: (sentence: string) => void): Promise<OutcomeFile> {
    const file = await AppendFile.open(path, STARTS);
    try {
      const outcomes = await fold(path, texts(file), report);
      if ([...outcomes.values()].some(({ batchId }) => batchId !== batch.id)) {
        throw new UsageError(`${path} has outcomes of another plan. Choose another folder with --out.`);
      }
      return new OutcomeFile(file, batch, outcomes);
    } catch (thrown) {
      await file.close();
      throw thrown;
    }
  }

  /** Only the batch of the shard. */
  list(): Promise<readonly Batch[]> {
    return Promise.resolve([this.#batch]);
  }

  get(id: string): Promise<Batch | null> {
    return Promise.resolve(id === this.#batch.id ? this.#batch : null);
  }

  async outcomes(): Promise<readonly Outcome[]> {
    await this.#queue.settle();
    return [...this.#outcomes.values()];
  }

  async addOutcomes(outcomes: readonly Outcome[]): Promise<void> {
    await Promise.all(outcomes.map((outcome) => this.#queue.add({ kind: 'outcome', outcome })));
  }

  async removeOutcomes(_batchId: string, units: readonly Unit[]): Promise<void> {
    await Promise.all(
      units.map(({ dataset, taskId, method, repeat }) =>
        this.#queue.add({ kind: 'removed', unit: { dataset, taskId, method, repeat } }),
      ),
    );
  }

  async close(): Promise<void> {
    await this.#queue.settle();
    await this.#file.close();
  }

  async #write(lines: readonly Line[]): Promise<ReadonlyMap<Line, Error>> {
    const written = lines.map((line) =>
      JSON.stringify(line.kind === 'outcome' ? { outcome: line.outcome } : { removed: line.unit }),
    );
    await this.#file.append(written, true);
    for (const line of lines) apply(this.#outcomes, line);
    return new Map();
  }
}

/**
 * Reads the outcomes while another process may append to the file. Throws a `FaultError` like
 * `OutcomeFile.open`.
 */
export async function readOutcomes(path: string, report: (sentence: string) => void): Promise<readonly Outcome[]> {
  return [...(await fold(path, readCompleteLines(path), report)).values()];
}

async function* texts(file: AppendFile): AsyncGenerator<string> {
  for await (const { text } of file.lines()) yield text;
}

async function fold(path: string, lines: AsyncIterable<string>, report: (sentence: string) => void): Promise<Outcomes> {
  const outcomes: Outcomes = new Map();
  const damaged: number[] = [];
  let number = 0;
  for await (const text of lines) {
    number += 1;
    const line = readLine(text);
    if (line) apply(outcomes, line);
    else damaged.push(number);
  }
  if (damaged.length > 0) report(damageWords(path, damaged));
  return outcomes;
}

function apply(outcomes: Outcomes, line: Line): void {
  if (line.kind === 'outcome') outcomes.set(unitKey(line.outcome), line.outcome);
  else outcomes.delete(unitKey(line.unit));
}

/** Returns `null` for a damaged line. */
function readLine(text: string): Line | null {
  const value = parseJson(text);
  if (!isRecord(value)) return null;
  const parsed = outcomeSchema.safeParse(value.outcome);
  if (parsed.success) return { kind: 'outcome', outcome: parsed.data };
  const unit = value.removed;
  if (!isRecord(unit)) return null;
  const { dataset, taskId, method, repeat } = unit;
  if (typeof dataset !== 'number' || typeof taskId !== 'string') return null;
  if (typeof method !== 'number' || typeof repeat !== 'number') return null;
  return { kind: 'removed', unit: { dataset, taskId, method, repeat } };
}
