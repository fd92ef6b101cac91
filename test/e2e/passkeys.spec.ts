/** @file Tests keys that a passkey unlocks. Browsers allow passkeys at host names only, so these tests open the page at `localhost`. */
import { PAGE_PORT } from './host';
import { expect, test } from './podium';

const CANARY = 'sk-canary-5f0e1d2c3b4a59687786';

test.describe('at localhost', () => {
  test.use({ baseURL: `http://localhost:${PAGE_PORT}` });

  test('one click beside Run unlocks a key that a passkey encrypts, until the passkey is removed @smoke', async ({
    page,
    podium,
    server,
    axe,
  }) => {
    const authenticators = await page.context().newCDPSession(page);
    await authenticators.send('WebAuthn.enable');
    const { authenticatorId } = await authenticators.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        ctap2Version: 'ctap2_1',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        hasPrf: true,
      },
    });
    await podium.addWorker({ address: server.url, model: 'ok@passkey', key: CANARY, name: 'Desk' });
    await page.goto('/#/settings');
    await page.getByRole('button', { name: 'Save with a passkey' }).click();
    await expect(page.getByText('Keys are now saved in this browser.')).toBeVisible();
    await axe.check('keys that a passkey unlocks');

    await podium.open();
    await page.reload();
    await expect(page.getByText('Keys are locked.')).toBeVisible();
    await axe.check('locked keys beside Run');
    await page.getByRole('button', { name: 'Unlock with passkey' }).click();
    await expect(page.getByText('Keys are locked.')).toBeHidden();
    await podium.runWithOnly('Desk');
    await podium.ended();
    expect(server.calls('ok@passkey').at(-1)?.headers.authorization).toBe(`Bearer ${CANARY}`);

    await authenticators.send('WebAuthn.clearCredentials', { authenticatorId });
    await page.reload();
    await page.getByRole('button', { name: 'Unlock with passkey' }).click();
    await expect(
      page.getByText(/^No passkey was used, so the keys stay locked\. If you have lost the passkey/),
    ).toBeVisible();
  });
});
