/** @file The Train page over a desk that tells what the test says, when it says so. */
import { describe, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import Train from '../../../src/app/pages/Train.svelte';
import { fault, FaultError, type KeptPolicy, type PolicyFile } from '../../../src/core/contract';
import { parseCheckpoint } from '../../../src/core/policy';
import type { Order, TrainingReport, UpdateFigures } from '../../../src/core/training/orders';
import { heldOut, keptPolicy } from '../../fixtures/kept-policy';
import { eventually } from '../../fixtures/eventually';
import { conductStage } from './conduct-services';
import PageHost from './PageHost.svelte';

const SHIPPED: PolicyFile = keptPolicy('shipped').checkpoint;

/** A desk whose reports the test gives. */
class HandDesk {
  readonly orders: Order[] = [];
  readonly #told: (TrainingReport | Error)[] = [];
  #wake: () => void = () => undefined;

  tell(...reports: (TrainingReport | Error)[]): void {
    this.#told.push(...reports);
    this.#wake();
  }

  async *carryOut(order: Order, signal: AbortSignal): AsyncGenerator<TrainingReport> {
    this.orders.push(order);
    signal.addEventListener('abort', () => this.#wake());
    for (;;) {
      signal.throwIfAborted();
      const next = this.#told.shift();
      if (next instanceof Error) throw next;
      if (next) yield next;
      if (next?.type === 'finished') return;
      if (!next) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

function figures(update: number, steps = 4.5): UpdateFigures {
  const topologies = { 'one step': 0.1, chain: 0.2, 'fan-in': 0.65, other: 0.05 };
  const means = { reward: 0.812, right: 0.7, calls: 4.4, loss: 0.01, gradient: 0.2, valid: 1, steps, entropy: 1.3 };
  return { update, ...means, topologies, ranks: [0.6, 0.2, 0.1, 0.1] };
}
const updated = (update: number, steps?: number): TrainingReport => ({
  type: 'updated',
  figures: figures(update, steps),
});
const improved: TrainingReport = { type: 'improved', update: 20, checkpoint: keptPolicy('best').checkpoint };

async function show(kept: KeptPolicy[] = [], putFails = false) {
  const desk = new HandDesk();
  const store = new Map(kept.map((policy) => [policy.id, policy]));
  const base = conductStage();
  const training = {
    desk,
    kept: {
      list: () => Promise.resolve([...store.values()]),
      get: (id: string) => Promise.resolve(store.get(id) ?? null),
      put(policy: KeptPolicy) {
        if (putFails) return Promise.reject(new FaultError(fault('storage-full', 'There is no room left.')));
        return Promise.resolve(void store.set(policy.id, policy));
      },
      delete: (id: string) => Promise.resolve(void store.delete(id)),
    },
    shipped: () => Promise.resolve(SHIPPED),
    read: (file: unknown) => parseCheckpoint(file),
  };
  const services = { ...base.services, training: () => Promise.resolve(training) };
  const screen = await render(PageHost, { services, page: Train });
  const region = (name: string) => screen.getByRole('region', { name, exact: true });
  await expect.element(region('Policies')).toBeVisible();
  const press = (name: string) => screen.getByRole('button', { name, exact: true }).click();
  return { desk, store, preferences: base.preferences, screen, region, press };
}

describe('a training', () => {
  test('shows how far it is and its curves, is compared, and is used', async () => {
    const { desk, store, preferences, screen, region, press } = await show();
    await screen.getByRole('radio', { name: 'Paper' }).click();
    await screen.getByRole('textbox', { name: 'Updates' }).fill('40');
    await press('Start training');
    await expect.element(screen.getByText('Drawing simulated workers and their past')).toBeVisible();
    expect(desk.orders[0]).toMatchObject({ kind: 'train', loss: 'paper', updates: 40, seed: 1, start: SHIPPED });
    desk.tell(
      { type: 'began', phase: 'updates' },
      { type: 'validated', update: 0, right: 0.8, calls: 5, heuristic: 0.75 },
    );
    desk.tell(updated(1), updated(2));
    await expect.element(screen.getByText('Update 2 of 40')).toBeVisible();
    await expect.element(screen.getByText('reward 0.812')).toBeVisible();
    await expect.element(region('Curves').getByRole('img', { name: 'steps: 4.5.' })).toBeVisible();
    await expect.element(region('Curves').getByRole('img', { name: /fan-in: 65 %/ })).toBeVisible();
    await expect.element(region('Curves').getByRole('img', { name: /best: 60 %, second: 20 %/ })).toBeVisible();
    desk.tell(improved, { type: 'finished' });
    await expect.element(screen.getByText('Comparing on item 0 of 600')).toBeVisible();
    expect(desk.orders[1]).toMatchObject({ kind: 'compare', inUse: SHIPPED });
    desk.tell({ type: 'compared', heldOut: heldOut(0.02) }, { type: 'finished' });
    await expect.element(region('Candidate')).toHaveTextContent(/It may be used/);
    await press('Use it');
    const [id] = store.keys();
    expect(preferences().policy).toBe(id);
    await expect.element(region('Policies').getByText('in use', { exact: true })).toBeVisible();
    await press('Use the one that comes with Podium');
    expect(preferences().policy).toBeNull();
  });

  test('that is stopped keeps the best so far, and what loses cannot be used', async () => {
    const { desk, store, screen, region, press } = await show();
    await press('Start training');
    desk.tell({ type: 'began', phase: 'updates' }, updated(20), improved);
    await expect.element(screen.getByText('best so far: after update 20')).toBeVisible();
    await press('Stop');
    await expect.element(screen.getByText(/Comparing on item/)).toBeVisible();
    desk.tell({ type: 'compared', heldOut: heldOut(-0.02) }, { type: 'finished' });
    await expect.element(region('Candidate')).toHaveTextContent(/It may not be used/);
    await expect.element(screen.getByRole('button', { name: 'Use it' })).not.toBeInTheDocument();
    await press('Discard');
    await screen.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await eventually(() => expect(store.size).toBe(0));
    await expect.element(region('Candidate')).not.toBeInTheDocument();
  });

  test('that is stopped at once says that nothing is kept, and one that breaks says why', async () => {
    const { desk, screen, press } = await show();
    await press('Start training');
    await expect.element(screen.getByText('Drawing simulated workers and their past')).toBeVisible();
    await press('Stop');
    await expect.element(screen.getByText('Stopped before there was anything to keep.')).toBeVisible();
    desk.tell(new FaultError(fault('internal', 'The training broke off.')));
    await press('Start training');
    await expect.element(screen.getByRole('alert')).toHaveTextContent('The training broke off.');
    await expect.element(screen.getByRole('button', { name: 'Start training' })).toBeEnabled();
  });

  test('says when there is no room to keep it', async () => {
    const { desk, screen, press } = await show([], true);
    await press('Start training');
    desk.tell({ type: 'began', phase: 'updates' }, updated(20), improved);
    await expect.element(screen.getByRole('alert')).toHaveTextContent('There is no room left.');
  });

  test('learns from graded runs only where that was asked for, and says where there are none', async () => {
    const { desk, screen, press } = await show();
    await press('Start training');
    await eventually(() => expect(desk.orders[0]).toMatchObject({ own: [] }));
    await press('Stop');
    await screen.getByRole('group', { name: 'Learn from your graded runs' }).getByRole('radio', { name: 'On' }).click();
    await press('Start training');
    await expect
      .element(screen.getByRole('alert'))
      .toHaveTextContent('None of your saved runs can be learned from yet.');
    expect(desk.orders).toHaveLength(1);
  });

  test('warns of workflows that shrink to one step', async () => {
    const { desk, screen, press } = await show();
    await press('Start training');
    desk.tell({ type: 'began', phase: 'updates' }, updated(1, 1.02));
    await expect.element(screen.getByText(/Nearly every workflow has one step now/)).toBeVisible();
    await press('Stop');
  });
});

describe('the policies', () => {
  test('are used only once compared, and the one in use gives way when it is deleted', async () => {
    const ready = keptPolicy('1', { name: 'Ready', heldOut: heldOut(0.01) });
    const { preferences, store, screen, press } = await show([
      ready,
      keptPolicy('2', { name: 'New' }),
      keptPolicy('4', { name: 'Second', heldOut: heldOut(0.02) }),
      keptPolicy('3', { name: 'Loser', heldOut: heldOut(-0.1) }),
    ]);
    await expect.element(screen.getByRole('button', { name: 'Compare New' })).toBeEnabled();
    await expect.element(screen.getByRole('button', { name: 'Use New' })).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Use Loser' })).not.toBeInTheDocument();
    await press('Use Ready');
    expect(preferences().policy).toBe('1');
    await eventually(() => expect(store.get('1')?.wasUsed).toBe(true));
    await expect.element(screen.getByText(/compared with another policy than the one in use now/)).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Compare Second' })).toBeEnabled();
    await press('Delete Ready');
    await expect
      .element(screen.getByRole('dialog'))
      .toHaveTextContent('the policy that comes with Podium takes its place');
    await screen.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await eventually(() => expect([...store.keys()]).toEqual(['2', '4', '3']));
    expect(preferences().policy).toBeNull();
  });

  test('are imported from files; one that is none changes nothing', async () => {
    const { store, screen, region } = await show();
    const input = screen.getByLabelText('Import a policy').last();
    await input.upload(new File(['{"format":"podium-policy"}'], 'bad.json'));
    await expect
      .element(screen.getByRole('alert'))
      .toHaveTextContent('bad.json is no policy that this version can read.');
    expect(store.size).toBe(0);
    await input.upload(new File([JSON.stringify(SHIPPED)], 'mine.json'));
    await expect.element(region('Policies')).toHaveTextContent('imported from mine.json');
    await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
    expect([...store.values()][0]?.checkpoint).toEqual(SHIPPED);
  });
});
