/**
 * @file Plays the run of the crash tests on the server. One worker's first call fails with status 503 (overloaded), and another
 * one sends reasoning. The server recognizes the part by the model's name in the call. The calls for both plans name the same
 * model, so the server recognizes the second plan by the outputs in its prompt.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { inPieces, partNamed, PLANS, textOf, WORKERS, type Part } from '../fixtures/crash-run';
import { refusal } from '../fixtures/fault-replies';
import { chunk, event, openStream, send, type Exchange, type Reply } from '../fixtures/openai-scenarios';
import type { OpenAiServer } from '../fixtures/openai-server';
import { planText } from '../fixtures/plans';

export const PLANNER = 'Planner';
export const modelOf = (name: string) => name.toLowerCase();

/** Time between two chunks of an answer, ms. */
const PACE = 8;
/** The first call to this part fails in each run, because its worker is overloaded. */
const OVERLOADED: Part = 'ben';
const THINKER: Part = 'dora';

export class CrashScene {
  /** Parts that were called in this run, in order. */
  readonly received: Part[] = [];
  /** Chunks that were sent so far, in all runs. */
  #sent = 0;
  #watched: { readonly count: number; readonly reached: () => void } | null = null;

  constructor(server: OpenAiServer) {
    for (const name of WORKERS) server.script(modelOf(name), (exchange) => this.#answer(partNamed(name), exchange));
    server.script(modelOf(PLANNER), (exchange) => {
      const isLater = exchange.messages.some(({ content }) => content.includes(textOf('cleo')));
      return this.#answer(isLater ? 'plan 1' : 'plan 0', exchange);
    });
  }

  /** Discards the calls of an earlier run. */
  begin(): void {
    this.received.length = 0;
  }

  calls(part: Part): number {
    return this.received.filter((each) => each === part).length;
  }

  /** Resolves when `count` more chunks have been sent. */
  sent(count: number): Promise<void> {
    return new Promise((reached) => {
      this.#watched = { count: this.#sent + count, reached };
      this.#notify();
    });
  }

  #answer: (part: Part, exchange: Exchange) => void | Promise<void> = (part, exchange) => {
    this.received.push(part);
    if (part === OVERLOADED && this.calls(part) === 1) return refusal(503, 'Overloaded.')(exchange);
    return this.#speak(part)(exchange);
  };

  #speak(part: Part): Reply {
    const text =
      part === 'plan 0' || part === 'plan 1' ? planText(PLANS[part === 'plan 0' ? 0 : 1] ?? []) : textOf(part);
    return async ({ response }) => {
      openStream(response);
      if (part === THINKER) await this.#send(response, chunk({ reasoning_content: 'Let me see. ' }));
      for (const piece of inPieces(text)) await this.#send(response, chunk({ content: piece }));
      await this.#send(response, chunk({}, 'stop'));
      response.end(event('[DONE]'));
    };
  }

  async #send(response: Exchange['response'], data: object): Promise<void> {
    // The page that made the call may be closed.
    if (response.destroyed) return;
    await send(response, event(data));
    this.#sent += 1;
    this.#notify();
    await pause(PACE);
  }

  #notify(): void {
    if (this.#watched === null || this.#sent < this.#watched.count) return;
    this.#watched.reached();
    this.#watched = null;
  }
}
