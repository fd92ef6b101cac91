/**
 * @file Detects effects of hostile text in the browser: requests, connections, windows, frames,
 * dialogs, scripts, violations of the page's CSP, and elements that only an attack creates.
 */
import { basename } from 'node:path';
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { BrowserContext, Page } from '@playwright/test';
import { expect } from './podium';

declare global {
  interface Window {
    /** Reports a forbidden effect in a page. */
    reportUnexpected?: (what: string) => Promise<void>;
    reportBlob?: (url: string, text: string) => Promise<void>;
  }
}

/** A server to which the page has no reason to connect. Every connection is a leak. */
export class Trap {
  readonly caught: string[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      this.caught.push('a connection');
      socket.on('data', (bytes) => this.caught.push(bytes.toString('latin1').split('\r\n')[0] ?? ''));
      socket.on('error', () => undefined);
    });
  }

  static async set(): Promise<Trap> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return new Trap(server);
  }

  /** The server's URL without a path. */
  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
  }
}

export interface Found {
  /** Forbidden requests, scripts and elements. */
  readonly strange: readonly string[];
  /** Violations of the page's CSP, which the browser blocked. */
  readonly refused: readonly string[];
  /** Connections to the trap, and the first lines of their requests. */
  readonly caught: readonly string[];
}

/** Number of effects of each kind, for the table that `corpus-table.ts` prints. */
export function countsOf({
  strange,
  caught,
}: Found): Record<'requests' | 'scripts' | 'dialogs' | 'navigations', number> {
  const count = (kinds: RegExp) => strange.filter((each) => kinds.test(each)).length;
  return {
    requests: Math.max(count(/^(?:request|socket|download): /), caught.length),
    scripts: count(/^(?:script|worker|every object)/),
    dialogs: count(/^dialog: /),
    navigations: count(/^(?:navigation|window|frame): /),
  };
}

/** Records all effects of hostile text in one page. */
export class Lookout {
  readonly #page: Page;
  readonly #trap: Trap;
  readonly #strange: string[] = [];
  readonly #refused: string[] = [];
  /** Addresses of blobs with a single line, which imports one of the page's own Web Workers. */
  readonly #ownBlobs = new Set<string>();

  private constructor(page: Page, trap: Trap) {
    this.#page = page;
    this.#trap = trap;
  }

