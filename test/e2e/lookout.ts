/**
 * @file Watches a browser context for anything that leaves or runs because of what a model said: requests, connections,
 * windows, frames, dialogs, script, refusals of the page's policy, and elements that only an attack would have made.
 */
import { createServer, type AddressInfo, type Server } from 'node:net';
import type { BrowserContext, Page } from '@playwright/test';
import { expect } from './podium';

declare global {
  interface Window {
    /** Tells the test what happened in a page that should not. */
    tellStrange?: (what: string) => Promise<void>;
  }
}

/** Every connection that reaches it is a leak. */
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

  /** Address without a path. */
  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
  }
}

export interface Found {
  /** What left, ran or stood in the page that should not. */
  readonly strange: readonly string[];
  /** What the page's policy refused: nothing left, but something had tried. */
  readonly refused: readonly string[];
  /** What reached the trap. */
  readonly caught: readonly string[];
}

export class Lookout {
  readonly #page: Page;
  readonly #trap: Trap;
  readonly #strange: string[] = [];
  readonly #refused: string[] = [];

  private constructor(page: Page, trap: Trap) {
    this.#page = page;
    this.#trap = trap;
  }

  /**
   * Call before the page is opened.
   * @param calls base URL of the only server beyond the page's own that may be called
   */
  static async post(page: Page, trap: Trap, { home, calls }: { home: string; calls: string }): Promise<Lookout> {
    const lookout = new Lookout(page, trap);
    const note = (what: string) => lookout.#strange.push(what);
    const context: BrowserContext = page.context();
    context.on('request', (request) => {
      const url = request.url();
      const isCall = url === `${calls}/chat/completions` || url === `${calls}/models`;
      const isOwn =
        url.startsWith(`${home}/`) && /^\/(?:assets\/[\w.-]+|icon\.svg|sw\.js)?$/.test(new URL(url).pathname);
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
    await page.exposeFunction('tellStrange', (what: string) => {
      (what.startsWith('refused') ? lookout.#refused : lookout.#strange).push(what);
    });
    await page.addInitScript(watchPage);
    return lookout;
  }

  /** What has happened since the page was opened. */
  async found(): Promise<Found> {
    const strange = [...this.#strange, ...(await this.#page.evaluate(findStrange))];
    return { strange, refused: this.#refused, caught: this.#trap.caught };
  }

  /** Fails if anything has happened since the page was opened. */
  async expectCalm(): Promise<void> {
    expect(await this.found()).toEqual({ strange: [], refused: [], caught: [] });
  }
}

/** Runs in the page, before anything else. */
function watchPage(): void {
  const tell = (what: string) => void window.tellStrange?.(what);
  Object.defineProperty(window, 'attacked', { set: () => tell('script: attacked') });
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    tell(`refused: ${violatedDirective} ${blockedURI} ${sample}`),
  );
}

/** Runs in the page: elements, attributes and properties that the page never makes by itself. */
function findStrange(): string[] {
  const strange: string[] = [];
  const never =
    'iframe, frame, frameset, object, embed, applet, portal, base, img, picture, source, video, audio, track, style, template, map, area, marquee, plaintext, body script, body meta, body link, body title, foreignObject, animate, set, use, image';
  for (const element of document.querySelectorAll(never)) strange.push(`element: ${element.outerHTML.slice(0, 200)}`);
  const saidByModels = '.markdown';
  const plain =
    'div,p,h4,h5,h6,strong,em,del,pre,code,span,a,b,i,br,hr,ul,ol,li,table,thead,tbody,tr,th,td,blockquote,math,math *';
  for (const element of document.querySelectorAll(`${saidByModels} *:not(${plain})`)) {
    strange.push(`element: ${element.outerHTML.slice(0, 200)}`);
  }
  for (const element of document.querySelectorAll('*')) {
    const isSaid = element.closest(saidByModels) !== null && !element.matches(saidByModels);
    for (const { name, value } of element.attributes) {
      const address = /^(?:href|src|srcset|action|formaction|ping|poster|background|data|xlink:href|manifest|srcdoc)$/i;
      if (/^on/i.test(name)) strange.push(`attribute: ${name}="${value}"`);
      if (isSaid && /^(?:id|name|style|target)$/i.test(name)) strange.push(`attribute: ${name}="${value}"`);
      if (isSaid && name === 'class' && !/^(?:block|tail)$/.test(value)) strange.push(`attribute: class="${value}"`);
      if (!address.test(name)) continue;
      const isOwn = new URL(value, location.href).origin === location.origin && !/leak/.test(value);
      if (isSaid || !isOwn) strange.push(`attribute: ${name}="${value}"`);
    }
  }
  if ('attacked' in {}) strange.push('every object has been attacked');
  if (!/ · Podium$/.test(document.title)) strange.push(`title: ${document.title}`);
  return strange;
}
