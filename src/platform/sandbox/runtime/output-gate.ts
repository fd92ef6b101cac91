/**
 * @file What the code prints, on its way to the page: decoded, counted, and cut where it has said enough.
 */
import type { RuntimeMessage } from '../protocol';

/** So many messages leave at once; who prints more than that is sent in larger pieces. */
const PROMPT_MESSAGES = 200;
/** UTF-16 units of those pieces. */
const PIECE = 8_192;

type Stream = 'stdout' | 'stderr';

export class OutputGate {
  readonly #limit: number;
  readonly #send: (message: RuntimeMessage) => void;
  #taken = 0;
  #sent = 0;
  #held: { stream: Stream; text: string } | null = null;
  #open = true;

  /** @param limit UTF-16 units of both streams together; beyond it `output-limit` is sent and nothing more */
  constructor(limit: number, send: (message: RuntimeMessage) => void) {
    this.#limit = limit;
    this.#send = send;
  }

  /** False once the limit was reached. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Takes bytes of UTF-8, cut anywhere. @returns how many were taken, which is all of them */
  writer(stream: Stream): (bytes: Uint8Array) => number {
    const decoder = new TextDecoder();
    return (bytes) => {
      this.#write(stream, decoder.decode(bytes, { stream: true }));
      return bytes.length;
    };
  }

  /** Sends what is still held back. */
  flush(): void {
    if (!this.#held) return;
    this.#send({ type: 'output', ...this.#held });
    this.#held = null;
    this.#sent += 1;
  }

  #write(stream: Stream, text: string): void {
    if (!this.#open || text === '') return;
    const room = this.#limit - this.#taken;
    const fitting = text.slice(0, room);
    this.#taken += fitting.length;
    if (this.#held && this.#held.stream !== stream) this.flush();
    this.#held = { stream, text: (this.#held?.text ?? '') + fitting };
    if (this.#sent < PROMPT_MESSAGES || this.#held.text.length >= PIECE) this.flush();
    if (text.length <= room) return;
    this.#open = false;
    this.flush();
    this.#send({ type: 'output-limit' });
  }
}
