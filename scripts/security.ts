/**
 * @file Vite plugin: puts the Content Security Policy into the built page. A `<meta>` and not a header, so that it holds
 * wherever the files are served from. The development server needs inline styles and is left alone.
 */
import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { BOOTSTRAP } from '../src/platform/sandbox/frame.ts';

/** A `srcdoc` frame inherits the page's policy, so the one script of the sandbox's frame is admitted here, and no other. */
const BOOTSTRAP_HASH = `'sha256-${createHash('sha256').update(BOOTSTRAP).digest('base64')}'`;

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
].join('; ');

export function contentSecurityPolicy(): Plugin {
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
