/** @file Runs code, each time in a new sandbox room. Enforces the limits, and opens the next room in advance. */
import PQueue from 'p-queue';
import {
  abortError,
  CODE_OUTPUT_LIMIT,
  type Clock,
  type CodeFault,
  type CodeFaultKind,
  type CodeOutcome,
  type CodeRequest,
  type CodeRunner,
} from '../../core/contract';
import { MessageMeter } from './message-meter';
import type { OutputStream, RunOrder, RuntimeMessage } from './protocol';
import type { Room } from './room';

const DEFAULT_MEMORY_LIMIT = 512 * 2 ** 20;
/** Longest time until a room is ready, ms. Long enough for slow machines. */
const START_LIMIT = 60_000;
const TRACEBACK_LINES = 12;

export interface CodeRunnerOptions {
  readonly openRoom: () => Promise<Room>;
  readonly clock: Clock;
}

export function createCodeRunner(options: CodeRunnerOptions): CodeRunner {
  return new RoomRunner(options);
}

class RoomRunner implements CodeRunner {
  readonly #openRoom: () => Promise<Room>;
  readonly #clock: Clock;
  readonly #queue = new PQueue({ concurrency: 1 });
  /** The next room, open or opening. */
  #next: Promise<Room> | null = null;

  constructor({ openRoom, clock }: CodeRunnerOptions) {
    this.#openRoom = openRoom;
    this.#clock = clock;
  }

  async run(code: string, request: CodeRequest, signal: AbortSignal): Promise<CodeOutcome> {
    try {
      return await this.#queue.add(() => this.#runNow(code, request, signal), { signal });
    } catch (thrown) {
      throw signal.aborted ? abortError() : thrown;
    }
  }

  dispose(): void {
    if (this.#next) closeWhenOpen(this.#next);
    this.#next = null;
  }

  async #runNow(code: string, request: CodeRequest, signal: AbortSignal): Promise<CodeOutcome> {
    const room = await this.#readyRoom(signal);
    if ('kind' in room) return { ok: false, stdout: '', stderr: '', fault: room, time: 0 };
    try {
      return await this.#inRoom(room, code, request, signal);
    } finally {
      room.close();
      this.#prepareRoom().catch(() => undefined);
    }
  }

  /** Returns the room for this run, or a fault if there is none. A room that opens after its run was aborted serves the next. */
  async #readyRoom(signal: AbortSignal): Promise<Room | CodeFault> {
    const cancelTimer = new AbortController();
    const opening = this.#prepareRoom();
    const late = this.#clock.sleep(START_LIMIT, AbortSignal.any([signal, cancelTimer.signal]));
    try {
      const room = await Promise.race([opening, late]);
      this.#next = null;
      if (room) return room;
      closeWhenOpen(opening);
      return faultOf('could-not-start', 'Couldn’t start Python. It took too long to load. Try again.');
    } catch (thrown) {
      if (signal.aborted) throw abortError();
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      return faultOf('could-not-start', `Couldn’t start Python. Check the connection, then try again. (${reason})`);
    } finally {
      cancelTimer.abort();
    }
  }

  #prepareRoom(): Promise<Room> {
    if (!this.#next) {
      const opening = this.#openRoom();
      this.#next = opening;
      opening.catch(() => {
        // The next run tries to fetch the files again.
        if (this.#next === opening) this.#next = null;
      });
    }
    return this.#next;
  }

  async #inRoom(room: Room, code: string, request: CodeRequest, signal: AbortSignal): Promise<CodeOutcome> {
    const { timeLimit, memoryLimit = DEFAULT_MEMORY_LIMIT, outputLimit = CODE_OUTPUT_LIMIT, stdin = '' } = request;
    const order: RunOrder = { code, stdin, memoryLimit, outputLimit };
    const output: Record<OutputStream, string> = { stdout: '', stderr: '', result: '' };
    const meter = new MessageMeter(outputLimit);
    const startedAt = this.#clock.monotonic();
    const cancelTimer = new AbortController();
    const ended = new Promise<RuntimeMessage>((end) => {
      room.port.onmessage = ({ data }: MessageEvent<unknown>) => {
        const message = meter.read(data);
        if (message.type === 'output') output[message.stream] += message.text;
        else end(message);
      };
    });
    const late = this.#clock.sleep(timeLimit, AbortSignal.any([signal, cancelTimer.signal]));
    room.port.postMessage(order);
    try {
      const message = await Promise.race([ended, late]);
      const time = this.#clock.monotonic() - startedAt;
      const fault = message ? faultIn(message, request) : faultOf('time-limit', timeSentence(timeLimit));
      const { stdout, stderr, result } = output;
      const outcome = { stdout, stderr, ...(result === '' ? {} : { result }), time };
      return fault ? { ok: false, ...outcome, fault } : { ok: true, ...outcome };
    } finally {
      cancelTimer.abort();
    }
  }
}

function closeWhenOpen(opening: Promise<Room>): void {
  opening.then(
    (room) => room.close(),
    () => undefined,
  );
}

function faultIn(message: RuntimeMessage, request: CodeRequest): CodeFault | null {
  switch (message.type) {
    case 'finished':
      return null;
    case 'error':
      return faultOf('error', lastLines(message.message));
    case 'memory-limit': {
      const megabytes = Math.round((request.memoryLimit ?? DEFAULT_MEMORY_LIMIT) / 2 ** 20);
      return faultOf('memory-limit', `It needed more than the ${megabytes} MB of memory it may use.`);
    }
    case 'output-limit': {
      const characters = (request.outputLimit ?? CODE_OUTPUT_LIMIT).toLocaleString('en');
      return faultOf('output-limit', `It printed or returned more than ${characters} characters and was stopped.`);
    }
    case 'tampered':
    case 'ready':
    case 'failed':
    case 'output':
      return faultOf('tampered', 'It sent messages that Python never sends, so it was stopped.');
    default:
      return message satisfies never;
  }
}

function faultOf(kind: CodeFaultKind, message: string): CodeFault {
  return { kind, message };
}

function timeSentence(timeLimit: number): string {
  return `It did not end within ${timeLimit / 1_000} s and was stopped.`;
}

/** The end of a traceback, which has the error. The runtime has already limited the traceback's length. */
function lastLines(traceback: string): string {
  return traceback.split('\n').slice(-TRACEBACK_LINES).join('\n');
}
