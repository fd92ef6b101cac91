/**
 * @file Vite plugin: puts the Content Security Policy into the built page as a `<meta>`, so that it applies on any host.
 * `hosting.ts` adds the rules that work only as headers. The development server gets no policy, because it needs inline styles.
 */
import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { BOOTSTRAP, WORKER_POLICY } from '../src/platform/sandbox/frame.ts';
import { POLICY_NAMES } from '../src/platform/trusted-types.ts';

/** A `srcdoc` frame inherits the page's policy, so the policy must allow the one script of the sandbox's frame. */
const BOOTSTRAP_HASH = `'sha256-${createHash('sha256').update(BOOTSTRAP).digest('base64')}'`;

/** Names of the allowed Trusted Types policies, which create scripts and markup. */
const TRUSTED_TYPES = ['svelte-trusted-html', 'dompurify', WORKER_POLICY, ...POLICY_NAMES];

/**
 * `connect-src` allows any http and https address, because users can add any server. Model output still can't send
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

/** Puts the policy into the built page. */
export function security(): Plugin {
  return {
    name: 'podium-content-security-policy',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: CONTENT_SECURITY_POLICY },
        injectTo: 'head-prepend',
      },
    ],
  };
}
