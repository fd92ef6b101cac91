/**
 * @file The document and policy of the sandboxed frame in which code runs. A `srcdoc` frame inherits the page's Content Security
 * Policy, so the page's policy must allow the document's script by its hash. The document is plain text, because the build
 * computes this hash.
 */

/** Name of the Trusted Types policy with which the frame and the guard create the addresses of their Web Workers. */
export const WORKER_POLICY = 'podium-sandbox-worker';

/**
 * Waits for a message with files and ports, and starts the guard (runtime/guard.ts), which starts the runtime. The guard and the
 * runtime inherit the frame's opaque origin and its policy. The page's policy also allows this script in the page itself, so the
 * script does nothing outside a sandbox.
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

/** The policy of the frame and its Web Workers. The page's own policy applies as well. */
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

/** The frame's whole document. */
export function frameDocument(bootstrapHash: string): string {
  const policy = `<meta http-equiv="Content-Security-Policy" content="${framePolicy(bootstrapHash)}">`;
  return `<!doctype html>${policy}<title>Sandbox</title><script>${BOOTSTRAP}</script>`;
}
