/**
 * @file Splits a UTF-8 stream into lines. Keeps only the current line and the current chunk in
 * memory.
 */

/**
 * @param longest maximum length of a line in UTF-16 units
 * @yields each line without its `\n`, or `null` for a line longer than `longest`. Leaving the loop
 *   early cancels the stream
 */
export async function* readLines(
  stream: ReadableStream<Uint8Array>,
  longest: number,
): AsyncGenerator<string | null, void, undefined> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
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
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const pieces = decoder.decode(read.value, { stream: true }).split('\n');
      const rest = pieces.pop() ?? '';
      for (const piece of pieces) {
        add(piece);
        yield flush();
      }
      add(rest);
    }
    add(decoder.decode());
    if (length > 0) yield flush();
  } finally {
    await reader.cancel();
  }
}
