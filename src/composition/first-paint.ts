/** @file When the page stands there: what comes later must not compete with showing it. */

/** ms after which a page that is never drawn, since nobody looks at it, or never idle counts as drawn. */
const PATIENCE = 1_000;

/** Resolves once the page has been drawn and has nothing else to do, or has had its time. */
export function afterFirstPaint(): Promise<void> {
  drawn ??= new Promise((resolve) => {
    setTimeout(resolve, PATIENCE);
    // The frame that is asked for now shows what stands there; in the one after it that has been drawn.
    requestAnimationFrame(() => requestAnimationFrame(() => whenIdle(resolve)));
  });
  return drawn;
}

let drawn: Promise<void> | null = null;

/** Not every browser tells when it is idle. */
function whenIdle(then: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(() => then(), { timeout: PATIENCE });
  else setTimeout(then);
}
