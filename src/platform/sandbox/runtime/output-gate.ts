/**
 * @file Decodes the output of untrusted code, limits its length and sends it to the page. Uses no
 * string methods, no array methods and no spread, because untrusted code could change their
 * behavior.
 */
import { PIECE, PROMPT_MESSAGES, type OutputStream, type RuntimeMessage } from '../protocol';
import { sliceText } from './early';

export class OutputGate {
  readonly #limit: number;
  readonly #send: (message: RuntimeMessage) => void;
  #used = 0;
  #sent = 0;
  /**
   * The buffered output of each stream. A shared buffer would have to be flushed at each switch
   * between streams. Code that alternates between streams could then send too many messages.
   */
  readonly #held: Record<OutputStream, string> = { stdout: '', stderr: '', result: '' };
  #open = true;

  /**
   * @param limit maximum length of all streams together, in UTF-16 units. When the output exceeds
   *   it, the gate sends `output-limit` and then nothing more
   */
  constructor(limit: number, send: (message: RuntimeMessage) => void) {
    this.#limit = limit;
    this.#send = send;
  }

  /** False after the output has exceeded the limit. */
  get isOpen(): boolean {
    return this.#open;
  }

  /**
   * Returns a function that writes chunks of UTF-8. A chunk may end within a character. The
   * function returns the number of written bytes, which is always the chunk's length.
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
