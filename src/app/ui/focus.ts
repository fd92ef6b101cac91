/**
 * @file Keeps the keyboard focus on the page. When the focused element disappears or is disabled, the browser would focus
 * the body, and the next Tab would start at the top.
 */

/** Dialogs, menus and open lists, which handle Escape themselves. */
const OPEN = ['dialog[open]', ':popover-open', 'select:open'].filter((part) => CSS.supports(`selector(${part})`));

/** Whether a dialog, menu or list is open. */
export function hasOpenLayer(): boolean {
  return document.querySelector(OPEN.join(', ')) !== null;
}

function focusOn(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex') && element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/**
 * Focuses the nearest heading when the focused element disappears or is disabled. A component with a better target moves the
 * focus first.
 * @returns a function that stops watching the focus
 */
export function keepFocus(): () => void {
  const ending = new AbortController();
  /** The focused element and its ancestors, nearest first. */
  let chain: readonly HTMLElement[] = [];
  let frame = 0;

  const check = () => {
    frame = 0;
    const [last] = chain;
    if (!last || (document.activeElement && document.activeElement !== document.body)) return;
    const isLost = !last.isConnected || last.matches(':disabled');
    const home = isLost && !hasOpenLayer() ? headingNear(chain) : null;
    chain = [];
    if (home) focusOn(home);
  };
  const later = () => {
    if (frame === 0 && chain.length > 0) frame = requestAnimationFrame(check);
  };
  const { signal } = ending;
  document.addEventListener('focusin', ({ target }) => (chain = ancestorsOf(target)), { signal });
  document.addEventListener('focusout', later, { signal });
  // Not every browser fires `focusout` when a focused element is removed.
  const observer = new MutationObserver(() => document.activeElement === document.body && later());
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  return () => {
    ending.abort();
    observer.disconnect();
    cancelAnimationFrame(frame);
  };
}

function ancestorsOf(target: EventTarget | null): readonly HTMLElement[] {
  const chain: HTMLElement[] = [];
  for (let element = target instanceof HTMLElement ? target : null; element; element = element.parentElement)
    chain.push(element);
  return chain;
}

function headingNear(chain: readonly HTMLElement[]): HTMLElement | null {
  for (const element of chain) {
    const heading = element.isConnected ? element.querySelector<HTMLElement>('h1, h2, h3') : null;
    if (heading) return heading;
  }
  return null;
}
