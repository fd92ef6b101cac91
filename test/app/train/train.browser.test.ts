/** @file Tests the page *Train*. The tests send the reports that a real training run would send. */
import { describe, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import Train from '../../../src/app/train/TrainPage.svelte';
import { fault, FaultError, type KeptPolicy, type PolicyFile } from '../../../src/core/contract';
import { parseCheckpoint, readCheckpoint } from '../../../src/core/policy/checkpoint';
import { trialSeed } from '../../../src/core/training/evaluation/gate';
import type { UpdateFigures } from '../../../src/core/training/learning/figures';
import type { Order, TrainingReport } from '../../../src/core/training/orders';
import { heldOut, keptPolicy } from '../../fixtures/kept-policy';
import { MemoryNotices } from '../../fixtures/memory-locks';
import { eventually } from '../../fixtures/eventually';
import { conductStage } from '../conduct/conduct-services';
import PageHost from '../PageHost.svelte';

const SHIPPED: PolicyFile = keptPolicy('shipped').checkpoint;

class HandDesk {
  readonly orders: Order[] = [];
  readonly #reports: (TrainingReport | Error | 'finished')[] = [];
  #wake: () => void = () => undefined;

  report(...reports: (TrainingReport | Error | 'finished')[]): void {
    this.#reports.push(...reports);
    this.#wake();
  }

  async *carryOut(order: Order, signal: AbortSignal): AsyncGenerator<TrainingReport> {
    this.orders.push(order);
    signal.addEventListener('abort', () => this.#wake());
    for (;;) {
      signal.throwIfAborted();
      const next = this.#reports.shift();
      if (next instanceof Error) throw next;
      if (next === 'finished') return;
      if (next) yield next;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
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

async function show(kept: KeptPolicy[] = [], { putFails = false } = {}) {
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
    read: (file: unknown) => (readCheckpoint(file) ? parseCheckpoint(file) : null),
  };
  const notices = new MemoryNotices();
  const services = { ...base.services, notices: notices.tab(), training: () => Promise.resolve(training) };
  // Another tab.
  const other = notices.tab();
  const screen = await render(PageHost, { services, page: Train });
  const region = (name: string) => screen.getByRole('region', { name, exact: true });
  await expect.element(region('Policies')).toBeVisible();
  const press = (name: string) => screen.getByRole('button', { name, exact: true }).click();
  return {
    desk,
    store,
    preferences: base.preferences,
    services,
    other,
    screen,
    region,
    press,
    reread: () => other.notifyPolicies(),
  };
}

describe('a training run', () => {
  test('shows progress and curves, compares its policy, and offers to use the policy', async () => {
    const { desk, store, preferences, screen, region, press } = await show();
    await screen.getByRole('radio', { name: 'Paper' }).click();
    await screen.getByRole('textbox', { name: 'Updates' }).fill('40');
    await press('Start training');
    await expect.element(screen.getByText('Generating simulated workers and their history')).toBeVisible();
    expect(desk.orders[0]).toMatchObject({ kind: 'train', loss: 'paper', updates: 40, seed: 1, start: SHIPPED });
    desk.report(
      { type: 'began', phase: 'updates' },
      { type: 'validated', update: 0, right: 0.8, calls: 5, heuristic: 0.75 },
    );
    desk.report(updated(1), updated(2));
    await expect.element(screen.getByText('Update 2 of 40')).toBeVisible();
    await expect.element(screen.getByText('reward 0.812')).toBeVisible();
    await expect.element(region('Curves').getByRole('img', { name: 'steps: 4.5.' })).toBeVisible();
    await expect.element(region('Curves').getByRole('img', { name: /fan-in: 65 %/ })).toBeVisible();
    await expect.element(region('Curves').getByRole('img', { name: /best: 60 %, second: 20 %/ })).toBeVisible();
    desk.report(improved, 'finished');
    await expect.element(screen.getByText('Comparing on item 0 of 4,000')).toBeVisible();
    expect(desk.orders[1]).toMatchObject({ kind: 'compare', inUse: SHIPPED });
    desk.report({ type: 'compared', heldOut: heldOut(0.02) }, 'finished');
    await expect.element(region('Candidate')).toHaveTextContent(/You can use this policy/);
    await press('Use it');
    const [id] = store.keys();
    expect(preferences().policy).toBe(id);
    await expect.element(region('Policies').getByText('in use', { exact: true })).toBeVisible();
    await press('Use the policy included with Podium');
    expect(preferences().policy).toBeNull();
  });

  test('keeps its best policy when stopped, and does not offer to use a policy that lost the comparison', async () => {
    const { desk, store, screen, region, press } = await show();
    await press('Start training');
    desk.report({ type: 'began', phase: 'updates' }, updated(20), improved);
    await expect.element(screen.getByText('best so far: after update 20')).toBeVisible();
    await press('Stop');
    await expect.element(screen.getByText(/Comparing on item/)).toBeVisible();
    desk.report({ type: 'compared', heldOut: heldOut(-0.02) }, 'finished');
    await expect.element(region('Candidate')).toHaveTextContent(/You can’t use this policy/);
    await expect.element(screen.getByRole('button', { name: 'Use it' })).not.toBeInTheDocument();
    await press('Discard');
    await screen.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await eventually(() => expect(store.size).toBe(0));
    await expect.element(region('Candidate')).not.toBeInTheDocument();
  });

  test('shows that it was stopped before the first result, or why it failed', async () => {
    const { desk, screen, press } = await show();
    await press('Start training');
    await expect.element(screen.getByText('Generating simulated workers and their history')).toBeVisible();
    await press('Stop');
    await expect.element(screen.getByText('Stopped before the first result.')).toBeVisible();
    desk.report(new FaultError(fault('internal', 'The training broke off.')));
    await press('Start training');
    await expect.element(screen.getByRole('alert')).toHaveTextContent('The training broke off.');
    await expect.element(screen.getByRole('button', { name: 'Start training' })).toBeEnabled();
  });

  test('keeps no policy if none is better than the starting policy', async () => {
    const { desk, store, screen, press } = await show();
    await press('Start training');
    desk.report({ type: 'began', phase: 'updates' }, updated(1), 'finished');
    await expect
      .element(screen.getByText(/No update was better than the starting policy on the validation items/))
      .toBeVisible();
    expect(store.size).toBe(0);
    expect(desk.orders).toHaveLength(1);
  });

  test('ends when its stored policy is deleted, and ignores later reports', async () => {
    const { desk, store, screen, press } = await show();
    await press('Start training');
    desk.report({ type: 'began', phase: 'updates' }, updated(20), improved);
    await press('Delete Seed 1, after update 20');
    await screen.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    desk.report({ ...improved, update: 40 }, 'finished');
    await expect.element(screen.getByRole('button', { name: 'Start training' })).toBeVisible();
    expect(store.size).toBe(0);
    expect(desk.orders).toHaveLength(1);
    await expect.element(screen.getByText(/Stopped before/)).not.toBeInTheDocument();
  });

  test('ends when another tab deletes its policy, and does not store the policy again', async () => {
    const { desk, store, other, screen, press } = await show();
    await press('Start training');
    desk.report({ type: 'began', phase: 'updates' }, updated(20), improved);
    await expect.element(screen.getByRole('button', { name: 'Delete Seed 1, after update 20' })).toBeVisible();
    store.clear();
    other.notifyPolicies();
    await expect.element(screen.getByRole('button', { name: /^Delete Seed 1/ })).not.toBeInTheDocument();
    desk.report({ ...improved, update: 40 });
    await expect.element(screen.getByRole('button', { name: 'Start training' })).toBeVisible();
    expect(store.size).toBe(0);
  });

  test('shows an error if its policy cannot be stored', async () => {
    const { desk, screen, press } = await show([], { putFails: true });
    await press('Start training');
    desk.report({ type: 'began', phase: 'updates' }, updated(20), improved);
    await expect.element(screen.getByRole('alert')).toHaveTextContent('There is no room left.');
  });

  test('uses graded runs only if the user turns this on, and shows an error if no run can be used', async () => {
    const { desk, screen, press } = await show();
    await press('Start training');
    await eventually(() => expect(desk.orders[0]).toMatchObject({ own: [] }));
    await press('Stop');
    await screen.getByRole('group', { name: 'Learn from your graded runs' }).getByRole('radio', { name: 'On' }).click();
    await press('Start training');
    await expect
      .element(screen.getByRole('alert'))
      .toHaveTextContent('None of your saved runs can be used for training yet.');
    expect(desk.orders).toHaveLength(1);
  });

  test('warns if nearly every workflow has only one step', async () => {
    const { desk, screen, press } = await show();
    await press('Start training');
    desk.report({ type: 'began', phase: 'updates' }, updated(1, 1.02));
    await expect.element(screen.getByText(/Nearly every workflow has one step now/)).toBeVisible();
    await press('Stop');
  });
});

describe('the policies', () => {
  test('can be used only if a comparison allows it, and deleting the used policy restores the shipped one', async () => {
    const ready = keptPolicy('1', { name: 'Ready', heldOut: heldOut(0.01) });
    const { preferences, store, screen, press } = await show([
      ready,
      keptPolicy('2', { name: 'New' }),
      keptPolicy('4', { name: 'Second', heldOut: heldOut(0.02) }),
      keptPolicy('3', { name: 'Loser', heldOut: heldOut(-0.1) }),
      keptPolicy('5', { name: 'Hasty', heldOut: { ...heldOut(-0.005), items: 600 } }),
    ]);
    await expect.element(screen.getByRole('button', { name: 'Compare New' })).toBeEnabled();
    await expect.element(screen.getByRole('button', { name: 'Use New' })).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Use Loser' })).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Compare Loser' })).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Use Hasty' })).not.toBeInTheDocument();
    await expect.element(screen.getByText(/too few to decide whether it can be used/)).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Compare Hasty' })).toBeEnabled();
    await press('Use Ready');
    expect(preferences().policy).toBe('1');
    await eventually(() => expect(store.get('1')?.wasUsed).toBe(true));
    await expect.element(screen.getByText(/compared with a policy that is no longer in use/)).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Compare Second' })).toBeEnabled();
    await press('Delete Ready');
    await expect
      .element(screen.getByRole('dialog'))
      .toHaveTextContent('the policy included with Podium will replace it');
    await screen.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await eventually(() => expect([...store.keys()]).toEqual(['2', '4', '3', '5']));
    expect(preferences().policy).toBeNull();
  });

  test('are not stored again if the user deletes them during their comparison', async () => {
    const { desk, store, screen, press } = await show([keptPolicy('1', { name: 'Mine' })]);
    await press('Compare Mine');
    await expect.element(screen.getByText(/Comparing on item/)).toBeVisible();
    await press('Delete Mine');
    await screen.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    desk.report({ type: 'compared', heldOut: heldOut(0.02) }, 'finished');
    await expect.element(screen.getByRole('button', { name: 'Start training' })).toBeVisible();
    expect(store.size).toBe(0);
    await expect.element(screen.getByText('Mine', { exact: true })).not.toBeInTheDocument();
  });

  test('with equal weights are compared on the same puzzles, however they were added', async () => {
    const { checkpoint } = keptPolicy('1');
    const again = { ...checkpoint, revision: 'another-name' };
    const { desk, screen, press } = await show([
      keptPolicy('1', { name: 'Mine' }),
      keptPolicy('2', { name: 'Again', checkpoint: again, origin: { kind: 'imported', file: 'again.json' } }),
    ]);
    for (const name of ['Mine', 'Again']) {
      await press(`Compare ${name}`);
      desk.report('finished');
      await expect.element(screen.getByRole('button', { name: 'Start training' })).toBeVisible();
    }
    const seeds = desk.orders.map(({ seed }) => seed);
    expect(seeds).toEqual([trialSeed(checkpoint), trialSeed(checkpoint)]);
  });

  test('made for another version of Podium are marked, and can only be exported and deleted', async () => {
    const { checkpoint } = keptPolicy('1');
    const old = keptPolicy('1', { name: 'Old', wasUsed: true, checkpoint: { ...checkpoint, workerFeatures: 3 } });
    const { services, store, screen, region, press, reread } = await show([old]);
    await services.preferences.write({ policy: '1' });
    reread();
    await expect.element(region('Policies')).toHaveTextContent('made for another version of Podium');
    await expect.element(region('Policies').getByText('in use', { exact: true })).toBeVisible();
    await expect
      .element(screen.getByRole('button', { name: 'Use the policy included with Podium' }))
      .not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Use Old' })).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Compare Old' })).not.toBeInTheDocument();
    await expect.element(screen.getByRole('button', { name: 'Export Old' })).toBeEnabled();
    await press('Delete Old');
    await screen.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await eventually(() => expect(store.size).toBe(0));
  });

  test('are synchronized between tabs', async () => {
    const ready = keptPolicy('1', { name: 'Ready', heldOut: heldOut(0.01) });
    const { services, store, other, screen, region, press, reread } = await show([ready]);
    let notified = 0;
    other.listenPolicies(() => (notified += 1));
    await press('Use Ready');
    await eventually(() => expect(notified).toBe(1));
    await services.preferences.write({ policy: null });
    reread();
    await expect.element(screen.getByRole('button', { name: 'Use Ready' })).toBeVisible();
    store.delete('1');
    reread();
    await expect.element(region('Policies')).not.toHaveTextContent('Ready');
  });

  test('show the file name of an imported policy as text, not as HTML', async () => {
    const { screen, region } = await show();
    const named = { ...SHIPPED, revision: '<img src="x" onerror="alert(1)">' };
    await screen
      .getByLabelText('Import a policy')
      .last()
      .upload(new File([JSON.stringify(named)], '<b>mine.json'));
    await expect.element(region('Policies')).toHaveTextContent('imported from <b>mine.json');
    await screen
      .getByLabelText('Import a policy')
      .last()
      .upload(new File([JSON.stringify({ ...SHIPPED, revision: '' })], 'nameless.json'));
    await expect
      .element(screen.getByRole('alert'))
      .toHaveTextContent('nameless.json is not a policy that this version can read.');
    expect(document.querySelector('main img, main b')).toBeNull();
  });

  test('are imported from files, and an invalid file changes nothing', async () => {
    const { store, screen, region } = await show();
    const input = screen.getByLabelText('Import a policy').last();
    await input.upload(new File(['{"format":"podium-policy"}'], 'bad.json'));
    await expect
      .element(screen.getByRole('alert'))
      .toHaveTextContent('bad.json is not a policy that this version can read.');
    expect(store.size).toBe(0);
    await input.upload(new File([JSON.stringify(SHIPPED)], 'mine.json'));
    await expect.element(region('Policies')).toHaveTextContent('imported from mine.json');
    await expect.element(screen.getByRole('alert')).not.toBeInTheDocument();
    expect([...store.values()][0]?.checkpoint).toEqual(SHIPPED);
  });
});
