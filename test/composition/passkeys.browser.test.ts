import { cdp } from 'vitest/browser';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPasskeys } from '../../src/composition/passkeys';

/** An authenticator that Chromium simulates. */
interface Authenticator {
  credentials(): Promise<readonly string[]>;
  remove(): Promise<unknown>;
  /** Whether the user agrees. */
  verify(agrees: boolean): Promise<unknown>;
}

const never = new AbortController().signal;
let added: string[] = [];

async function authenticator({ hasPrf = true, transport = 'internal' } = {}): Promise<Authenticator> {
  const { authenticatorId } = await cdp().send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: transport as 'internal' | 'usb',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf,
    },
  });
  added.push(authenticatorId);
  return {
    credentials: async () =>
      (await cdp().send('WebAuthn.getCredentials', { authenticatorId })).credentials.map(
        ({ credentialId }) => credentialId,
      ),
    remove: () => cdp().send('WebAuthn.clearCredentials', { authenticatorId }),
    verify: (isUserVerified) => cdp().send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  };
}

beforeEach(() => cdp().send('WebAuthn.enable', {}));
afterEach(async () => {
  for (const authenticatorId of added) await cdp().send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  added = [];
  vi.restoreAllMocks();
});

describe('a passkey', () => {
  it('computes the same 32 bytes whenever it is used, and another passkey computes others', async () => {
    await authenticator();
    const passkeys = createPasskeys();
    expect([passkeys.site, await passkeys.problem()]).toEqual(['localhost', null]);
    const made = await passkeys.create([], never);
    expect(made.output).toHaveLength(32);
    expect(new Set(made.output).size).toBeGreaterThan(8);
    expect(await passkeys.use([made.id], never)).toEqual(made);
    const other = await passkeys.create([], never);
    expect([other.id === made.id, other.output.join() === made.output.join()]).toEqual([false, false]);
    expect(await passkeys.use([other.id], never)).toEqual(other);
    expect(await passkeys.use(['bm90IGhlcmU=', made.id], never)).toEqual(made);
  });

  it('is not made a second time by the same authenticator', async () => {
    const first = await authenticator();
    const passkeys = createPasskeys();
    const { id } = await passkeys.create([], never);
    await expect(passkeys.create([id], never)).rejects.toMatchObject({
      fault: { message: expect.stringMatching(/already has a passkey/) },
    });
    expect(await first.credentials()).toHaveLength(1);
    await authenticator({ transport: 'usb' });
    expect((await passkeys.create([id], never)).id).not.toBe(id);
  });

  it('that was removed unlocks nothing, and its message says so', async () => {
    const { remove } = await authenticator();
    const passkeys = createPasskeys();
    const { id } = await passkeys.create([], never);
    await remove();
    await expect(passkeys.use([id], never)).rejects.toMatchObject({
      fault: { code: 'unauthorized', message: 'No passkey was used, so the keys stay locked.' },
    });
  });

  it('is neither made nor used if the user cancels', async () => {
    const { verify, credentials } = await authenticator();
    const passkeys = createPasskeys();
    const { id } = await passkeys.create([], never);
    await verify(false);
    await expect(passkeys.use([id], never)).rejects.toMatchObject({
      fault: { message: expect.stringMatching(/^No passkey was used/) },
    });
    await expect(passkeys.create([], never)).rejects.toMatchObject({ fault: { message: 'No passkey was added.' } });
    expect(await credentials()).toHaveLength(1);
  });

  it('is no longer asked for if the page stops waiting', async () => {
    const passkeys = createPasskeys();
    const leaving = new AbortController();
    const asking = passkeys.create([], leaving.signal);
    leaving.abort();
    await expect(asking).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is refused if its authenticator computes no secrets', async () => {
    await authenticator({ hasPrf: false });
    await expect(createPasskeys().create([], never)).rejects.toMatchObject({
      fault: { message: expect.stringMatching(/can’t encrypt keys/) },
    });
  });

  it('is used at once if its authenticator computes secrets only then', async () => {
    await authenticator();
    const get = vi.spyOn(navigator.credentials, 'get');
    const passkeys = createPasskeys();
    await passkeys.create([], never);
    expect(get).not.toHaveBeenCalled();
    for (const prf of [{ enabled: true }, undefined]) {
      vi.spyOn(PublicKeyCredential.prototype, 'getClientExtensionResults').mockReturnValueOnce(prf ? { prf } : {});
      get.mockClear();
      const made = await passkeys.create([], never);
      expect(get).toHaveBeenCalledOnce();
      expect(await passkeys.use([made.id], never)).toEqual(made);
    }
  });
});

it('passkeys are not offered at IP addresses, or if the browser cannot compute secrets with them', async () => {
  for (const address of ['127.0.0.1', '192.168.1.20', '[::1]'])
    expect(await createPasskeys(address).problem()).toBe('ip-address');
  vi.spyOn(PublicKeyCredential, 'getClientCapabilities').mockResolvedValue({ 'extension:prf': false });
  expect(await createPasskeys('podium.example').problem()).toBe('unsupported');
});
