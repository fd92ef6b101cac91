/**
 * @file Reads the text of a response's body up to a limit.
 */

/** Returns the text of the body, or `null` if the body has more than `most` bytes. Rejects if reading fails. */
export async function readText(response: Response, most: number): Promise<string | null> {
  const { text, isWhole } = await readStart(response, most);
  return isWhole ? text : null;
}

/** Reads at most `most` bytes of a body as text. If the body has more, cancels it, and `isWhole` is false. */
export async function readStart(response: Response, most: number): Promise<{ text: string; isWhole: boolean }> {
  if (response.body === null) return { text: '', isWhole: true };
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let left = most;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(decoder.decode(value.subarray(0, left), { stream: true }));
    left -= value.byteLength;
    if (left < 0) {
      void reader.cancel().catch(() => undefined);
      return { text: parts.join(''), isWhole: false };
    }
  }
  return { text: parts.join('') + decoder.decode(), isWhole: true };
}
