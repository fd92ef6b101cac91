/**
 * @file Vite plugin: puts the Content Security Policy into the built page as a `<meta>`, so that it applies on any host.
 * Some rules work only as headers. `npm start` and `vite preview` send these, and they are written into `_headers`, which
 * some static hosts read. The development server gets no policy, because it needs inline styles.
 */
import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { BOOTSTRAP, WORKER_POLICY } from '../src/platform/sandbox/frame.ts';
import { POLICY_NAMES } from '../src/platform/trusted-types.ts';

/** A `srcdoc` frame inherits the page's policy, so the policy must allow the one script of the sandbox's frame. */
const BOOTSTRAP_HASH = `'sha256-${createHash('sha256').update(BOOTSTRAP).digest('base64')}'`;

/**
 * The Trusted Types policies that may create scripts and markup: Svelte's templates, DOMPurify's cleaned markup, and our
 * own.
 */
const TRUSTED_TYPES = ['svelte-trusted-html', 'dompurify', WORKER_POLICY, ...POLICY_NAMES];

/**
 * `connect-src` allows any http and https address, because users add their own endpoints. Model output still can't send
 * data anywhere, because it can neither run scripts nor load resources.
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

/** Headers that every host should send with every file. `docs/deploy.md` explains each one. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  // `frame-ancestors` has no effect in a `<meta>`.
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
