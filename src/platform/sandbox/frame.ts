/**
 * @file The HTML document of the sandboxed frame in which code runs, and its Content Security
 * Policy (CSP). A `srcdoc` frame also inherits the page's CSP, which therefore must allow the
 * frame's script by its hash. The script is a constant, so that the build can compute this hash.
 */

/** Name of the Trusted Types policy with which the frame and the guard create Web Worker URLs. */
export const WORKER_POLICY = 'podium-sandbox-worker';

/**
 * The frame's script. When a message with files and ports arrives, starts the guard
 * (runtime/guard.ts) in a Web Worker. The guard starts the Python runtime in another Web Worker.
 * Both inherit the frame's opaque origin and its CSP. The page's CSP allows this script outside the
 * frame too. The script does nothing there, because the origin is not opaque.
 */
export const BOOTSTRAP = `if (self.origin === 'null') {
  addEventListener('message', ({ data, ports: [talk, alarm] }) => {
    const address = URL.createObjectURL(data.guard);
    const policy = self.trustedTypes?.createPolicy('${WORKER_POLICY}', { createScriptURL: () => address });
    const worker = new Worker(policy ? policy.createScriptURL('') : address);
    worker.onerror = (event) => alarm.postMessage(String(event.message).slice(0, 500));
    worker.postMessage(data.files, [talk]);
  }, { once: true });
}`;

/** The CSP of the frame and of its Web Workers. The page's CSP applies to them too. */
export function framePolicy(bootstrapHash: string): string {
  return [
    "default-src 'none'",
    `script-src '${bootstrapHash}' 'wasm-unsafe-eval'`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${WORKER_POLICY}`,
  ].join('; ');
}

/** The HTML of the frame. */
export function frameDocument(bootstrapHash: string): string {
  const policy = `<meta http-equiv="Content-Security-Policy" content="${framePolicy(bootstrapHash)}">`;
  return `<!doctype html>${policy}<title>Sandbox</title><script>${BOOTSTRAP}</script>`;
}
