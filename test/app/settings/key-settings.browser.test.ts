import { describe, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import Settings from '../../../src/app/settings/SettingsPage.svelte';
import { fault, FaultError, type Passkeys } from '../../../src/core/contract';
import { memoryVault } from '../../fixtures/memory-vault';
import { testPasskeys } from '../../fixtures/test-passkeys';
import { conductStage } from '../conduct/conduct-services';
import PageHost from '../PageHost.svelte';

const PASSPHRASE = 'four words of a phrase';

async function show(passkeys: Partial<Passkeys> = {}, kept: Parameters<typeof memoryVault>[0] = null) {
  const vault = memoryVault(kept);
  const shared = testPasskeys(passkeys);
  const services = { ...conductStage().services, vault, passkeys: () => Promise.resolve(shared) };
  const screen = await render(PageHost, { services, page: Settings });
  const press = (name: string) => screen.getByRole('button', { name, exact: true }).click();
  return { screen, vault, press };
}

describe('the keys in Settings', () => {
  test('are saved with a passkey, unlocked with one click, and can have another passkey and a passphrase', async () => {
    const { screen, vault, press } = await show();
    await press('Save with a passkey');
    await expect.element(screen.getByText('Keys are now saved in this browser.')).toBeVisible();
    await expect.element(screen.getByText(/If you lose it, the keys are lost/)).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Remove passkey' })).not.toBeInTheDocument();
    await press('Lock');
    await press('Unlock with passkey');
    await expect.element(screen.getByText('Saved here, unlocked')).toBeVisible();

    await press('Add a passkey');
    await expect.element(screen.getByText('Passkey added.')).toBeVisible();
    await press('Add a passphrase');
    await screen.getByLabelText('New passphrase').fill(PASSPHRASE);
    await screen.getByLabelText('Confirm passphrase').fill(PASSPHRASE);
    await press('Add');
    await expect.element(screen.getByText('Passphrase added.')).toBeVisible();
    await expect.element(screen.getByText(/the keys are lost/)).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Remove passkey' }).first().click();
    await expect.element(screen.getByText(/^Passkey removed/)).toBeVisible();
    await press('Remove passphrase');
    await expect.element(screen.getByText('Passphrase removed.')).toBeVisible();
    expect((await vault.locks()).map(({ id }) => id)).toEqual(['passkey 2']);
  });

  test('stay in memory if the user cancels, and the page says what happened', async () => {
    const cancelled = new FaultError(fault('unauthorized', 'No passkey was added.', { retryable: true }));
    const { screen, press } = await show({ create: () => Promise.reject(cancelled) });
    await press('Save with a passkey');
    await expect.element(screen.getByRole('alert').getByText('No passkey was added.')).toBeVisible();
    await expect.element(screen.getByText('In memory only')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Save with a passkey' })).toBeEnabled();
  });

  test('have no passkey where there can be none, with the reason', async () => {
    const { screen } = await show({ problem: () => Promise.resolve('ip-address') });
    await expect.element(screen.getByText(/^Browsers don’t allow passkeys at an IP address/)).toBeVisible();
    await expect.element(screen.getByRole('button', { name: /passkey/ })).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Save with a passphrase' })).toBeVisible();
  });

  test('are unlocked with the passphrase if the passkey is gone or belongs to another site', async () => {
    const { screen, vault, press } = await show(
      { use: () => Promise.reject(new FaultError(fault('unauthorized', 'No passkey was used.'))) },
      { passphrase: PASSPHRASE },
    );
    await vault.addLock({ id: 'lost', site: 'localhost', output: new Uint8Array(32) });
    await press('Unlock with passkey');
    await expect.element(screen.getByRole('alert').getByText('No passkey was used.')).toBeVisible();
    await press('Use the passphrase');
    await screen.getByLabelText('Passphrase').fill(PASSPHRASE);
    await press('Unlock');
    await expect.element(screen.getByText('Saved here, unlocked')).toBeVisible();

    const elsewhere = await show({ site: 'podium.example' });
    await elsewhere.vault.create({ id: 'phone', site: 'localhost', output: new Uint8Array(32) });
    elsewhere.vault.lock();
    await expect.element(elsewhere.screen.getByText(/^Only a passkey of localhost unlocks them/)).toBeVisible();
  });
});
