/** @file When the first page has been painted: what is loaded later must not compete with it. */

/** ms after which a page counts as painted although it is hidden or never idle. */
const PATIENCE = 1_000;

/** Resolves once the page has been painted and is idle, or after `PATIENCE`. */
export function afterFirstPaint(): Promise<void> {
  painted ??= new Promise((resolve) => {
    setTimeout(resolve, PATIENCE);
    // The first callback runs before the paint, the second after it.
    requestAnimationFrame(() => requestAnimationFrame(() => whenIdle(resolve)));
  });
  return painted;
}

let painted: Promise<void> | null = null;

/** Not every browser has `requestIdleCallback`. */
function whenIdle(then: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(() => then(), { timeout: PATIENCE });
  else setTimeout(then);
}
