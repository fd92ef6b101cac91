/**
 * @file Decodes and counts the output of the code in the sandbox, cuts it at the limit and sends it to the page. Uses no methods
 * of strings or arrays and no spread, because that code could have replaced them.
 */
import { PIECE, PROMPT_MESSAGES, type OutputStream, type RuntimeMessage } from '../protocol';
import { sliceText } from './early';

export class OutputGate {
  readonly #limit: number;
  readonly #send: (message: RuntimeMessage) => void;
  #used = 0;
  #sent = 0;
  /**
   * The buffered output of each stream. Separate buffers ensure that code that alternates between streams sends no more
   * messages than other code.
   */
  readonly #held: Record<OutputStream, string> = { stdout: '', stderr: '', result: '' };
  #open = true;

  /** @param limit UTF-16 units of all streams together. Beyond the limit, the gate sends `output-limit` and then nothing more */
  constructor(limit: number, send: (message: RuntimeMessage) => void) {
    this.#limit = limit;
    this.#send = send;
  }

  /** False after the output has exceeded the limit. */
  get isOpen(): boolean {
    return this.#open;
  }

  /**
   * Returns a function that accepts chunks of UTF-8, split anywhere. Like a write call, it returns the number of accepted
   * bytes, which is always all of them.
   */
  writer(stream: OutputStream): (bytes: Uint8Array) => number {
    const decoder = new TextDecoder();
    const decode = decoder.decode.bind(decoder);
    return (bytes) => {
      this.write(stream, decode(bytes, { stream: true }));
      return bytes.length;
    };
  }

  write(stream: OutputStream, text: string): void {
    if (!this.#open || text === '') return;
    const room = this.#limit - this.#used;
    const fitting = sliceText(text, 0, room);
    this.#used += fitting.length;
    this.#held[stream] += fitting;
    if (this.#sent < PROMPT_MESSAGES || this.#held[stream].length >= PIECE) this.#flush(stream);
    if (text.length <= room) return;
    this.#open = false;
    this.flush();
    this.#send({ type: 'output-limit' });
  }

  /** Sends the buffered output. */
  flush(): void {
    this.#flush('stdout');
    this.#flush('stderr');
    this.#flush('result');
  }

  #flush(stream: OutputStream): void {
    const text = this.#held[stream];
    if (text === '') return;
    this.#held[stream] = '';
    this.#sent += 1;
    this.#send({ type: 'output', stream, text });
  }
}
