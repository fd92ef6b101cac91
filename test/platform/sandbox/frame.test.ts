import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CONTENT_SECURITY_POLICY } from '../../../scripts/security';
import { BOOTSTRAP, frameDocument, framePolicy } from '../../../src/platform/sandbox/frame';

const hash = `sha256-${createHash('sha256').update(BOOTSTRAP).digest('base64')}`;

const directives = (policy: string) =>
  new Map(policy.split('; ').map((each) => [each.split(' ')[0], each.split(' ').slice(1)]));

describe('the content security policies of the page and the sandbox', () => {
  it('allow the sandbox’s script by its hash', () => {
    const script = /<script>([\s\S]*)<\/script>/.exec(frameDocument(hash))?.[1] ?? '';
    const hashed = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
    expect(directives(CONTENT_SECURITY_POLICY).get('script-src')).toEqual(["'self'", "'wasm-unsafe-eval'", hashed]);
    expect(directives(framePolicy(hash)).get('script-src')).toEqual([hashed, "'wasm-unsafe-eval'"]);
  });

  it('block inline code, eval and external scripts on the page, and restrict the page’s Web Workers', () => {
    expect(CONTENT_SECURITY_POLICY).not.toMatch(/unsafe-inline|'unsafe-eval'|script-src[^;]*(blob|data|https?):/);
    expect(directives(CONTENT_SECURITY_POLICY).get('worker-src')).toEqual(["'self'", 'blob:']);
  });

  it('block network access in the sandbox before its script runs', () => {
    const policy = directives(framePolicy(hash));
    expect(policy.get('default-src')).toEqual(["'none'"]);
    expect([...policy.keys()].sort()).toEqual([
      'base-uri',
      'default-src',
      'form-action',
      'require-trusted-types-for',
      'script-src',
      'trusted-types',
      'worker-src',
    ]);
    expect(framePolicy(hash)).not.toMatch(/'self'|https?:|data:|unsafe-inline|'unsafe-eval'/);
    expect(frameDocument(hash).indexOf('Content-Security-Policy')).toBeLessThan(
      frameDocument(hash).indexOf('<script>'),
    );
  });
});
