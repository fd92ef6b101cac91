/**
 * @file What the code prints, on its way to the page: decoded, counted, and cut at the limit. Uses nothing that the code could
 * have replaced: no methods of strings or arrays, no spread.
 */
import { PIECE, PROMPT_MESSAGES, type OutputStream, type RuntimeMessage } from '../protocol';
import { sliceText } from './early';

export class OutputGate {
  readonly #limit: number;
  readonly #send: (message: RuntimeMessage) => void;
  #taken = 0;
  #sent = 0;
  /** By stream, so that code that prints to both in turn needs no more messages than another. */
  readonly #held: Record<OutputStream, string> = { stdout: '', stderr: '', result: '' };
  #open = true;

  /** @param limit UTF-16 units of all streams together; beyond it `output-limit` is sent and nothing more */
  constructor(limit: number, send: (message: RuntimeMessage) => void) {
    this.#limit = limit;
    this.#send = send;
  }

  /** False once the limit was reached. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Takes bytes of UTF-8, cut anywhere. @returns how many were taken, which is all of them */
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
    const room = this.#limit - this.#taken;
    const fitting = sliceText(text, 0, room);
    this.#taken += fitting.length;
    this.#held[stream] += fitting;
    if (this.#sent < PROMPT_MESSAGES || this.#held[stream].length >= PIECE) this.#flush(stream);
    if (text.length <= room) return;
    this.#open = false;
    this.flush();
    this.#send({ type: 'output-limit' });
  }

  /** Sends what is still held back. */
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
