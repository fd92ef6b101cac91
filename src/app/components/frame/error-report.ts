/** @file Builds the report of a page's error: enough to find it in the code, and nothing the user typed or received. */

/** Longest word kept: long enough for prose, too short for a key. */
const LONGEST_WORD = 24;
const MOST_LINES = 12;

/**
 * Name, message and code locations. Keys can't be in it: anything longer than a word is removed from the message, and
 * the stack is reduced to the names of the page's own files.
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