  /**
   * Call this before the page is opened.
   * @param home origin of the page
   * @param calls base URL of the only other server that the page may call
   */
  static async post(page: Page, trap: Trap, { home, calls }: { home: string; calls: string }): Promise<Lookout> {
    const lookout = new Lookout(page, trap);
    const note = (what: string) => lookout.#strange.push(what);
    const context: BrowserContext = page.context();
    context.on('request', (request) => {
      const url = request.url();
      const isCall = url === `${calls}/chat/completions` || url === `${calls}/models`;
      const isOwn =
        url.startsWith(`${home}/`) &&
        /^\/(?:assets\/[\w.-]+|icon\.svg|sw\.js|manifest\.webmanifest|licences\.json)?$/.test(new URL(url).pathname);
      if (!isCall && !isOwn) note(`request: ${request.method()} ${url}`);
    });
    context.on('page', (opened) => note(`window: ${opened.url()}`));
    page.on('dialog', (dialog) => {
      note(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('frameattached', (frame) => note(`frame: ${frame.url()}`));
    page.on('framenavigated', (frame) => {
      if (!frame.url().startsWith(`${home}/`)) note(`navigation: ${frame.url()}`);
    });
    page.on('download', (download) => note(`download: ${download.url()}`));
    page.on('websocket', (socket) => note(`socket: ${socket.url()}`));
    page.on('worker', (worker) => note(`worker: ${worker.url()}`));
    await page.exposeFunction('reportBlob', (url: string, text: string) => {
      // The page's own Web Workers start from a blob with only this line.
      const [, program] = /^import "([^"]+)";$/.exec(text) ?? [];
      const isOwn =
        program?.startsWith(`${home}/assets/`) && /^(?:(?:markdown|index)-)?worker-[\w-]+\.js$/.test(basename(program));
      if (isOwn) lookout.#ownBlobs.add(url);
    });
    await page.exposeFunction('reportUnexpected', (what: string) => {
      (what.startsWith('refused') ? lookout.#refused : lookout.#strange).push(what);
    });
    await page.addInitScript(watchPage);
    return lookout;
  }

  /** All effects since the page was opened. */
  async found(): Promise<Found> {
    const isOwn = (what: string) => this.#ownBlobs.has(what.replace(/^(?:worker: |request: GET )/, ''));
    const strange = [...this.#strange.filter((what) => !isOwn(what)), ...(await this.#page.evaluate(findStrange))];
    return { strange, refused: this.#refused, caught: this.#trap.caught };
  }

  /** Fails if there was any effect since the page was opened. */
  async expectCalm(): Promise<void> {
    // Polls until the page's own Web Workers are recognized. Effects of an attack would remain.
    await expect.poll(() => this.found()).toEqual({ strange: [], refused: [], caught: [] });
  }
}

/** Runs in the page before the code of the page. */
function watchPage(): void {
  const report = (what: string) => void window.reportUnexpected?.(what);
  const texts = new WeakMap<object, string>();
  // Records the text at once. A blob can be read only asynchronously, and the page may close before that.
  window.Blob = class extends Blob {
    constructor(parts: BlobPart[] = [], options?: BlobPropertyBag) {
      super(parts, options);
      const [only] = parts;
      if (parts.length === 1 && typeof only === 'string') texts.set(this, only);
    }
  };
  const make = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (object) => {
    const url = make(object);
    const text = texts.get(object);
    if (text !== undefined) void window.reportBlob?.(url, text);
    return url;
  };
  Object.defineProperty(window, 'attacked', { set: () => report('script: attacked') });
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    report(`refused: ${violatedDirective} ${blockedURI} ${sample}`),
  );
}

/** Runs in the page. Finds elements, attributes and properties that Podium never creates. */
function findStrange(): string[] {
  const strange: string[] = [];
  const never =
    'iframe, frame, frameset, object, embed, applet, portal, base, img, picture, source, video, audio, track, style, template, map, area, marquee, plaintext, body script, body meta, body link, body title, foreignObject, animate, set, use, image';
  for (const element of document.querySelectorAll(never)) strange.push(`element: ${element.outerHTML.slice(0, 200)}`);
  const modelText = '.markdown';
  const plain =
    'div,p,h4,h5,h6,strong,em,del,pre,code,span,a,b,i,br,hr,ul,ol,li,table,thead,tbody,tr,th,td,blockquote,math,math *';
  for (const element of document.querySelectorAll(`${modelText} *:not(${plain})`)) {
    strange.push(`element: ${element.outerHTML.slice(0, 200)}`);
  }
  for (const element of document.querySelectorAll('*')) {
    const isModelText = element.closest(modelText) !== null && !element.matches(modelText);
    for (const { name, value } of element.attributes) {
      const address = /^(?:href|src|srcset|action|formaction|ping|poster|background|data|xlink:href|manifest|srcdoc)$/i;
      if (/^on/i.test(name)) strange.push(`attribute: ${name}="${value}"`);
      if (isModelText && /^(?:id|name|style|target)$/i.test(name)) strange.push(`attribute: ${name}="${value}"`);
      if (isModelText && name === 'class' && !/^(?:block(?: long)?|tail|plain)$/.test(value))
        strange.push(`attribute: class="${value}"`);
      if (!address.test(name)) continue;
      const isOwn = new URL(value, location.href).origin === location.origin && !/leak/.test(value);
      // The page's only link to another site.
      const isPaper = value === 'https://arxiv.org/abs/2512.04388';
      if (isModelText || !(isOwn || isPaper)) strange.push(`attribute: ${name}="${value}"`);
    }
  }
  if ('attacked' in {}) strange.push('every object has been attacked');
  if (!/ · Podium$/.test(document.title)) strange.push(`title: ${document.title}`);
  return strange;
}
