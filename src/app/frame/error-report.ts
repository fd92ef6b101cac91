/** @file Builds an error report that suffices to find the error in the code, but contains no API keys or long texts. */

/** Maximum length of a word, in UTF-16 units: long enough for prose, too short for a key. Longer words become an ellipsis. */
const LONGEST_WORD = 24;
const MOST_LINES = 12;

/**
 * Returns the error's name, its message and its code locations. To keep API keys out, the message is cut to 300 UTF-16 units,
 * its long words are replaced by ellipses, and the stack is reduced to file names with lines and columns.
 * @param path path of the page, without its query
 */
export function errorReport(error: unknown, path: string, version: string): string {
  const name = error instanceof Error ? error.name : typeof error;
  const message = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const places = [...stack.matchAll(/(?<![\w-])([\w-]+\.(?:m?js|ts|svelte))(?:\?[^\s:)]*)?:(\d+):(\d+)/g)].map(
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
