import { describe, expect, test } from 'vitest';
import { checkAddress } from '../../../src/platform/workers/check-address';

test.each([
  ['https://api.example.com/v1', 'https://api.example.com/v1'],
  ['  https://api.example.com/v1///  ', 'https://api.example.com/v1'],
  ['HTTPS://API.Example.com/V1', 'https://api.example.com/V1'],
  ['https://api.example.com/v1/chat/completions', 'https://api.example.com/v1'],
  ['https://api.example.com/v1/models/', 'https://api.example.com/v1'],
  ['api.example.com/v1', 'https://api.example.com/v1'],
  ['localhost:11434/v1', 'http://localhost:11434/v1'],
  ['127.0.0.1:8080/v1', 'http://127.0.0.1:8080/v1'],
  ['http://[::1]:8000/v1', 'http://[::1]:8000/v1'],
  ['https://host.example/v1beta/openai/', 'https://host.example/v1beta/openai'],
])('accepts %j as %s without a hint', (typed, baseUrl) => {
  expect(checkAddress(typed)).toEqual({ ok: true, baseUrl, hint: null });
});

describe('checkAddress, for an address that is probably wrong or not encrypted', () => {
  test.each([
    ['http://localhost:11434', '/v1'],
    ['https://api.deepseek.com', '/v1'],
    ['http://192.168.0.7:8000/v1', 'not encrypted'],
  ])('accepts %j with a hint that contains %j', (typed, hint) => {
    expect(checkAddress(typed)).toMatchObject({ ok: true, hint: expect.stringContaining(hint) });
  });
});

describe('checkAddress, for an invalid address', () => {
  test.each([
    ['', 'Enter the address'],
    ['   ', 'Enter the address'],
    ['not an address', 'is not an address'],
    ['ftp://host/v1', 'http:// or https://'],
    ['javascript://host', 'http:// or https://'],
    ['https://user:secret@host/v1', 'user name or password'],
    ['https://host/v1?key=secret', 'not contain “?”'],
    ['https://host/v1#part', 'not contain “?”'],
  ])('rejects %j with a message that contains %j', (typed, words) => {
    const checked = checkAddress(typed);
    expect(checked).toMatchObject({ ok: false, fault: { code: 'bad-address', retryable: false } });
    if (!checked.ok) expect(checked.fault.message).toContain(words);
  });

  test('does not repeat a password or key from the address', () => {
    for (const typed of ['https://user:secret@host/v1', 'https://host/v1?key=secret'])
      expect(JSON.stringify(checkAddress(typed))).not.toContain('secret');
  });
});
