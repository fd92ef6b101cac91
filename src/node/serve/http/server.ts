/** @file An HTTP server with access control, JSON errors and a graceful shutdown. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fault, FaultError } from '../../../core/contract';
import { checkAccess, type Access } from './access';
import { ApiError, toApiError } from './api-error';
import { ByteBudget, readJsonBody } from './body';

/** A request and its response. */
export interface Exchange {
  readonly response: ServerResponse;
  /** Aborts when the client disconnects before the response is complete. */
  readonly gone: AbortSignal;
  /** Reads the JSON body. Throws an `ApiError` in the same cases as `readJsonBody`. */
  body(): Promise<unknown>;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /**
   * Sends the response. If this throws before the response starts, the client gets the error as
   * JSON.
   */
  handle(exchange: Exchange): Promise<void> | void;
}

export interface ServerOptions extends Access {
  readonly port: number;
  readonly routes: readonly Route[];
  /** Maximum size of a request body, in bytes. */
  readonly mostBytes: number;
  /** Maximum total size of the request bodies that are being read, in bytes. */
  readonly mostReading: number;
  /** Called with each error that causes the status 500. */
  readonly report: (thrown: unknown) => void;
}

export interface RunningServer {
  /** For example `http://127.0.0.1:8000`. */
  readonly url: string;
  /** Stops accepting requests. Resolves when all current requests have ended. */
  close(): Promise<void>;
  /** Closes all connections. The current requests get no response. */
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
    // During shutdown, closes keep-alive connections after their last response.
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
      // Requests of disconnected clients may still be running.
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
      // The status is already sent. Only a closed connection shows the client that the response is
      // incomplete.
      response.destroy();
      return;
    }
    // Closes the connection after the error, so that the server does not receive the rest of the
    // body.
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
