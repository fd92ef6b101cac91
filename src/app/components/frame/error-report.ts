/** @file What a report of a page's error says: enough to find it in the code, and nothing that the user typed or was given. */

/** Long enough for any word of a sentence, too short for a key. */
const LONGEST_WORD = 24;
const MOST_LINES = 12;

/**
 * Name, message and places in the code. Keys have no place in it: whatever is longer than a word is left out of the message, and
 * of the stack only the names of the page's own files stay.
 * @param path of the page, without its query
 */
export function errorReport(error: unknown, path: string, version: string): string {
  const name = error instanceof Error ? error.name : typeof error;
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const places = [...stack.matchAll(/([\w-]+\.(?:m?js|ts|svelte))(?:\?[^\s:)]*)?:(\d+):(\d+)/g)].map(
    ([, file = '', line = '', column = '']) => `  at ${file}:${line}:${column}`,
  );
  return [
    `Podium ${version}, page ${shortened(path.slice(0, 80))}`,
    `${name}: ${shortened(message.slice(0, 300))}`,
    ...places.slice(0, MOST_LINES),
  ].join('\n');
}

function shortened(text: string): string {
  return text.replace(/[^\s/]+/g, (word) => (word.length > LONGEST_WORD ? '…' : word));
}
