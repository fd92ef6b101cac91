/** @file A file of events as JSON lines, one event a line. An event is on disk before the work goes on. */
import { parseJson } from '../../core/contract';
import { UsageError } from '../exit-codes';
import { AppendFile, readCompleteLines } from './append-file';

export interface EventFormat<Event> {
  /** How a line of such a file may start. */
  readonly starts: readonly string[];
  /** `null`: the value is no such event. */
  readonly parse: (value: unknown) => Event | null;
}

export class EventFile<Event> {
  /** The events in order, with those that were appended. */
  readonly events: Event[];
  readonly #file: AppendFile;

  private constructor(file: AppendFile, events: Event[]) {
    this.#file = file;
    this.events = events;
  }

  /** Throws a `FaultError` or `UsageError` if the file can't be used. A partial last line is removed. */
  static async open<Event>(path: string, format: EventFormat<Event>): Promise<EventFile<Event>> {
    const file = await AppendFile.open(path, format.starts);
    try {
      const events: Event[] = [];
      for await (const { text } of file.lines()) events.push(eventOf(text, path, format));
      return new EventFile(file, events);
    } catch (thrown) {
      await file.close();
      throw thrown;
    }
  }

  async append(event: Event): Promise<void> {
    await this.#file.append([JSON.stringify(event)], true);
    this.events.push(event);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** The events of a file that another process may continue. */
export async function readEventFile<Event>(path: string, format: EventFormat<Event>): Promise<readonly Event[]> {
  const events: Event[] = [];
  for await (const text of readCompleteLines(path)) events.push(eventOf(text, path, format));
  return events;
}

/** A missing event would repeat paid calls or change the result, so a damaged line can't be left out. */
function eventOf<Event>(text: string, path: string, { parse }: EventFormat<Event>): Event {
  const event = parse(parseJson(text));
  if (event !== null) return event;
  throw new UsageError(`${path} has a damaged line. Start again with another --out.`);
}
