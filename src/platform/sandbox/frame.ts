/**
 * @file The walls: the sandboxed frame in which a code worker is born. Pure text, because the build reads it too: a `srcdoc`
 * frame inherits the page's Content Security Policy, which must admit this very script by its hash.
 */

/**
 * Waits for the files and a port, makes the worker and steps aside. The worker inherits the frame's opaque origin and its
 * policy. The page's policy admits this script in the page as well, so outside of a sandbox it does nothing.
 */
export const BOOTSTRAP = `if (self.origin === 'null') {
  addEventListener('message', ({ data, ports: [talk, alarm] }) => {
    const worker = new Worker(URL.createObjectURL(data.script));
    worker.onerror = (event) => alarm.postMessage(event.message ?? '');
    worker.postMessage(data.files, [talk]);
  }, { once: true });
}`;

/** What the frame and all that is born in it may do. The page's own policy holds on top of it. */
export function framePolicy(bootstrapHash: string): string {
  return [
    "default-src 'none'",
    `script-src '${bootstrapHash}' 'wasm-unsafe-eval'`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** The frame's whole document. */
export function frameDocument(bootstrapHash: string): string {
  const policy = `<meta http-equiv="Content-Security-Policy" content="${framePolicy(bootstrapHash)}">`;
  return `<!doctype html>${policy}<title>Sandbox</title><script>${BOOTSTRAP}</script>`;
}
