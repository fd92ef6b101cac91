/**
 * @file A small byte-level tokenizer with the interface of WebLLM's tokenizer. It has a token for each byte, for some longer texts
 * and for each special marker.
 */

const SPECIAL = ['<|im_start|>', '<|im_end|>', '<think>', '</think>'];
const LONGER = [
  ' a', ' the', 'er', ' of', '\n\n', '\n', ' \n', '    ', '  ', '",', '", "', '"]', ' "', '."', '.', '...', '\\n', '\\n\\n', '\\u', '\\"',
  'model', '_id', '_id = [', ' = [', 'model_id', ']\n', '[]', '\nmodel', 'sub', 'tasks', 'access_list', 'é', '求', '😀', '0, ', '0,', '00',
]; // prettier-ignore

const encoder = new TextEncoder();
/** The bytes of each token, with one character per byte. */
const TOKENS: readonly string[] = [
  ...Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)),
  ...LONGER.filter((text) => encoder.encode(text).length > 1).map((text) => latin(text)),
  ...SPECIAL,
];
const IDS = new Map(TOKENS.map((token, id) => [token, id]));
const LONGEST = Math.max(...TOKENS.map((token) => token.length));

/** Number of logits. As in real models, there are more logits than tokens. */
export const VOCABULARY_SIZE = Math.ceil((TOKENS.length + 20) / 32) * 32;
export const STOP_TOKEN = TOKENS.indexOf('<|im_end|>');

export class SimulatedTokenizer {
  encode(text: string): Int32Array {
    const bytes = latin(text);
    const ids: number[] = [];
    for (let at = 0; at < bytes.length;) {
      let length = Math.min(LONGEST, bytes.length - at);
      while (!IDS.has(bytes.slice(at, at + length))) length--;
      ids.push(IDS.get(bytes.slice(at, at + length)) ?? 0);
      at += length;
    }
    return Int32Array.from(ids);
  }

  decode(ids: Int32Array): string {
    const bytes = Array.from(ids, (id) => TOKENS[id] ?? '').join('');
    return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
  }

  getVocabSize(): number {
    return TOKENS.length;
  }

  /** The text of a token, with GPT-2's characters for unprintable bytes. */
  idToToken(id: number): string {
    return Array.from(TOKENS[id] ?? '', (character) => WRITTEN.get(character) ?? character).join('');
  }

  dispose(): void {}
}

function latin(text: string): string {
  return String.fromCharCode(...encoder.encode(text));
}

const WRITTEN = new Map<string, string>();
for (let byte = 0; byte < 256; byte++) {
  const prints = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  if (!prints) WRITTEN.set(String.fromCharCode(byte), String.fromCharCode(256 + WRITTEN.size));
}
