import { router } from 'svelte-spa-router';
import { describe, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import Workers from '../../../src/app/workers/WorkersPage.svelte';
import type { Services } from '../../../src/app/services';
import { fault, FaultError, type WorkerCheck, type WorkerSetup } from '../../../src/core/contract';
import { KNOWN_MODELS } from '../../../src/platform/workers/known-models';
import { checkAddress } from '../../../src/platform/workers/check-address';
import { memoryKeys } from '../../fixtures/memory-keys';
import { memorySetups } from '../../fixtures/memory-setups';
import { MemorySpending } from '../../fixtures/memory-spending';
import { FakeClock } from '../../fixtures/fake-clock';
import { eventually } from '../../fixtures/eventually';
import { scriptedTester } from '../../fixtures/scripted-tester';
import { conductStage } from '../conduct/conduct-services';
import PageHost from '../PageHost.svelte';

const HOST = 'https://api.example.com';
const BIG: WorkerSetup = {
  id: 'w1',
  name: 'Big',
  mark: 'Bg',
  colour: 6,
  baseUrl: `${HOST}/v1`,
  model: 'big-1',
  price: { input: 1, output: 2 },
  description: '',
  needsKey: true,
};

function stage({ memory = memorySetups(), checks = [] as readonly WorkerCheck[] } = {}) {
  const base = conductStage();
  const keys = memoryKeys();
  const services: Services = {
    ...base.services,
    setups: memory.setups,
    connections: memory.connections,
    keys,
    addressCheck: () => Promise.resolve(checkAddress),
    tester: () =>
      Promise.resolve(
        scriptedTester({
          async *test() {
            yield* checks;
          },
          models: () => Promise.resolve([{ id: 'big-1' }, { id: 'small-1' }]),
        }),
      ),
  };
  return { ...base, services, setups: memory, keys, show: () => render(PageHost, { services, page: Workers }) };
}

describe('Workers', () => {
  test('shows that the user has added no worker, and lists the simulated workers without buttons', async () => {
    const screen = await stage().show();
    await expect.element(screen.getByText(/^None yet\./)).toBeVisible();
    const simulated = screen.getByRole('region', { name: 'Simulated' });
    await expect.element(simulated.getByText('Alder', { exact: true })).toBeVisible();
    await expect.element(simulated.getByRole('button')).not.toBeInTheDocument();
  });

  test('adds models of a connection, puts them into the pool and stores the key separately', async () => {
    const { services, setups, keys, preferences, show } = stage();
    await services.preferences.write({ ...preferences(), pool: ['sim:alder'] });
    const screen = await show();
    await screen.getByRole('button', { name: 'Add a connection' }).click();
    await screen.getByLabelText('Provider').selectOptions('custom');
    await screen.getByLabelText('Address').fill(`${HOST}/v1/`);
    await screen.getByRole('textbox', { name: 'Key' }).fill('secret');
    await screen.getByRole('button', { name: 'Connect', exact: true }).click();
    await screen.getByRole('checkbox', { name: /^big-1/ }).click();
    await screen.getByRole('checkbox', { name: /^small-1/ }).click();
    await screen.getByRole('button', { name: 'Add 2 workers' }).click();
    await expect.element(screen.getByText(`${HOST}/v1, 2 workers`)).toBeVisible();
    await expect.element(screen.getByText('key in memory')).toBeVisible();
    await expect.element(screen.getByText('price unknown').first()).toBeVisible();
    const [added, other] = setups.kept.values();
    expect(added).toMatchObject({ name: 'big-1', baseUrl: `${HOST}/v1`, needsKey: true });
    expect(JSON.stringify([...setups.kept.values()])).not.toContain('secret');
    expect(keys.get(added?.connection ?? '', HOST)).toBe('secret');
    expect(preferences().pool).toEqual([added?.id, other?.id]);
    expect(preferences().otherPool).toEqual(['sim:alder']);
  });

  test('shows problems in place, and keeps what was typed', async () => {
    const { setups, show } = stage();
    const screen = await show();
    await screen.getByRole('button', { name: 'Add a connection' }).click();
    await screen.getByLabelText('Provider').selectOptions('custom');
    await screen.getByLabelText('Address').fill('ftp://example.com');
    await screen.getByRole('button', { name: 'Connect', exact: true }).click();
    await expect.element(screen.getByText('The address must start with http:// or https://.')).toBeVisible();
    await expect.element(screen.getByLabelText('Address')).toHaveValue('ftp://example.com');
    expect(setups.connected.size).toBe(0);
  });

  test('keeps opened sections open when a field outside them has a problem', async () => {
    const screen = await stage({ memory: memorySetups(BIG) }).show();
    await screen.getByRole('button', { name: 'Edit Big' }).click();
    await screen.getByText('Name, strengths and price').click();
    await screen.getByText('More settings').click();
    await screen.getByRole('combobox', { name: 'Model' }).fill('');
    await screen.getByRole('button', { name: 'Test' }).click();
    await expect.element(screen.getByText(/^Enter the model’s name/)).toBeVisible();
    await expect.element(screen.getByLabelText('Input price', { exact: true })).toBeVisible();
    await expect.element(screen.getByLabelText('Temperature')).toBeVisible();
  });

  test('shows the results of a worker test', async () => {
    const refused = fault('unauthorized', 'The key was refused.');
    const checks: WorkerCheck[] = [
      { name: 'address', state: 'passed', detail: 'It answers and lists 2 models.' },
      { name: 'answer', state: 'failed', detail: refused.message, fault: refused },
    ];
    const screen = await stage({ memory: memorySetups(BIG), checks }).show();
    await screen.getByRole('button', { name: 'Edit Big' }).click();
    await screen.getByRole('button', { name: 'Test' }).click();
    const found = screen.getByRole('list', { name: 'Test' });
    await expect.element(found.getByText('It answers and lists 2 models.')).toBeVisible();
    await expect.element(found.getByText('The key was refused.')).toBeVisible();
  });

  test('edits a worker in place', async () => {
    const { setups, show } = stage({ memory: memorySetups(BIG) });
    const screen = await show();
    await expect.element(screen.getByText('key needed again')).toBeVisible();
    await screen.getByRole('button', { name: 'Edit Big' }).click();
    await screen.getByRole('combobox', { name: 'Model' }).fill('big-2');
    await screen.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(screen.getByText('big-2')).toBeVisible();
    expect(setups.kept.get('w1')).toMatchObject({ ...BIG, model: 'big-2' });
  });

  test('a link asks for the price of a worker, and saving it returns to the measurement that needs it', async () => {
    const { setups, show } = stage({ memory: memorySetups({ ...BIG, price: null }) });
    location.hash = '#/workers?edit=w1';
    await eventually(() => expect(router.querystring).toBe('edit=w1'));
    const screen = await show();
    await screen.getByLabelText('Input price', { exact: true }).fill('0');
    await screen.getByLabelText('Output price', { exact: true }).fill('0');
    await screen.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually(() => expect(location.hash).toBe('#/workers/measure'));
    expect(setups.kept.get('w1')?.price).toEqual({ input: 0, output: 0 });
  });

  test('a link to a worker that was removed opens no form, and a later edit stays on the page', async () => {
    const { show } = stage({ memory: memorySetups(BIG) });
    location.hash = '#/workers?edit=gone';
    await eventually(() => expect(router.querystring).toBe('edit=gone'));
    const screen = await show();
    await screen.getByRole('button', { name: 'Edit Big' }).click();
    await screen.getByRole('combobox', { name: 'Model' }).fill('big-2');
    await screen.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(screen.getByText('big-2')).toBeVisible();
    expect(location.hash).toBe('#/workers?edit=gone');
  });

  test('shows the published scores of a model, and stores the published model and the rating that the user chooses', async () => {
    const { services, setups } = stage({ memory: memorySetups({ ...BIG, model: 'openai/gpt-5' }) });
    const known = { ...services, knownModels: () => Promise.resolve(KNOWN_MODELS) };
    const screen = await render(PageHost, { services: known, page: Workers });
    await screen.getByRole('button', { name: 'Edit Big' }).click();
    await screen.getByText('About this model').click();
    await expect
      .element(screen.getByText(/Published: maths 61 %, code 46 %, science 73 %, knowledge 61 %/))
      .toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Tables 7 and 8' })).toBeVisible();
    await screen.getByLabelText('Published as').selectOptions('None of these');
    await expect.element(screen.getByText('No published benchmark results.')).toBeVisible();
    await screen.getByLabelText('Your rating: code').fill('120');
    await screen.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(screen.getByText('Enter a number from 0 to 100, or leave it empty.')).toBeVisible();
    await screen.getByLabelText('Your rating: code').fill('85');
    await screen.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.element(screen.getByRole('button', { name: 'Edit Big' })).toBeVisible();
    expect(setups.kept.get('w1')).toMatchObject({ knownAs: null, domains: { code: 0.85 } });
  });

  test('removes a worker after confirmation', async () => {
    const { setups, show } = stage({ memory: memorySetups(BIG) });
    const screen = await show();
    await screen.getByRole('button', { name: 'Remove Big' }).click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Keep' }).click();
    expect(setups.kept.size).toBe(1);
    await screen.getByRole('button', { name: 'Remove Big' }).click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect.element(screen.getByText(`${HOST}/v1, 0 workers`)).toBeVisible();
    expect(setups.kept.size).toBe(0);
  });

  test('removes a connection with its workers and its key after confirmation', async () => {
    const { setups, keys, show } = stage({ memory: memorySetups(BIG) });
    keys.set('connection:w1', HOST, 'secret');
    const screen = await show();
    await screen.getByRole('button', { name: 'Remove the connection api.example.com' }).click();
    await expect.element(screen.getByRole('dialog').getByText(/its key and 1 worker are deleted/)).toBeVisible();
    await screen.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect.element(screen.getByText(/^None yet\./)).toBeVisible();
    expect([setups.kept.size, setups.connected.size, keys.get('connection:w1', HOST)]).toEqual([0, 0, null]);
  });

  test('shows what was spent, and mentions calls of unknown cost only if there are any', async () => {
    const spending = new MemorySpending(new FakeClock(), null);
    const services = { ...stage({ memory: memorySetups(BIG) }).services, spending };
    const show = () => render(PageHost, { services, page: Workers });
    const spend = async (usd: number | null) => {
      const held = await spending.hold({ runId: 'run', workerId: 'w1', name: 'Big', usd: 0.5 });
      if (held.type === 'held') await spending.settle(held.id, { usd, billed: false, tokens: 10 });
    };
    await spend(0.25);
    const note = 'Tokens times price, because no provider reported the cost.';
    const screen = await show();
    const spent = screen.getByRole('region', { name: 'Spent' });
    await expect.element(spent.getByText(note, { exact: true })).toBeVisible();
    await spend(null);
    await screen.unmount();
    await expect.element((await show()).getByText(`${note} 1 call of unknown cost,`)).toBeVisible();
  });

  test('shows that a worker could not be stored, and keeps the models checked', async () => {
    const full = new FaultError(fault('storage-full', 'The disk is full.'));
    const memory = memorySetups();
    const setups = { ...memory.setups, put: () => Promise.reject(full) };
    const screen = await stage({ memory: { ...memory, setups } }).show();
    await screen.getByRole('button', { name: 'Add a connection' }).click();
    await screen.getByLabelText('Provider').selectOptions('custom');
    await screen.getByLabelText('Address').fill(HOST);
    await screen.getByRole('button', { name: 'Connect', exact: true }).click();
    await screen.getByRole('checkbox', { name: /^big-1/ }).click();
    await screen.getByRole('button', { name: 'Add 1 worker' }).click();
    await expect.element(screen.getByRole('alert').getByText('The disk is full.')).toBeVisible();
    await expect.element(screen.getByRole('checkbox', { name: /^big-1/ })).toBeChecked();
  });
});
