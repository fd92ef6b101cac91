/** @file An HTTP server with access control, JSON errors and a graceful shutdown. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { fault, FaultError } from '../../../core/contract';
import { allowOrigin, checkAccess, type Access } from './access';
import { ApiError, toApiError } from './api-error';
import { ByteBudget, readJsonBody, shuttingDown, type BodyLimits } from './body';

/** A request and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  /** Id of the request, which the client gets as the header `x-request-id`. */
  readonly id: string;
  readonly response: ServerResponse;
  /** Aborts when the client disconnects before the response is complete. */
  readonly gone: AbortSignal;
  /** Reads the JSON body. Throws an `ApiError` in the same cases as `readJsonBody`. */
  body(): Promise<unknown>;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Whether the route needs no token. Default: it needs the token. */
  readonly isPublic?: boolean;
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
  /**
   * Stops accepting requests, and closes the connections that have sent no complete request. Resolves when all other requests
   * have ended. A client that doesn't read its response delays this for at most `LINGER`.
   */
  close(): Promise<void>;
  /** Closes all connections. The current requests get no response. */
  disconnect(): void;
}

/** How long the server waits during shutdown for clients to read the end of their responses, in ms. */
const LINGER = 3000;
/** Time in ms without data after which the system checks that the client of a connection still exists. */
const KEEP_ALIVE_DELAY = 30_000;

/** Starts the server. Throws a `FaultError` if the server can't listen on the address. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, port, mostBytes: most } = options;
  const closing = new AbortController();
  const limits = { most, budget: new ByteBudget(options.mostReading), closing: closing.signal };
  const underWay = new Set<Promise<void>>();
  const sockets = new Set<Socket>();
  /** The sockets on which a response is due. */
  const busy = new Set<Socket>();
  const server = createServer({ keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_DELAY }, (request, response) => {
    const { socket } = request;
    busy.add(socket);
    if (closing.signal.aborted) response.setHeader('connection', 'close');
    response.on('close', () => {
      busy.delete(socket);
      // During shutdown, closes a keep-alive connection after its last response.
      if (closing.signal.aborted) socket.destroySoon();
    });
    const answered = answer(request, response, options, limits).finally(() => underWay.delete(answered));
    underWay.add(answered);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.on('error', (thrown) => {
      // An error after the start, such as too many open files, concerns only new connections.
      if (server.listening) options.report(thrown);
      else reject(new FaultError(fault('internal', `Couldn’t listen on ${host}:${port}. ${thrown.message}`)));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const bound = address !== null && typeof address === 'object' ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    async close() {
      // The `close` of an HTTP server would also cut off responses that a client has not read to the end.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      closing.abort();
      for (const socket of sockets) if (!busy.has(socket)) socket.destroy();
      // Includes requests of disconnected clients, which may still be running.
      while (underWay.size > 0) await Promise.all(underWay);
      const timer = setTimeout(() => server.closeAllConnections(), LINGER);
      await closed;
      clearTimeout(timer);
    },
    disconnect: () => server.closeAllConnections(),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  options: ServerOptions,
  limits: BodyLimits,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => {
    if (!response.writableFinished) gone.abort();
  });
  const id = randomUUID();
  response.setHeader('x-request-id', id);
  try {
    if (allowOrigin(request, response, options) === 'preflight') return;
    checkAccess(request, options, isPublic(request, options.routes));
    if (limits.closing.aborted) throw shuttingDown();
    const route = routeOf(request, options.routes);
    await route.handle({ id, request, response, gone: gone.signal, body: () => readJsonBody(request, limits) });
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

/** The decoded path of a URL. The ids of models have characters that some clients encode. */
function pathOf(url = '/'): string {
  const [path = ''] = url.split('?', 1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function isPublic({ method, url }: IncomingMessage, routes: readonly Route[]): boolean {
  const path = pathOf(url);
  return routes.some((route) => route.isPublic && route.method === method && route.path === path);
}

function routeOf({ method, url }: IncomingMessage, routes: readonly Route[]): Route {
  const path = pathOf(url);
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
