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

describe('checkAddress, for an address without a scheme', () => {
  test.each([
    'localhost:1234/v1',
    'llama.localhost:1234/v1',
    '192.168.2.9:1234/v1',
    '10.0.4.1:8000/v1',
    '172.20.0.3/v1',
    '100.101.102.103:11434/v1',
    '8.8.4.4:8000/v1',
    '[fd12::7]:8000/v1',
    'printer.local:11434/v1',
    'box.lan:8000/v1',
    'host.docker.internal:11434/v1',
    'gpu-box:8000/v1',
  ])('assumes http for %j, which is an IP address or a local name', (typed) => {
    expect(checkAddress(typed)).toMatchObject({ ok: true, baseUrl: `http://${typed}` });
  });

  test.each(['llm.example.org/v1', 'api.local.example.com:8000/v1', 'gpu-box:8443/v1', '10.0.4.1:443/v1'])(
    'assumes https for %j',
    (typed) => {
      expect(checkAddress(typed)).toMatchObject({ ok: true, baseUrl: new URL(`https://${typed}`).href });
    },
  );
});

describe('checkAddress, for an address with a common mistake', () => {
  test.each([
    ['http//localhost:8000/v1', 'http://localhost:8000/v1'],
    ['https:/api.example.com/v1', 'https://api.example.com/v1'],
    ['http:localhost:8000/v1', 'http://localhost:8000/v1'],
    ['http:///localhost:8000/v1', 'http://localhost:8000/v1'],
    ['https:\\\\api.example.com\\v1', 'https://api.example.com/v1'],
    ['https://http://localhost:8000/v1', 'http://localhost:8000/v1'],
    ['//api.example.com/v1', 'https://api.example.com/v1'],
    [':8000/v1', 'http://localhost:8000/v1'],
    ['http:// localhost :8000 / v1', 'http://localhost:8000/v1'],
    ['"https://api.example.com/v1",', 'https://api.example.com/v1'],
    ['<https://api.example.com/v1>', 'https://api.example.com/v1'],
    ['`localhost:8000/v1`', 'http://localhost:8000/v1'],
    ['export OPENAI_BASE_URL="https://api.example.com/v1"', 'https://api.example.com/v1'],
    ['curl https://api.example.com/v1/chat/completions -H "Authorization: Bearer x"', 'https://api.example.com/v1'],
    ["curl -X POST 'http://localhost:8000/v1/responses' \\", 'http://localhost:8000/v1'],
    ['curl localhost:8000/v1/models', 'http://localhost:8000/v1'],
    ['https://api.example.com//v1//chat/completions', 'https://api.example.com/v1'],
  ])('reads %j as %s', (typed, baseUrl) => {
    expect(checkAddress(typed)).toMatchObject({ ok: true, baseUrl });
  });

  test.each(['chat/completions', 'completions', 'chat', 'responses', 'messages', 'embeddings', 'models', 'models/a:b'])(
    'removes the end /%s',
    (end) => {
      const expected = { ok: true, baseUrl: 'https://api.example.com/v1', hint: null };
      expect(checkAddress(`https://api.example.com/v1/${end}`)).toEqual(expected);
      expect(checkAddress(`https://api.example.com/v1/${end}/`)).toEqual(expected);
    },
  );

  test('removes the ends of Ollama’s own API, and keeps an /api of another server', () => {
    expect(checkAddress('localhost:11434/api/chat')).toMatchObject({ baseUrl: 'http://localhost:11434' });
    expect(checkAddress('localhost:3000/api/chat/completions')).toMatchObject({ baseUrl: 'http://localhost:3000/api' });
  });

  test.each([
    ['0.0.0.0:8000/v1', 'http://127.0.0.1:8000/v1'],
    ['http://0.0.0.0:8000', 'http://127.0.0.1:8000'],
    ['http://[::]:8000/v1', 'http://[::1]:8000/v1'],
  ])('replaces %j, which can’t be called, by %s and says so', (typed, baseUrl) => {
    expect(checkAddress(typed)).toMatchObject({ ok: true, baseUrl, hint: expect.stringContaining('this machine') });
  });
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
    ['http://192.168.1', 'not a complete IP address'],
    ['10.0', 'not a complete IP address'],
    ['http://localhost:', 'port is missing'],
    ['http://localhost:/v1', 'port is missing'],
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
    for (const typed of ['https://user:secret@host/v1', 'https://host/v1?key=secret', 'curl -H "Bearer secret" %'])
      expect(JSON.stringify(checkAddress(typed))).not.toContain('secret');
  });
});
