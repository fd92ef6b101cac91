import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSameServer, withConnection, type Connection, type WorkerSetup } from '../../../../src/core/contract';
import { connectWorkers } from '../../../../src/core/contract/worker/connect-workers';

const setup = (id: string, more: Partial<WorkerSetup> = {}): WorkerSetup => ({
  id,
  name: id,
  mark: 'Wo',
  colour: 1,
  baseUrl: 'https://one.example/v1',
  model: 'm',
  price: null,
  description: '',
  needsKey: true,
  ...more,
});

describe('workers without connections', () => {
  test('share one connection per server, with the strictest of their limits', () => {
    const limits = { concurrent: 4, requestsPerMinute: null, tokensPerMinute: 1000 };
    const { setups, created } = connectWorkers(
      [
        setup('a', { limits }),
        setup('b', { limits: { ...limits, concurrent: 2, requestsPerMinute: 60 } }),
        setup('c', { baseUrl: 'https://two.example/v1' }),
        setup('d', { provider: 'vllm' }),
        setup('e', { needsKey: false }),
      ],
      [],
    );
    const one = 'connection:a';
    expect(setups.map(({ connection }) => connection)).toEqual([
      one,
      one,
      'connection:c',
      'connection:d',
      'connection:e',
    ]);
    const strictest = { concurrent: 2, requestsPerMinute: 60, tokensPerMinute: 1000 };
    expect(created[0]).toEqual({ id: one, baseUrl: 'https://one.example/v1', needsKey: true, limits: strictest });
    expect(setups.slice(0, 2).map((each) => each.limits)).toEqual([strictest, strictest]);
  });

  test('join a stored connection to the same server, which stays as it is', () => {
    const stored: Connection = { id: 'mine', baseUrl: 'https://one.example/v1', needsKey: true };
    const { setups, created } = connectWorkers([setup('a', { unconfirmed: true })], [stored]);
    expect([setups[0]?.connection, setups[0]?.unconfirmed, created]).toEqual(['mine', true, []]);
  });

  test('make a connection that is unconfirmed only if all of them are', () => {
    const files = [setup('a', { unconfirmed: true }), setup('b', { unconfirmed: true })];
    expect(connectWorkers(files, []).created).toMatchObject([{ unconfirmed: true }]);
    expect(connectWorkers([...files, setup('c')], []).created[0]).not.toHaveProperty('unconfirmed');
  });
});

test('a worker has the names of its connection’s extra headers, as long as the connection has them', () => {
  const connection: Connection = { id: 'c', baseUrl: 'https://one.example', needsKey: false, extraNames: ['api-key'] };
  const worker = setup('a', { extraNames: ['old'] });
  expect(withConnection(worker, connection).extraNames).toEqual(['api-key']);
  const { extraNames: _, ...bare } = connection;
  expect(withConnection(worker, bare)).not.toHaveProperty('extraNames');
  expect(connectWorkers([setup('b', { extraNames: ['api-key'] })], []).created).toMatchObject([
    { extraNames: ['api-key'] },
  ]);
});

test('a worker has the address of its connection, and is not confirmed while its connection is not', () => {
  const connection: Connection = { id: 'c', baseUrl: 'https://moved.example', needsKey: false, unconfirmed: true };
  const { setups } = connectWorkers([setup('a', { connection: 'c', provider: 'vllm' })], [connection]);
  expect(setups).toEqual([
    { ...setup('a'), connection: 'c', baseUrl: 'https://moved.example', needsKey: false, unconfirmed: true },
  ]);
});

const server = fc.record({
  baseUrl: fc.constantFrom('https://one.example', 'https://two.example'),
  needsKey: fc.boolean(),
  connection: fc.constantFrom('connection:0', 'connection:x', undefined),
});

test('every worker gets a connection at its own address, and connecting twice changes nothing', () => {
  fc.assert(
    fc.property(fc.array(server, { maxLength: 6 }), (servers) => {
      const given = servers.map(({ connection, ...more }, index) =>
        setup(String(index), connection === undefined ? more : { ...more, connection }),
      );
      const first = connectWorkers(given, []);
      expect(new Set(first.created.map(({ id }) => id)).size).toBe(first.created.length);
      for (const [index, each] of first.setups.entries()) {
        const before = given[index];
        expect(before && isSameServer(each, before)).toBe(true);
      }
      expect(connectWorkers(first.setups, first.created)).toEqual({ setups: first.setups, created: [] });
    }),
  );
});
