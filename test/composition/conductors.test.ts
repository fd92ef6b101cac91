import { describe, expect, it } from 'vitest';
import { composeConductors } from '../../src/composition/conductors';
import { endpointConductorInfo } from '../../src/core/conductor/endpoint-info';
import { withPolicyInfo } from '../../src/core/conductor/with-policy-info';
import {
  FaultError,
  toPoolWorker,
  type ConductorInfo,
  type WorkerClient,
  type WorkerSetup,
} from '../../src/core/contract';

const SETUP: WorkerSetup = {
  id: 'w1',
  name: 'Big',
  mark: 'Bg',
  colour: 6,
  baseUrl: 'https://api.example.com/v1',
  model: 'big-1',
  price: null,
  description: '',
  needsKey: false,
};
function unused(): never {
  throw new Error('No plan is expected.');
}

const client: WorkerClient = {
  run: () => {
    throw new Error('No call is expected.');
  },
};

function conductor(info: ConductorInfo, ...setups: readonly WorkerSetup[]) {
  const services = composeConductors({
    setups: new Map(setups.map((setup) => [setup.id, setup])),
    client,
    local: (local) => ({ info: local, propose: () => unused() }),
  });
  return services.conductor(info);
}

/** The fault that the creation of a Conductor throws. `null`: the Conductor is created. */
function refusal(info: ConductorInfo, ...setups: readonly WorkerSetup[]) {
  try {
    conductor(info, ...setups);
  } catch (thrown) {
    if (thrown instanceof FaultError) return thrown.fault;
    throw thrown;
  }
  return null;
}

const ENDPOINT = endpointConductorInfo(toPoolWorker(SETUP));

describe('a Conductor on a server', () => {
  it.each([
    ['alone', ENDPOINT],
    ['with steps from the policy', withPolicyInfo('skeleton', ENDPOINT)],
    ['ranked by the policy', withPolicyInfo('ranking', ENDPOINT)],
  ])('is not created before the user confirms its imported worker: %s', (_, info) => {
    expect(refusal(info, { ...SETUP, unconfirmed: true })).toMatchObject({
      code: 'worker-missing',
      message: expect.stringMatching(/not confirmed.*Workers/),
    });
  });

  it('is created once the user has confirmed its worker', () => {
    expect(conductor(ENDPOINT, SETUP).info.id).toBe('endpoint:w1');
  });

  it('is not created if its worker was deleted', () => {
    expect(refusal(ENDPOINT)).toMatchObject({ code: 'worker-missing' });
  });
});

describe('a local Conductor', () => {
  it.each(['local:tiny', 'policy+local:tiny', 'ranked+local:tiny'])(
    'has no price, no origin and the kind `webllm`, whatever an imported run states: %s',
    (id) => {
      const forged: ConductorInfo = {
        id,
        label: 'Tiny',
        kind: 'template',
        origin: 'https://evil.example',
        price: { input: 1000, output: 1000 },
      };
      expect(conductor(forged).info).toEqual({ id, label: 'Tiny', kind: 'webllm', origin: null });
    },
  );
});
