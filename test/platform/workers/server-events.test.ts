import { expect, test } from 'vitest';
import { decodeEvents, type ServerEvent } from '../../../src/platform/workers/server-events';

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += size) yield await Promise.resolve(text.slice(from, from + size));
}

async function decode(text: string, size = text.length): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  for await (const event of decodeEvents(inPieces(text, size), () => new Error('too long'))) events.push(event);
  return events;
}

test.each([
  ['comments and line feeds', ': hello\n\ndata: {"a":1}\n\ndata:{"a":2}\n\n'],
  ['carriage returns with line feeds', 'data: {"a":1}\r\n\r\ndata: {"a":2}\r\n\r\n'],
  ['carriage returns alone', 'data: {"a":1}\r\rdata: {"a":2}\r\r'],
  ['ids, names and pauses', 'id: 7\nevent: message\ndata: {"a":1}\n\nretry: 10\n\ndata: {"a":2}\n\n'],
  ['empty data between events', 'data: {"a":1}\n\ndata: \n\ndata\n\ndata: null\n\ndata: {"a":2}\n\n'],
  ['pings with data', 'data: {"a":1}\n\nevent: ping\ndata: 12:00\n\nevent: Heartbeat\ndata: {}\n\ndata: {"a":2}\n\n'],
  ['no blank line at the end', 'data: {"a":1}\n\ndata: {"a":2}'],
  ['one line break at the end', 'data: {"a":1}\n\ndata: {"a":2}\n'],
  ['no blank lines at all', 'data: {"a":1}\ndata: {"a":2}\n'],
  ['JSON on several lines', 'data: {\ndata: "a":1}\n\ndata: {"a":2}\n\n'],
  ['JSON without a field name', '{"a":1}\n\ndata: {"a":2}\n\n'],
])('events with %s are decoded, whatever the size of the pieces', async (_, text) => {
  for (const size of [1, 2, 3, 7, text.length]) {
    const events = await decode(text, size);
    expect(events.map((event) => (event.type === 'data' ? event.data : event.type))).toEqual([{ a: 1 }, { a: 2 }]);
  }
});

test.each(['data: [DONE]\n\n', 'data:[DONE]', 'data: "[DONE]"\n\n', 'data: {"a":1}\ndata: [DONE]\n'])(
  'nothing is read after the end of a stream, written as %j',
  async (end) => {
    const events = await decode(`${end}\n\ndata: {"a":2}\n\n`);
    expect(events.at(-1)).toEqual({ type: 'done' });
  },
);

test.each([
  ['a name', 'event: error\ndata: {"message":"Full"}\n\n', { message: 'Full' }],
  ['a name, without JSON', 'event: error\ndata: Full\n\n', undefined],
  ['a field', 'error: {"message":"Full"}\n\n', { message: 'Full' }],
])('an event that %s marks as an error is an error', async (_, text, data) => {
  expect(await decode(text)).toMatchObject([{ type: 'data', data, isError: true }]);
});

test('a body without any event counts as one event that is not JSON', async () => {
  expect(await decode('The model crashed.\nSorry.')).toEqual([
    { type: 'data', text: 'The model crashed.\nSorry.\n', data: undefined, isError: false },
  ]);
});
