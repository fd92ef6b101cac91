/**
 * @file Vite plugin: puts the Content Security Policy into the built page, as a `<meta>`, so that it holds wherever the files are
 * served from. What only headers can say is sent by `npm start` and `vite preview`, and written into `_headers`, which some static
 * hosts read. The development server needs inline styles and is left alone.
 */
import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { BOOTSTRAP, WORKER_POLICY } from '../src/platform/sandbox/frame.ts';
import { POLICY_NAMES } from '../src/platform/trusted-types.ts';

/** A `srcdoc` frame inherits the page's policy, so the one script of the sandbox's frame is admitted here, and no other. */
const BOOTSTRAP_HASH = `'sha256-${createHash('sha256').update(BOOTSTRAP).digest('base64')}'`;

/** Who may make what the browser runs or parses as markup: Svelte its templates, DOMPurify what it has cleaned, and we. */
const TRUSTED_TYPES = ['svelte-trusted-html', 'dompurify', WORKER_POLICY, ...POLICY_NAMES];

/**
 * `connect-src` stays open to http and https: a user may add any endpoint, a llama.cpp on the desk as well as a cluster.
 * What keeps model output from phoning home is that it can neither run script nor load anything else.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `script-src 'self' 'wasm-unsafe-eval' ${BOOTSTRAP_HASH}`,
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self' http: https:",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  `trusted-types ${TRUSTED_TYPES.join(' ')}`,
].join('; ');

/** What every host should send with every file; `docs/deploy.md` says what each one is for. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  // A `<meta>` cannot say who may frame the page.
  'Content-Security-Policy': `${CONTENT_SECURITY_POLICY}; frame-ancestors 'none'`,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** The format of Netlify and Cloudflare Pages. */
const HEADERS_FILE = ['/*', ...Object.entries(SECURITY_HEADERS).map(([name, value]) => `  ${name}: ${value}`), ''];

export function security(): Plugin[] {
  return [
    {
      name: 'podium-security-headers',
      config: () => ({ preview: { headers: SECURITY_HEADERS } }),
    },
    {
      name: 'podium-content-security-policy',
      apply: 'build',
      transformIndexHtml: () => [
        {
          tag: 'meta',
          attrs: { 'http-equiv': 'Content-Security-Policy', content: CONTENT_SECURITY_POLICY },
          injectTo: 'head-prepend',
        },
      ],
      generateBundle() {
        this.emitFile({ type: 'asset', fileName: '_headers', source: HEADERS_FILE.join('\n') });
      },
    },
  ];
}
