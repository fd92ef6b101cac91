/**
 * @file Functions that run in the page. Each function is self-contained, because the driver sends only the
 * source text of the function.
 */

declare global {
  interface Window {
    /** The newest file that the page has offered as a download. */
    keptDownload?: Blob;
  }
}

/**
 * Keeps the newest file that the page offers as a download, because not every driver can save
 * downloads.
 */
export function keepDownload(): void {
  const make = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (object) => {
    if (object instanceof Blob) window.keptDownload = object;
    return make(object);
  };
}

/**
 * @returns the text of the newest file, decompressed if needed, or `''` if the page has offered no file yet
 */
export async function readDownload(): Promise<string> {
  const file = window.keptDownload;
  if (!file) return '';
  const [first, second] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  const isGzip = first === 0x1f && second === 0x8b;
  return new Response(isGzip ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file).text();
}

/** Whether the service worker is active, which means that the page is cached. Waits up to 500 ms. */
export function offlineReady(): Promise<boolean> {
  return Promise.race([
    navigator.serviceWorker.ready.then(({ active }) => active?.state === 'activated'),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 500)),
  ]);
}

/** Width of the window, and the overflow of its content, CSS px. */
export function overflow(): { width: number; over: number } {
  const { scrollWidth, clientWidth } = document.documentElement;
  return { width: innerWidth, over: Math.max(0, scrollWidth - clientWidth) };
}
