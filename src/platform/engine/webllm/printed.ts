/**
 * @file Keeps the error that a library printed before it stopped. A library prints its errors to the console, and then throws an
 * object without a reason, such as `ExitStatus`.
 */

/** The mark of the line with the reason. Lines with a stack trace follow. */
const FATAL = '[FATAL]';
const LONGEST = 1_000;

/**
 * Listens to the console. WebLLM keeps a reference to the console's functions, so call this before WebLLM is loaded.
 * @returns a function that returns the error printed since the last call, or `''`
 */
export function listenForErrors(target: Pick<Console, 'error' | 'warn'> = console): () => string {
  let printed = '';
  for (const method of ['error', 'warn'] as const) {
    const original = target[method].bind(target);
    target[method] = (...parts: unknown[]) => {
      const text = parts.map(String).join(' ');
      const at = text.indexOf(FATAL);
      if (at >= 0) printed = text.slice(at + FATAL.length).trim();
      else if (printed !== '' && printed.length < LONGEST) printed += `\n${text}`;
      original(...parts);
    };
  }
  return () => {
    const taken = printed.slice(0, LONGEST);
    printed = '';
    return taken;
  };
}
