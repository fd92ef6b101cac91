/**
 * @file Waits until the first page has been painted. Code that is loaded after this wait doesn't delay the
 * first page.
 */

/**
 * Longest wait, ms. Without this limit, the wait might never end, because a hidden page is never painted and a busy page is
 * never idle.
 */
const PATIENCE = 1_000;

/** Resolves when the page has been painted and is idle, but after `PATIENCE` at the latest. */
export function afterFirstPaint(): Promise<void> {
  painted ??= new Promise((resolve) => {
    setTimeout(resolve, PATIENCE);
    // The first callback runs before the paint, and the second callback runs after the paint.
    requestAnimationFrame(() => requestAnimationFrame(() => whenIdle(resolve)));
  });
  return painted;
}

let painted: Promise<void> | null = null;

function whenIdle(then: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(() => then(), { timeout: PATIENCE });
  else setTimeout(then);
}
