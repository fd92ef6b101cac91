/**
 * @file Recognizes the form of a reply by its first character. Some servers send a stream as `application/json`, or a whole reply
 * as `text/event-stream`, so the content type decides only about an empty body.
 */
import { LONGEST_EVENT } from './reply-limits';

/** `events`: server-sent events. `json`: one JSON text. `page`: a web page. */
export type ReplyForm = 'events' | 'json' | 'page';

/** Reads the body up to the first character that is not white space. Returns the form, and the pieces of the whole body. */
export async function readForm(
  body: AsyncGenerator<string, void, undefined>,
  contentType: string,
  tooLong: () => Error,
): Promise<{ form: ReplyForm; pieces: AsyncGenerator<string, void, undefined> }> {
  let space = 0;
  for (;;) {
    const { done, value } = await body.next();
    if (done) return { form: contentType.includes('json') ? 'json' : 'events', pieces: body };
    const sign = value.trimStart().at(0);
    if (sign !== undefined) return { form: formOf(sign), pieces: startingWith(value, body) };
    space += value.length;
    if (space > LONGEST_EVENT) throw tooLong();
  }
}

function formOf(sign: string): ReplyForm {
  if (sign === '<') return 'page';
  return sign === '{' || sign === '[' ? 'json' : 'events';
}

async function* startingWith(
  first: string,
  rest: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<string, void, undefined> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return();
  }
}

/** Returns the whole text. Rejects if it is longer than `most` UTF-16 units. */
export async function textOf(pieces: AsyncIterable<string>, most: number, tooLong: () => Error): Promise<string> {
  const texts: string[] = [];
  let length = 0;
  for await (const piece of pieces) {
    texts.push(piece);
    length += piece.length;
    if (length > most) throw tooLong();
  }
  return texts.join('');
}
