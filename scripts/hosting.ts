/**
 * @file Vite plugin: writes configuration files for hosts, so that they send the built files with
 * the right HTTP headers. `SECURITY_HEADERS` and `CACHE` define these headers. `npm start` and
 * `vite preview` send the security headers, but no caching headers. `docs/deploy.md` explains the
 * configuration files.
 */
import type { Plugin } from 'vite';
import { CONTENT_SECURITY_POLICY } from './security.ts';

/** The HTTP headers of every file. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  // Only this header can set `frame-ancestors`. The page's `<meta>` element has the other directives, but
  // `frame-ancestors` would have no effect there.
  'Content-Security-Policy': `${CONTENT_SECURITY_POLICY}; frame-ancestors 'none'`,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': [
    'bluetooth',
    'camera',
    'display-capture',
    'geolocation',
    'hid',
    'microphone',
    'midi',
    'payment',
    'serial',
    'usb',
  ]
    .map((feature) => `${feature}=()`)
    .join(', '),
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Values of `Cache-Control`. */
export const CACHE = {
  /** Files in `assets/`, whose names contain a hash of their content. */
  hashed: 'public, max-age=31536000, immutable',
  /** Other files, such as the page and the service worker. */
  other: 'no-cache',
} as const;

/** Files outside `assets/` that browsers must revalidate on each use. The other files outside `assets/` are icons and texts. */
const CURRENT = ['/', '/index.html', '/sw.js', '/manifest.webmanifest', '/licences.json'];
const MANIFEST_TYPE = 'application/manifest+json';

const lines = (format: (name: string, value: string) => string) =>
  Object.entries(SECURITY_HEADERS).map(([name, value]) => format(name, value));

/**
 * Makes the file for Netlify and Cloudflare Pages. If two rules set the same header for a file,
 * both hosts send the joined values. Therefore only one rule sets each header of a file.
 */
function headersFile(): string {
  return [
    '/*',
    ...lines((name, value) => `  ${name}: ${value}`),
    '/assets/*',
    `  Cache-Control: ${CACHE.hashed}`,
    ...CURRENT.flatMap((path) => [path, `  Cache-Control: ${CACHE.other}`]),
    '',
  ].join('\n');
}

/**
 * Makes the file for a `server` block of nginx. Each `location` repeats all headers, because a
 * `location` with its own headers does not inherit any.
 */
function nginxFile(): string {
  const headers = lines((name, value) => `    add_header ${name} "${value}" always;`);
  // This header has no `always`, so nginx omits it from error responses. Therefore browsers don't cache the
  // response for a missing file.
  const cache = (value: string) => `    add_header Cache-Control "${value}";`;
  return [
    '# Include this file in the server block, after `root`.',
    'location /assets/ {',
    ...headers,
    cache(CACHE.hashed),
    '    try_files $uri =404;',
    '}',
    'location = /manifest.webmanifest {',
    ...headers,
    cache(CACHE.other),
    `    default_type ${MANIFEST_TYPE};`,
    '}',
    'location / {',
    ...headers,
    cache(CACHE.other),
    '    try_files $uri $uri/index.html =404;',
    '}',
    '',
  ].join('\n');
}

/** Makes the file for a site block of Caddy. */
function caddyFile(): string {
  return [
    '# Import this file in the site block, after `root`.',
    'header {',
    ...lines((name, value) => `\t${name} "${value}"`),
    '}',
    '# Only files that exist, so that a missing file is not cached.',
    '@hashed {',
    '\tpath /assets/*',
    '\tfile',
    '}',
    `header @hashed Cache-Control "${CACHE.hashed}"`,
    '@other not path /assets/*',
    `header @other Cache-Control "${CACHE.other}"`,
    '@manifest path /manifest.webmanifest',
    `header @manifest Content-Type "${MANIFEST_TYPE}"`,
    'file_server',
    '',
  ].join('\n');
}

const HOST_FILES: Readonly<Record<'_headers' | '_nginx.conf' | '_Caddyfile', string>> = {
  _headers: headersFile(),
  '_nginx.conf': nginxFile(),
  _Caddyfile: caddyFile(),
};

export function hosting(): Plugin {
  return {
    name: 'podium-hosting',
    config: () => ({ preview: { headers: SECURITY_HEADERS } }),
    generateBundle() {
      for (const [fileName, source] of Object.entries(HOST_FILES)) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}
