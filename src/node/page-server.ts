/** @file Serves the files of a built page. Only processes on this machine can reach the server. */
import { createServer, type RequestListener, type Server } from 'node:http';
import sirv from 'sirv';
import { hasCode } from './store/storage-fault';

export interface PageServerOptions {
  /** 0: any free port. */
  readonly port: number;
  /** Whether to serve also at ::1, if this machine has it, so that `localhost` is this server only. */
  readonly isLocalhost?: boolean;
  /** The headers of a file, such as the page's policy. `path` begins with a slash. */
  readonly headers: (path: string) => Readonly<Record<string, string>>;
  /** Files that are also served at other paths, by these paths. `headers` gets the other path. */
  readonly aliases?: Readonly<Record<string, string>>;
}

export interface PageServer {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the current files of `folder` on 127.0.0.1. Rejects if the folder can't be read or the port is taken, with the error of
 * Node.
 */
export async function servePage(folder: string, options: PageServerOptions): Promise<PageServer> {
  const { headers, aliases = {} } = options;
  // `sirv` lists the folder now and serves only these files, so that no requested path can lead out of the folder.
  const filesWith = (headersOf: PageServerOptions['headers']) =>
    sirv(folder, {
      etag: true,
      setHeaders: (response, path) => {
        for (const [name, value] of Object.entries(headersOf(path))) response.setHeader(name, value);
      },
    });
  const files = filesWith(headers);
  const others = new Map(
    Object.entries(aliases).map(([path, file]) => [path, { file, files: filesWith(() => headers(path)) }]),
  );
  const answer: RequestListener = (request, response) => {
    const other = others.get(request.url ?? '');
    if (!other) return void files(request, response);
    request.url = other.file;
    other.files(request, response);
  };
  const first = await listen(answer, '127.0.0.1', options.port);
  const address = first.address();
  const port = typeof address === 'object' && address ? address.port : options.port;
  const servers = [first];
  try {
    if (options.isLocalhost) servers.push(await listen(answer, '::1', port));
  } catch (thrown) {
    if (!hasCode(thrown, 'EADDRNOTAVAIL', 'EAFNOSUPPORT')) {
      await close(first);
      throw thrown;
    }
  }
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    close: async () => {
      await Promise.all(servers.map(close));
    },
  };
}

async function listen(answer: RequestListener, host: string, port: number): Promise<Server> {
  const server = createServer(answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
