/** @file The address at which the MCP server answers over HTTP (streamable HTTP). */
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '../serve/http/api-error';
import type { Exchange, Route } from '../serve/http/server';

export const MCP_PATH = '/mcp';

export interface McpRoute {
  readonly routes: readonly Route[];
  close(): Promise<void>;
}

/** @param origins the origins whose web pages may use the server */
export function mcpRoute(
  createServer: () => McpServer,
  origins: readonly string[],
  report: (thrown: unknown) => void,
): McpRoute {
  const handler = createMcpHandler(createServer, { onerror: report });

  async function handle({ request, response, gone, body }: Exchange): Promise<void> {
    const { origin } = request.headers;
    // The protocol requires this check. Without it, a web page could use a server that has no token.
    if (origin !== undefined && !origins.includes(origin)) {
      throw new ApiError(403, `Web pages of ${origin} can’t use this server. Allow them with --allow-origin.`);
    }
    const parsedBody = await body();
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) {
      if (value !== undefined) headers.set(name, [value].flat().join(', '));
    }
    const asked = new Request(`http://localhost${MCP_PATH}`, { method: 'POST', headers, signal: gone });
    const answered = await handler.fetch(asked, { parsedBody });
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    if (!answered.body) return void response.end();
    // A client that disconnects ends the stream early.
    await pipeline(Readable.from(answered.body), response).catch((thrown: unknown) => {
      if (!gone.aborted) throw thrown;
    });
  }

  return { routes: [{ method: 'POST', path: MCP_PATH, handle }], close: () => handler.close() };
}
