/**
 * @file Decodes server-sent events. Tolerates what real servers deviate in: events without data, JSON lines without `data:`, events
 * that no blank line separates, errors in a field of their own, and a last event without a line break.
 */
import { parseJson } from '../../core/contract';
import { LONGEST_EVENT } from './reply-limits';

export type ServerEvent =
  /** `data`: the decoded JSON. `undefined` if the text is not JSON. `isError`: whether the server marked the event as an error. */
  | { readonly type: 'data'; readonly text: string; readonly data: unknown; readonly isError: boolean }
  /** The closing `[DONE]`. No event follows it. */
  | { readonly type: 'done' };

const DONE = /^"?\[DONE\]/;
const MOST_FOREIGN = 500;
/** Names of events that only keep the connection open. */
const KEEPS_OPEN = /^(?:ping|heartbeat|keep-?alive)$/i;

/**
 * Decodes the events of a body that arrives in pieces. Reads each character once.
 * @param tooLong creates the error for an event that is longer than any answer needs
 */
export async function* decodeEvents(
  pieces: AsyncIterable<string>,
  tooLong: () => Error,
): AsyncGenerator<ServerEvent, void, undefined> {
  const decoder = new Decoder(tooLong);
  for await (const piece of pieces) {
    for (const event of decoder.push(piece)) {
      yield event;
      if (event.type === 'done') return;
    }
  }
  yield* decoder.end();
}

class Decoder {
  readonly #tooLong: () => Error;
  #line = '';
  /** Whether the last piece ended with a carriage return. A line feed that follows belongs to the same line break. */
  #isAfterReturn = false;
  #name = '';
  #data: string[] = [];
  #isError = false;
  /** Characters since the last event ended. */
  #length = 0;
  #hasEvents = false;
  /** The start of the lines that are no part of an event. */
  #foreign = '';

  constructor(tooLong: () => Error) {
    this.#tooLong = tooLong;
  }

  *push(piece: string): Generator<ServerEvent, void, undefined> {
    const text = this.#isAfterReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    if (piece !== '') this.#isAfterReturn = piece.endsWith('\r');
    const lines = text.split(/\r\n|\n|\r/);
    for (const [index, line] of lines.entries()) {
      this.#line += line;
      this.#length += line.length + 1;
      if (this.#length > LONGEST_EVENT) throw this.#tooLong();
      if (index === lines.length - 1) return;
      const whole = this.#line;
      this.#line = '';
      if (whole === '') yield* this.#dispatch();
      else this.#read(whole);
    }
  }

  /** Returns the last event, if no blank line follows it. A body without any event counts as one event that is not JSON. */
  *end(): Generator<ServerEvent, void, undefined> {
    this.#read(this.#line);
    yield* this.#dispatch();
    if (!this.#hasEvents && this.#foreign !== '')
      yield { type: 'data', text: this.#foreign, data: undefined, isError: false };
  }

  #read(line: string): void {
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = line.slice(field.length + 1).replace(/^ /, '');
    if (line.startsWith('{')) this.#data.push(line);
    else if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#name = value;
    else if (field === 'error') {
      this.#data.push(value);
      this.#isError = true;
    } else if (field !== '' && field !== 'id' && field !== 'retry' && this.#foreign.length < MOST_FOREIGN)
      this.#foreign += `${line.slice(0, MOST_FOREIGN)}\n`;
  }

  *#dispatch(): Generator<ServerEvent, void, undefined> {
    const lines = this.#data;
    const isError = this.#isError || this.#name === 'error';
    const isIgnored = KEEPS_OPEN.test(this.#name);
    this.#data = [];
    this.#name = '';
    this.#isError = false;
    this.#length = 0;
    if (isIgnored) return;
    this.#hasEvents ||= lines.length > 0;
    const whole = lines.join('\n');
    // Without blank lines between them, several events look like one event with several lines.
    const texts = lines.length > 1 && parseJson(whole) === undefined ? lines : [whole];
    for (const text of texts) {
      if (DONE.test(text.trim())) {
        yield { type: 'done' };
        return;
      }
      const data = parseJson(text);
      if (text.trim() !== '' && data !== null) yield { type: 'data', text, data, isError };
    }
  }
}
