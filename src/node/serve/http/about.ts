/** @file The routes that tell people and monitors what runs at this address. They need no token, so they reveal no settings. */
import { sendJson, type Route } from './server';

export interface About {
  /** What the server provides, as a part of a sentence. */
  readonly what: string;
  /** The path that clients use. */
  readonly base: string;
}

export function aboutRoutes(about: About): readonly Route[] {
  const page = Buffer.from(pageOf(about));
  return [
    {
      method: 'GET',
      path: '/health',
      isPublic: true,
      handle: ({ response }) => sendJson(response, 200, { status: 'ok' }),
    },
    {
      method: 'GET',
      path: '/',
      isPublic: true,
      handle({ response }) {
        response.writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          'content-length': page.length,
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
          'x-content-type-options': 'nosniff',
        });
        response.end(page);
      },
    },
  ];
}

function pageOf({ what, base }: About): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Podium</title>
<style>
  :root { color-scheme: light dark; font: 17px/1.5 system-ui, sans-serif; }
  body { max-width: 36em; margin: 15vh auto; padding: 0 1.5em; }
</style>
<h1>Podium</h1>
<p>This server provides ${what}. It has no page to work with.</p>
<p>Its address for programs is <code>${base}</code> on this host. If programs are asked for a key, give them the server’s token.</p>
`;
}
