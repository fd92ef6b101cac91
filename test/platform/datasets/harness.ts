import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock, RowProblem, Table, TableRow } from '../../../src/core/contract';
import type { ByteSource } from '../../../src/platform/datasets/byte-source';
import type { HubHost } from '../../../src/platform/datasets/hub-address';

export const signal = () => new AbortController().signal;

export const fileOf = (name: string, ...parts: BlobPart[]) => new File(parts, name);

/** Reads a whole table. Returns its rows and problems, and the progress after its last part. */
export async function readAll(table: Pick<Table, 'read'>, columns?: readonly string[]) {
  const rows: { row: number; value: TableRow }[] = [];
  const problems: RowProblem[] = [];
  let read = 0;
  for await (const part of table.read(signal(), columns)) {
    rows.push(...part.rows);
    problems.push(...part.problems);
    read = part.read;
  }
  return { rows, values: rows.map(({ value }) => value), problems, read };
}

/**
 * Returns a source that creates chunks on demand. `state` has the number of chunks created so far, and whether the stream was
 * canceled.
 */
export function generatedSource(name: string, chunk: Uint8Array<ArrayBuffer>, count: number) {
  const state = { made: 0, cancelled: false };
  const source: ByteSource = {
    name,
    size: chunk.length * count,
    slice: () => Promise.reject(new Error('unused')),
    stream: () =>
      new ReadableStream({
        pull(controller) {
          if (state.made === count) return controller.close();
          state.made += 1;
          controller.enqueue(chunk.slice());
        },
        cancel: () => {
          state.cancelled = true;
        },
      }),
  };
  return { source, state };
}

/** A clock that doesn’t wait, but records the requested waits. */
export function waitlessClock(): Pick<Clock, 'now' | 'sleep'> & { readonly waits: number[] } {
  let now = 0;
  const waits: number[] = [];
  return {
    waits,
    now: () => now,
    sleep: (ms) => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    },
  };
}

export const COMMIT = 'a'.repeat(40);

export interface HubRequestSeen {
  readonly path: string;
  readonly range: string | null;
  readonly authorization: string | null;
}

/**
 * Starts a hub with one dataset, `owner/set`. It redirects requests for files to another port, as the real hub redirects them
 * to other hosts.
 * @param answer custom handler. Returns true if it has answered the request
 */
export async function startHub(
  files: Readonly<Record<string, Uint8Array>>,
  answer: (seen: HubRequestSeen, response: ServerResponse, isHub: boolean) => boolean = () => false,
) {
  const seen: (HubRequestSeen & { readonly isHub: boolean })[] = [];
  const listen = async (
    isHub: boolean,
    handle: (path: string, range: string | null, response: ServerResponse) => void,
  ) => {
    const server = createServer((request, response) => {
      const { range = null, authorization = null } = request.headers;
      const entry = { path: decodeURIComponent(request.url ?? ''), range, authorization };
      seen.push({ ...entry, isHub });
      if (!answer(entry, response, isHub)) handle(entry.path, range, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };
  const storage = await listen(false, (path, range, response) => {
    const bytes = files[path.slice(1)];
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
    if (!bytes || from === undefined || to === undefined) return response.writeHead(404).end();
    const part = bytes.subarray(Number(from), Number(to) + 1);
    response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${bytes.length}`, 'content-length': part.length });
    return response.end(part);
  });
  const hub = await listen(true, (path, _range, response) => {
    if (path === '/api/datasets/owner/set/revision/main?blobs=true') {
      const siblings = Object.entries(files).map(([rfilename, { length }]) => ({ rfilename, size: length }));
      return response.end(JSON.stringify({ sha: COMMIT, siblings, gated: false }));
    }
    const prefix = `/datasets/owner/set/resolve/${COMMIT}/`;
    if (!path.startsWith(prefix)) return response.writeHead(404, { 'x-error-code': 'RepoNotFound' }).end();
    return response.writeHead(302, { location: `${storage.origin}/${path.slice(prefix.length)}` }).end();
  });
  const host: HubHost = { origin: hub.origin, fileHosts: ['127.0.0.1'] };
  return {
    host,
    seen,
    close: () => {
      for (const { server } of [hub, storage]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}
