/**
 * @file Runs pieces of Python code in a room, one after another, and enforces the limits of each piece. A room is a hidden frame
 * in which Python is loaded.
 */
import {
  abortError,
  CODE_OUTPUT_LIMIT,
  type Clock,
  type CodeFault,
  type CodeFaultKind,
  type CodeOutcome,
  type CodeRequest,
  type CodeSession,
} from '../../core/contract';
import { allowsNextPiece, MessageMeter } from './message-meter';
import type { OutputStream, RunOrder, RuntimeMessage } from './protocol';
import type { Room } from './room';

const DEFAULT_MEMORY_LIMIT = 512 * 2 ** 20;
const TRACEBACK_LINES = 12;
/** Maximum length of Pyodide's words in a sentence, in UTF-16 units. */
const LONGEST_REASON = 200;
const TAMPERED: RuntimeMessage = { type: 'tampered' };

export class RoomSession implements CodeSession {
  readonly #room: Room;
  readonly #clock: Clock;
  readonly #isSingle: boolean;
  /** Why no further piece of code can run. `null` if the next piece can run. */
  #over: CodeFault | null = null;
  #receive: ((data: unknown) => void) | null = null;

  /** @param isSingle whether the session runs only one piece of code and then ends by itself */
  constructor(room: Room, clock: Clock, isSingle = false) {
    this.#room = room;
    this.#clock = clock;
    this.#isSingle = isSingle;
    room.port.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (this.#receive) this.#receive(data);
      else this.#over ??= faultIn(TAMPERED, { timeLimit: 0 });
    };
  }

  async run(code: string, request: CodeRequest, signal: AbortSignal): Promise<CodeOutcome> {
    if (signal.aborted) throw abortError();
    if (this.#over) return failedOutcome(this.#over);
    try {
      return await this.#run(code, request, signal);
    } catch (thrown) {
      this.close();
      throw thrown;
    }
  }

  close(): void {
    this.#over ??= faultOf('could-not-start', 'Its session was closed.');
    this.#room.close();
  }

  async #run(code: string, request: CodeRequest, signal: AbortSignal): Promise<CodeOutcome> {
    const { timeLimit, memoryLimit = DEFAULT_MEMORY_LIMIT, outputLimit = CODE_OUTPUT_LIMIT, stdin = '' } = request;
    const order: RunOrder = { code, isLast: this.#isSingle, stdin, memoryLimit, outputLimit };
    const output: Record<OutputStream, string> = { stdout: '', stderr: '', result: '' };
    const meter = new MessageMeter(outputLimit);
    const startedAt = this.#clock.monotonic();
    const cancelTimer = new AbortController();
    const ended = new Promise<RuntimeMessage>((end) => {
      this.#receive = (data) => {
        const message = meter.read(data);
        if (message.type === 'output') {
          output[message.stream] += message.text;
          return;
        }
        this.#receive = null;
        end(message);
      };
    });
    const late = this.#clock.sleep(timeLimit, AbortSignal.any([signal, cancelTimer.signal]));
    this.#room.port.postMessage(order);
    try {
      const message = await Promise.race([ended, late]);
      const time = this.#clock.monotonic() - startedAt;
      const fault = message ? faultIn(message, request) : faultOf('time-limit', timeSentence(timeLimit));
      if (!message || !allowsNextPiece(message)) this.#over ??= fault;
      const { stdout, stderr, result } = output;
      const outcome = { stdout, stderr, ...(result === '' ? {} : { result }), time };
      return fault ? { ok: false, ...outcome, fault } : { ok: true, ...outcome };
    } finally {
      this.#receive = null;
      cancelTimer.abort();
    }
  }
}

/** The session to use if no room could be opened. Every run returns the given fault. */
export function faultySession(fault: CodeFault): CodeSession {
  return { run: async () => failedOutcome(fault), close: () => undefined };
}

export function faultOf(kind: CodeFaultKind, message: string): CodeFault {
  return { kind, message };
}

function failedOutcome(fault: CodeFault): CodeOutcome {
  return { ok: false, stdout: '', stderr: '', fault, time: 0 };
}

function faultIn(message: RuntimeMessage, request: CodeRequest): CodeFault | null {
  switch (message.type) {
    case 'finished':
      return null;
    case 'error':
      return faultOf('error', lastLines(message.message));
    case 'crashed':
      return faultOf('crashed', crashSentence(message.message));
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

/** @param reason Pyodide's own words, such as `Exit: Program terminated with exit(0)` */
function crashSentence(reason: string): string {
  const [line = ''] = reason.split('\n');
  const status = /^Exit: Program terminated with exit\((\d+)\)/.exec(line)?.[1];
  if (status !== undefined) return `It ended Python itself, with status ${status}.`;
  const tooDeep = /call stack|RangeError/.test(line) ? ', probably by too deep a recursion' : '';
  return `It crashed Python${tooDeep}. (${line.slice(0, LONGEST_REASON)})`;
}

function timeSentence(timeLimit: number): string {
  return `It did not end within ${timeLimit / 1_000} s and was stopped.`;
}

/** The end of a traceback, which contains the error. */
function lastLines(traceback: string): string {
  return traceback.split('\n').slice(-TRACEBACK_LINES).join('\n');
}
