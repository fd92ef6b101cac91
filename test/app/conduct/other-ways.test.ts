import { describe, expect, it } from 'vitest';
import { browserWays } from '../../../src/app/conduct/other-ways';
import type { ModelDesk } from '../../../src/app/services';
import type { FitVerdict, MachineProbe } from '../../../src/core/contract';
import { fitModel } from '../../../src/platform/engine/fit';
import { DESK, LARGE, modelStage, NO_GPU, SMALL } from '../models/model-services';

async function desk(machine: MachineProbe, changes: Partial<ModelDesk> = {}): Promise<ModelDesk> {
  return { ...(await modelStage(machine).services.desk()), ...changes };
}

const names = (ways: Awaited<ReturnType<typeof browserWays>>) =>
  ways.map(({ name, download }) => [name, download] as const);

describe('the ways to answer in the browser', () => {
  it('name the recommended model and its download', async () => {
    const [way] = await browserWays(await desk(DESK));
    expect(way).toMatchObject({ about: `${LARGE.label}, for example.`, download: 'Once, about 4.3 GB', price: 'Free' });
  });

  it('name a model that fits if the recommended one does not', async () => {
    const [way] = await browserWays(await desk(NO_GPU));
    expect(way).toMatchObject({ about: `${SMALL.label}, for example.`, link: { href: '#/models' } });
  });

  it('say so if the model is on this machine', async () => {
    const cached = [{ manifestId: LARGE.id, bytes: 1, total: 1, complete: true }];
    const ways = await browserWays(
      await desk(DESK, { cache: { list: () => Promise.resolve(cached), delete: () => Promise.resolve() } }),
    );
    expect(names(ways)).toEqual([['A model in this browser', 'Done']]);
  });

  it('give the reason instead of a link if no model fits', async () => {
    const fit = (): FitVerdict => ({ fit: 'no', reasons: ['This device is too small.'], instead: null });
    const [way] = await browserWays(await desk(NO_GPU, { fit }));
    expect(way).toMatchObject({ about: 'This device is too small.', download: '', link: null });
  });

  it.each([
    [
      'available',
      [
        ['A model in this browser', 'Once, about 4.3 GB'],
        ['The browser’s own model', 'Done'],
      ],
    ],
    [
      'downloadable',
      [
        ['A model in this browser', 'Once, about 4.3 GB'],
        ['The browser’s own model', 'Once, several GB, by the browser'],
      ],
    ],
    ['unavailable', [['A model in this browser', 'Once, about 4.3 GB']]],
  ] as const)('include the browser’s own model if the browser can run it: %s', async (browserModel, expected) => {
    const machine = { ...DESK, browserModel };
    expect(names(await browserWays(await desk(machine, { fit: fitModel })))).toEqual(expected);
  });
});
