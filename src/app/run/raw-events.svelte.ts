/** @file The stored events of a run as JSON, to show, copy or save as a file. */
import { isAbort, toFault, type Fault, type StoredEvent } from '../../core/contract';
import type { RunServices } from '../services';
import { chooseTarget, dateInName, streamOf, type ChooseTarget } from '../state/save-file';

export class RawEvents {
  /** `null` until the events are read. */
  events: readonly StoredEvent[] | null = $state.raw(null);
  /** Why the events could not be read or saved. */
  fault: Fault | null = $state.raw(null);
  readonly #runs: Pick<RunServices['runs'], 'open'>;
  readonly #id: string;
  readonly #choose: ChooseTarget;

  constructor(runs: Pick<RunServices['runs'], 'open'>, id: string, choose: ChooseTarget = chooseTarget) {
    this.#runs = runs;
    this.#id = id;
    this.#choose = choose;
  }

  /** Fills `events`. Call it again when the run has new events. */
  async load(): Promise<void> {
    try {
      this.events = (await this.#runs.open(this.#id))?.events ?? [];
      this.fault = null;
    } catch (thrown) {
      this.fault = toFault(thrown);
    }
  }

  /** All events as one JSON array. Rejects if they can't be read. */
  async text(): Promise<string> {
    const opened = await this.#runs.open(this.#id);
    return [...piecesOf(opened?.events ?? [])].join('');
  }

  /** Saves the events as a file. Needs a user gesture. */
  async save(signal: AbortSignal): Promise<void> {
    try {
      const target = await this.#choose(`podium-events-${dateInName(Date.now())}.json`);
      if (!target) return;
      const opened = await this.#runs.open(this.#id);
      await target.write(streamOf(written(opened?.events ?? [])), signal);
      this.fault = null;
    } catch (thrown) {
      if (!isAbort(thrown)) this.fault = toFault(thrown);
    }
  }
}

export function eventJson(event: StoredEvent): string {
  return JSON.stringify(event, null, 2);
}

function* piecesOf(events: readonly StoredEvent[]): Generator<string, void, undefined> {
  yield '[';
  for (const [index, event] of events.entries()) yield `${index === 0 ? '' : ','}\n${eventJson(event)}`;
  yield '\n]\n';
}

async function* written(events: readonly StoredEvent[]): AsyncGenerator<string, void, undefined> {
  for (const piece of piecesOf(events)) {
    yield piece;
    await Promise.resolve();
  }
}
