/** @file An HTTP server for a few routes, with access control, errors as JSON, and a graceful shutdown. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fault, FaultError } from '../../../core/contract';
import { checkAccess, type Access } from './access';
import { ApiError, toApiError } from './api-error';
import { ByteBudget, readJsonBody } from './body';

/** A request, and the response to it. */
export interface Exchange {
  readonly response: ServerResponse;
  /** Aborted when the client has disconnected. */
  readonly gone: AbortSignal;
  /** Reads the body and parses it as JSON. Throws an `ApiError` like `readJsonBody`. */
  body(): Promise<unknown>;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Answers the request. An error thrown before the answer begins is sent to the client. */
  handle(exchange: Exchange): Promise<void> | void;
}

export interface ServerOptions extends Access {
  readonly port: number;
  readonly routes: readonly Route[];
  /** Maximum size of a body, in bytes. */
  readonly mostBytes: number;
  /** Maximum size of all bodies together while they are read, in bytes. */
  readonly mostReading: number;
  /** Called with errors that are answered with the status 500. */
  readonly report: (thrown: unknown) => void;
}

export interface RunningServer {
  /** Such as `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Stops accepting requests. Resolves when the requests in progress have been answered. */
  close(): Promise<void>;
  /** Closes all connections. The requests in progress get no answer. */
  disconnect(): void;
}

/** Starts the server. Throws a `FaultError` if the server can't listen on the address. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, port } = options;
  let isClosing = false;
  const budget = new ByteBudget(options.mostReading);
  const underWay = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    if (isClosing) response.setHeader('connection', 'close');
    // A closing server also closes the connections that clients keep open after their last answer.
    response.on('close', () => isClosing && setImmediate(() => server.closeIdleConnections()));
    const answered = answer(request, response, { ...options, budget, isClosing }).finally(() =>
      underWay.delete(answered),
    );
    underWay.add(answered);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (thrown) => {
      reject(new FaultError(fault('internal', `Couldn’t listen on ${host}:${port}. ${thrown.message}`)));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async close() {
      await new Promise<void>((resolve) => {
        isClosing = true;
        server.close(() => resolve());
        server.closeIdleConnections();
      });
      // The run of a client that has disconnected may still be stopping.
      await Promise.all(underWay);
    },
    disconnect: () => server.closeAllConnections(),
  };
}

interface Answering extends ServerOptions {
  readonly budget: ByteBudget;
  readonly isClosing: boolean;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { budget, isClosing, ...options }: Answering,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  try {
    checkAccess(request, options);
    if (isClosing) throw new ApiError(503, 'The server is shutting down.', { code: 'shutting_down', retryAfter: 5 });
    const route = routeOf(request, options.routes);
    await route.handle({ response, gone: gone.signal, body: () => readJsonBody(request, options.mostBytes, budget) });
  } catch (thrown) {
    if (gone.signal.aborted) return;
    const error = toApiError(thrown);
    if (error.status === 500) options.report(thrown);
    if (response.headersSent) {
      // A closed connection is the only way to show the client that the answer is incomplete.
      response.destroy();
      return;
    }
    // The connection is closed, because the unread rest of the body would be parsed as the next request.
    if (!request.complete) response.setHeader('connection', 'close');
    sendJson(response, error.status, error.body, error.headers);
    request.resume();
  }
}

function routeOf({ method, url }: IncomingMessage, routes: readonly Route[]): Route {
  const path = (url ?? '/').replace(/\?.*$/s, '');
  const here = routes.filter((route) => route.path === path);
  if (here.length === 0) throw new ApiError(404, 'There is nothing at this address.', { code: 'not_found' });
  const found = here.find((route) => route.method === method);
  if (found) return found;
  const allow = here.map((route) => route.method).join(', ');
  throw new ApiError(405, `Use ${allow} for this address.`, { code: 'method_not_allowed', headers: { allow } });
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(text);
}
