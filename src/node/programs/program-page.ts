/** @file One page in Chromium with its own sandbox. The page runs one program at a time. */
import { createHash } from 'node:crypto';
import type { Browser, BrowserContext, JSHandle, Page } from 'playwright-core';
import * as z from 'zod/mini';
import {
  abortError,
  fault,
  FaultError,
  unlessAborted,
  type CodeFault,
  type CodeOutcome,
  type CodeRequest,
} from '../../core/contract';
import { systemClock } from '../../platform/clock';
import { BOOTSTRAP } from '../../platform/sandbox/frame';
import { waitAtMost } from '../../platform/workers/patience';
import { servePage, type PageServer } from '../page-server';
import type { ProgramRoom } from './page/program-room';

/** The results of a page are validated, because the page's process has run untrusted programs. */
const outcomeSchema = z.object({
  ok: z.boolean(),
  stdout: z.string(),
  stderr: z.string(),
  result: z.optional(z.string()),
  fault: z.optional(
    z.object({
      kind: z.enum(['error', 'crashed', 'time-limit', 'memory-limit', 'output-limit', 'tampered', 'could-not-start']),
      message: z.string(),
    }),
  ),
  time: z.number(),
});

/** Time limits for a page, in ms. */
export interface PageDeadlines {
  /** Time for opening a page. */
  readonly open: number;
  /** Time for answering a call that starts Python, in addition to the time limit of the program. */
  readonly answer: number;
  /**
   * Time for answering a call in a session, in addition to the time limit of the program. Python is running, so the page answers
   * at the time limit.
   */
  readonly grace: number;
}

/** Lets the page load files only from its server. The sandbox in the page inherits this policy and adds stricter rules. */
const POLICY = [
  "default-src 'none'",
  `script-src 'self' 'wasm-unsafe-eval' 'sha256-${createHash('sha256').update(BOOTSTRAP).digest('base64')}'`,
  "connect-src 'self'",
  'worker-src blob:',
].join('; ');

/** Serves the built page that runs programs, on a free port. Rejects if the folder can't be read. */
export function serveProgramPage(folder: string): Promise<PageServer> {
  const headers = { 'content-security-policy': POLICY, 'cache-control': 'max-age=86400' };
  return servePage(folder, { port: 0, headers: () => headers });
}

/**
 * Opens a page in a new browser context, and waits for its script. With separate contexts, pages share neither storage nor a
 * process. Rejects if the page can't be loaded in time.
 */
export async function openProgramPage(browser: Browser, url: string, deadlines: PageDeadlines): Promise<ProgramPage> {
  const opening = browser.newContext();
  try {
    const late = () => fault('timeout', `The page did not open within ${seconds(deadlines.open)} seconds.`);
    const { page, room } = await waitAtMost(load(opening, url), deadlines.open, late, systemClock);
    return new ProgramPage(page, room, deadlines);
  } catch (thrown) {
    opening.then((context) => context.close()).catch(() => undefined);
    throw thrown;
  }
}

async function load(opening: Promise<BrowserContext>, url: string) {
  const page = await (await opening).newPage();
  await page.goto(url, { timeout: 0 });
  const room = await page.evaluateHandle(() => {
    if (!globalThis.podiumPrograms) throw new Error('The page that runs programs did not start.');
    return globalThis.podiumPrograms;
  });
  return { page, room };
}

function seconds(ms: number): number {
  return Math.ceil(ms / 1000);
}

export class ProgramPage {
  readonly #page: Page;
  readonly #room: JSHandle<ProgramRoom>;
  readonly #deadlines: PageDeadlines;
  #hasFailed = false;
  #hasCrashed = false;

  constructor(page: Page, room: JSHandle<ProgramRoom>, deadlines: PageDeadlines) {
    this.#page = page;
    this.#room = room;
    this.#deadlines = deadlines;
    page.once('crash', () => (this.#hasCrashed = true));
  }

  /** `false` after a failure or an abort, because the program may still be running. */
  get isUsable(): boolean {
    return !this.#hasFailed && !this.#page.isClosed();
  }

  /** Closes the page for good, which ends its programs. */
  discard(): void {
    this.#page
      .context()
      .close()
      .catch(() => undefined);
  }

  /**
   * Opens an interpreter, and returns the number of its session. Throws an `AbortError` when the signal aborts, and an `Error`
   * if the page is lost or does not answer in time.
   */
  open(signal: AbortSignal): Promise<number> {
    return this.#call(() => this.#room.evaluate((room) => room.open()), this.#deadlines.answer, signal);
  }

  /**
   * Runs one piece of code. Throws like `open`. If a piece of a session makes the page crash or hang, the outcome has the fault,
   * because Python was running.
   * @param session from `open`. `null`: an interpreter for this piece of code only
   */
  async run(session: number | null, code: string, request: CodeRequest, signal: AbortSignal): Promise<CodeOutcome> {
    const { timeLimit, memoryLimit, outputLimit, stdin } = request;
    const limits: CodeRequest = {
      timeLimit,
      ...(memoryLimit === undefined ? {} : { memoryLimit }),
      ...(outputLimit === undefined ? {} : { outputLimit }),
      ...(stdin === undefined ? {} : { stdin }),
    };
    const work = async (): Promise<CodeOutcome> => {
      const found = await this.#room.evaluate((room, [at, text, order]) => room.run(at, text, order), [
        session,
        code,
        limits,
      ] as const);
      const { result, fault: reason, ...outcome } = outcomeSchema.parse(found);
      // This page could not start Python. Another page may be able to, so this page is not used again.
      if (reason?.kind === 'could-not-start') this.#hasFailed = true;
      return { ...outcome, ...(result === undefined ? {} : { result }), ...(reason ? { fault: reason } : {}) };
    };
    if (session === null) return this.#call(work, timeLimit + this.#deadlines.answer, signal);
    const startedAt = systemClock.monotonic();
    try {
      return await this.#call(work, timeLimit + this.#deadlines.grace, signal);
    } catch (thrown) {
      const found = signal.aborted ? null : this.#faultOfProgram(thrown, timeLimit);
      if (!found) throw thrown;
      return { ok: false, stdout: '', stderr: '', fault: found, time: systemClock.monotonic() - startedAt };
    }
  }

  /** The fault of a program that stopped the page. `null`: something else stopped the page, for example the browser was closed. */
  #faultOfProgram(thrown: unknown, timeLimit: number): CodeFault | null {
    if (this.#hasCrashed) return { kind: 'crashed', message: 'It crashed the browser process in which it ran.' };
    const isLate = thrown instanceof FaultError && thrown.fault.code === 'timeout';
    return isLate
      ? { kind: 'time-limit', message: `It did not end within ${timeLimit / 1000} s and was stopped.` }
      : null;
  }

  close(session: number): void {
    this.#room.evaluate((room, id) => room.close(id), session).catch(() => undefined);
  }

  async #call<T>(work: () => Promise<T>, limit: number, signal: AbortSignal): Promise<T> {
    if (signal.aborted) throw abortError();
    const late = () => fault('timeout', `The page did not answer within ${seconds(limit)} seconds.`);
    try {
      return await unlessAborted(waitAtMost(work(), limit, late, systemClock), signal);
    } catch (thrown) {
      this.#hasFailed = true;
      throw signal.aborted ? abortError() : thrown;
    }
  }
}
