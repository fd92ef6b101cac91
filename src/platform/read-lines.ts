/**
 * @file Decodes a stream of bytes as text or as lines. Keeps only the current line and the current chunk in memory.
 */
import { TextReader } from '../core/contract/text-encoding';

/** Decodes a stream piece by piece. Leaving the loop early cancels the stream. */
export async function* readText(
  stream: ReadableStream<Uint8Array>,
  decoder: TextReader,
): AsyncGenerator<string, void, undefined> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield decoder.decode(read.value);
    yield decoder.finish();
  } finally {
    await reader.cancel();
  }
}

/**
 * @param longest maximum length of a line in UTF-16 units
 * @param decoder by default, detects the encoding
 * @yields each line without its `\n`, or `null` for a line longer than `longest`. Leaving the loop
 *   early cancels the stream
 */
export async function* readLines(
  stream: ReadableStream<Uint8Array>,
  longest: number,
  decoder = new TextReader(),
): AsyncGenerator<string | null, void, undefined> {
  let parts: string[] = [];
  let length = 0;
  const add = (part: string) => {
    length += part.length;
    if (length > longest) parts = [];
    else parts.push(part);
  };
  const flush = () => {
    const line = length > longest ? null : parts.join('');
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of readText(stream, decoder)) {
    const pieces = chunk.split('\n');
    const rest = pieces.pop() ?? '';
    for (const piece of pieces) {
      add(piece);
      yield flush();
    }
    add(rest);
  }
  if (length > 0) yield flush();
}
