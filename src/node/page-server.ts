/** @file Serves the files of a built page. Only processes on this machine can reach the server. */
import { createServer } from 'node:http';
import sirv from 'sirv';

export interface PageServerOptions {
  /** 0: any free port. */
  readonly port: number;
  /** The headers of a file, such as the page's policy. `path` begins with a slash. */
  readonly headers: (path: string) => Readonly<Record<string, string>>;
}

export interface PageServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the current files of `folder` on 127.0.0.1. Rejects if the folder can't be read or the port is taken, with the error of
 * Node.
 */
export async function servePage(folder: string, { port, headers }: PageServerOptions): Promise<PageServer> {
  // `sirv` lists the folder now and serves only these files, so that no requested path can lead out of the folder.
  const files = sirv(folder, {
    etag: true,
    setHeaders: (response, path) => {
      for (const [name, value] of Object.entries(headers(path))) response.setHeader(name, value);
    },
  });
  const server = createServer((request, response) => files(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
