/** @file Stores one measurement as JSON lines, one event a line. An event is on disk before the measurement goes on. */
import * as z from 'zod/mini';
import { parseJson } from '../../core/contract';
import type { MeasurementEvent, MeasurementStore } from '../../core/contract/measurement/measurement';
import { measurementSchema } from '../../core/contract/measurement/measurement-schema';
import { AppendFile } from '../store/append-file';
import { UsageError } from '../exit-codes';

/** How the lines of such a file start. */
const STARTS = ['{"id":"', '{"type":"'];

export class MeasurementFile implements MeasurementStore {
  readonly #file: AppendFile;
  readonly #events: MeasurementEvent[];

  private constructor(file: AppendFile, events: MeasurementEvent[]) {
    this.#file = file;
    this.#events = events;
  }

  /** Throws a `FaultError` or `UsageError` if the file can't be used. A partial last line is removed. */
  static async open(path: string): Promise<MeasurementFile> {
    const file = await AppendFile.open(path, STARTS);
    try {
      const events: MeasurementEvent[] = [];
      for await (const { text } of file.lines()) events.push(eventOf(text, path));
      return new MeasurementFile(file, events);
    } catch (thrown) {
      await file.close();
      throw thrown;
    }
  }

  async list() {
    return this.#events.flatMap(({ type, id, at }) => (type === 'started' ? [{ id, startedAt: at }] : []));
  }

  async read(id: string) {
    return this.#events.filter((event) => event.id === id);
  }

  async append(event: MeasurementEvent): Promise<void> {
    await this.#file.append([JSON.stringify(event)], true);
    this.#events.push(event);
  }

  remove(): Promise<void> {
    return Promise.reject(new UsageError('Delete the file to delete its measurement.'));
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** A missing event would repeat a paid call, so a damaged line can't be left out. */
function eventOf(text: string, path: string): MeasurementEvent {
  const parsed = z.safeParse(measurementSchema, parseJson(text));
  if (parsed.success) return parsed.data;
  throw new UsageError(`${path} has a damaged line. Start a new measurement with another --out.`);
}
