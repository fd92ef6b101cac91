/**
 * @file Runs programs in pages of a headless Chromium. Each page has the same sandbox as the app, and runs one
 * program at a time. Several pages are open, so that several programs run at once. The browser is started when
 * the first program runs.
 */
import PQueue from 'p-queue';
import type { Browser } from 'playwright-core';
import {
  abortError,
  unlessAborted,
  type CodeFault,
  type CodeOutcome,
  type CodeRequest,
  type CodeRunner,
  type CodeSession,
} from '../../core/contract';
import type { PageServer } from '../page-server';
import { openProgramPage, serveProgramPage, type PageDeadlines, type ProgramPage } from './program-page';

export interface ChromiumRunnerOptions {
  readonly executable: string;
  /** Folder of the built page that runs programs. */
  readonly folder: string;
  /** Maximum number of programs that run at the same time. */
  readonly pages: number;
  /** Default: `DEADLINES`. */
  readonly deadlines?: PageDeadlines;
}

/** These times are long enough for slow machines. The page itself waits up to 150 s for Python. */
const DEADLINES: PageDeadlines = { open: 60_000, answer: 240_000, grace: 60_000 };

/** A runner that must be closed, because it starts a browser. */
export interface ChromiumRunner extends CodeRunner {
  /** Ends the programs, the browser and the server of the page. */
  close(): Promise<void>;
}

export function createChromiumRunner(options: ChromiumRunnerOptions): ChromiumRunner {
  return new PageRunner(options);
}

/** Maximum length of the reason in an error message, in UTF-16 units. */
const MOST_REASON = 300;

interface Started {
  readonly browser: Browser;
  readonly server: PageServer;
}

class PageRunner implements ChromiumRunner {
  readonly #options: ChromiumRunnerOptions;
  readonly #queue: PQueue;
  #started: Promise<Started> | null = null;
  #free: ProgramPage[] = [];

  constructor(options: ChromiumRunnerOptions) {
    this.#options = options;
    this.#queue = new PQueue({ concurrency: options.pages });
  }

  run(code: string, request: CodeRequest, signal: AbortSignal): Promise<CodeOutcome> {
    return this.#withPage(signal, (page) => page.run(null, code, request, signal), failedOutcome);
  }

  open(signal: AbortSignal): Promise<CodeSession> {
    return new Promise((resolve, reject) => {
      const use = async (page: ProgramPage) => {
        const session = await page.open(signal);
        await new Promise<void>((closed) => {
          const close = () => {
            page.close(session);
            closed();
          };
          const run = (code: string, request: CodeRequest, stop: AbortSignal) =>
            page.run(session, code, request, stop).catch((thrown: unknown) => {
              if (stop.aborted) throw abortError();
              return failedOutcome(thrown);
            });
          resolve({ run, close });
        });
      };
      const fail = (thrown: unknown) => {
        resolve({ run: () => Promise.resolve(failedOutcome(thrown)), close: () => undefined });
      };
      this.#withPage(signal, use, fail).catch(reject);
    });
  }

  dispose(): void {
    void this.close();
  }

  async close(): Promise<void> {
    const started = this.#started;
    this.#started = null;
    this.#free = [];
    await started?.then(
      async ({ browser, server }) => {
        await browser.close();
        await server.close();
      },
      () => undefined,
    );
  }

  /**
   * Waits until fewer than `pages` programs run, then uses an idle page or opens a page. Throws an `AbortError` when the signal
   * aborts.
   * @param lost makes the result if the browser or the page fails
   */
  async #withPage<T>(
    signal: AbortSignal,
    use: (page: ProgramPage) => Promise<T>,
    lost: (thrown: unknown) => T,
  ): Promise<T> {
    try {
      // The queue does not get the signal. With the signal, it would start the next program as soon as this program is aborted,
      // although this program still uses a page.
      const work = this.#queue.add(async () => {
        if (signal.aborted) throw abortError();
        const page = this.#freePage() ?? (await this.#openPage());
        try {
          return await use(page);
        } finally {
          if (page.isUsable) this.#free.push(page);
          else page.discard();
        }
      });
      return await unlessAborted(work, signal);
    } catch (thrown) {
      if (signal.aborted) throw abortError();
      return lost(thrown);
    }
  }

  #freePage(): ProgramPage | undefined {
    this.#free = this.#free.filter((page) => page.isUsable);
    return this.#free.pop();
  }

  async #openPage(): Promise<ProgramPage> {
    const { browser, server } = await this.#running();
    return openProgramPage(browser, server.url, this.#options.deadlines ?? DEADLINES);
  }

  /** Returns the running browser and the server of the page. If the browser is not running, starts both. */
  async #running(): Promise<Started> {
    const last = this.#started;
    const found = await last?.catch(() => null);
    if (found?.browser.isConnected() === true) return found;
    if (this.#started === last) {
      this.#started = null;
      await found?.server.close();
    }
    return (this.#started ??= this.#start());
  }

  async #start(): Promise<Started> {
    const { chromium } = await import('playwright-core');
    const server = await serveProgramPage(this.#options.folder);
    try {
      const browser = await chromium.launch({
        executablePath: this.#options.executable,
        // Chromium's own sandbox can't be used by root.
        chromiumSandbox: process.getuid?.() !== 0,
        // Programs in the sandbox have no network. As an additional protection, the browser itself reaches only this machine.
        args: [
          '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
          '--disable-background-networking',
          '--no-first-run',
        ],
        handleSIGINT: false,
        handleSIGTERM: false,
        handleSIGHUP: false,
        env: withoutSecrets(process.env),
      });
      return { browser, server };
    } catch (thrown) {
      await server.close();
      throw thrown;
    }
  }
}

/** The environment of the browser, without variables whose names suggest keys or other secrets. */
function withoutSecrets(environment: NodeJS.ProcessEnv): Record<string, string> {
  const isSecret = /key|token|secret|password/i;
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || isSecret.test(name) ? [] : [[name, value]],
    ),
  );
}

function failedOutcome(thrown: unknown): CodeOutcome {
  const fault: CodeFault = {
    kind: 'could-not-start',
    message: `Couldn’t run Python in Chromium. (${reasonOf(thrown)})`,
  };
  return { ok: false, stdout: '', stderr: '', fault, time: 0 };
}

/**
 * The reason of a failure in one line. If the browser did not start, Playwright’s message contains the browser's output. The
 * first line of this output usually names the reason.
 */
function reasonOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const printed = /\[err\] *(\S.*)$/m.exec(text)?.[1];
  const reason = printed ?? text.split('\n')[0]?.replace(/^browserType\.launch: /, '') ?? '';
  return reason.slice(0, MOST_REASON);
}
