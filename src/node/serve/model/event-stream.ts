/**
 * @file Writes a stream of server-sent events. The response begins with the first event or heartbeat. Until then, an error can
 * be sent with its own HTTP status.
 */
import type { ServerResponse } from 'node:http';

/** Time in ms between two heartbeats. A heartbeat is a comment that shows proxies that the connection is alive. */
const HEARTBEAT = 15_000;

export class EventStream {
  readonly #response: ServerResponse;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(response: ServerResponse) {
    this.#response = response;
    this.#heartbeat = setInterval(() => this.#write(': waiting\n\n'), HEARTBEAT);
  }

  /** Whether the stream has begun. */
  get isOpen(): boolean {
    return this.#response.headersSent;
  }

  /** @param name the type of the event. Default: none */
  send(data: object | '[DONE]', name?: string): void {
    const line = name === undefined ? '' : `event: ${name}\n`;
    this.#write(`${line}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }

  /** Ends the stream. If the connection closes without this call, the client can detect that the stream was cut off. */
  end(): void {
    this.#response.end();
  }

  /** Stops the heartbeat. Call it even if the stream failed. */
  stop(): void {
    clearInterval(this.#heartbeat);
  }

  #write(text: string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    if (!this.isOpen) {
      this.#response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // This header disables buffering in nginx.
        'x-accel-buffering': 'no',
      });
    }
    this.#response.write(text);
  }
}
