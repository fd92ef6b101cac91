import { beforeEach, describe, expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { fault, FaultError, type MachineProbe, type RunSummary, type SummaryPage } from '../../../src/core/contract';
import { MemoryStore } from '../../fixtures/memory-store';
import { gate, manifest, SPEED } from '../../platform/engine/scripted-loader';
import { conductStage } from '../conduct/conduct-services';
import { DESK, LARGE, modelStage, NO_GPU, SMALL, type ModelStage } from './model-services';
import ModelsHost from './ModelsHost.svelte';

beforeEach(() => sessionStorage.clear());

/** @param last The id of the model that was loaded last. `null` if none was. */
async function show(
  machine: MachineProbe = DESK,
  prepare: (stage: ModelStage) => void = () => undefined,
  last: string | null = null,
) {
  const models = modelStage(machine);
  prepare(models);
  const conduct = conductStage();
  await conduct.services.preferences.write({ ...conduct.preferences(), model: last });
  const screen = await render(ModelsHost, { services: { ...conduct.services, models: models.services } });
  const region = (name: string) => screen.getByRole('region', { name, exact: true });
  await expect.element(screen.getByRole('table')).toBeVisible();
  return { ...models, conduct, screen, region };
}

describe('this machine', () => {
  test('is described, and is offered the default model if that model fits', async () => {
    const { screen, region } = await show();
    await expect.element(region('This machine')).toHaveTextContent('A fine card through WebGPU, 16-bit shaders');
    await expect.element(region('This machine')).toHaveTextContent('61.0 GB free for this site');
    await expect.element(region('Large')).toHaveTextContent('Fits');
    await expect.element(region('Large').getByRole('button', { name: 'Download' })).toBeEnabled();
    await expect.element(screen.getByText('Large f32')).not.toBeInTheDocument();
  });

  test('is offered full-precision models if its GPU has no 16-bit shaders', async () => {
    const { screen, region } = await show({ ...DESK, gpu: DESK.gpu && { ...DESK.gpu, half: false } });
    await expect.element(region('Large f32')).toBeVisible();
    await expect.element(screen.getByText('Large', { exact: true })).not.toBeInTheDocument();
  });

  test('is offered alternatives if it has no WebGPU', async () => {
    const { screen, region } = await show(NO_GPU);
    await expect.element(region('This machine')).toHaveTextContent('This browser offers no WebGPU.');
    await expect.element(screen.getByRole('link', { name: 'server you add under Workers' })).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'the built-in Conductor' })).toBeVisible();
    await expect.element(region('Small')).toHaveTextContent('It runs on the CPU, which is slow');
    const row = screen.getByRole('row', { name: /^Large The default\./ });
    await expect.element(row).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Show 1 model that won’t run here' }).click();
    await expect.element(row).toHaveTextContent('Won’t run');
    await expect.element(row.getByRole('button')).not.toBeInTheDocument();
  });
});

describe('a model', () => {
  test('is downloaded with progress, becomes the Conductor, shows its speed, and is unloaded', async () => {
    const { conduct, region, loader, services } = await show();
    loader.hold = gate();
    await region('Large').getByRole('button', { name: 'Download' }).click();
    await expect.element(region('Large').getByRole('progressbar')).toHaveAttribute('value', '0.5');
    await expect.element(region('Large')).toHaveTextContent('50 %');
    await expect.element(region('Large')).toHaveTextContent('1 kB of 1 kB');
    loader.hold.open();
    await expect.element(region('Large')).toHaveTextContent('The model’s speed appears here after its first answer.');
    expect(conduct.preferences()).toMatchObject({ model: LARGE.id, conductor: `local:${LARGE.id}` });
    const request = { messages: [], grammar: null, temperature: 0, maxTokens: 5 };
    for await (const _ of services.host.engineFor(LARGE).generate(request, new AbortController().signal));
    await expect.element(region('Large')).toHaveTextContent(`Writing speed ${SPEED.decode} tok/s`);
    await region('Large').getByRole('button', { name: 'Unload' }).click();
    await expect.element(region('Large')).toHaveTextContent('loaded last');
    await expect.element(region('Large')).toHaveTextContent(`wrote ${SPEED.decode} tok/s here`);
    expect(conduct.preferences().speeds).toEqual({ [LARGE.id]: SPEED });
  });

  test('stops downloading when cancelled', async () => {
    const { region, loader } = await show();
    loader.hold = gate();
    await region('Large').getByRole('button', { name: 'Download' }).click();
    await region('Large').getByRole('button', { name: 'Cancel' }).click();
    await expect.element(region('Large').getByRole('button', { name: 'Download' })).toBeVisible();
    expect(loader.loaded).toHaveLength(0);
  });

  test('with a damaged file shows an error and a button to download its files again', async () => {
    const { region, loader, cached } = await show(DESK, ({ cached }) =>
      cached.push({ manifestId: LARGE.id, bytes: 4.3e9, total: 4.3e9, complete: true }),
    );
    loader.fail = new FaultError(fault('broken-reply', 'A file of Large is damaged.'));
    await region('Large').getByRole('button', { name: 'Use' }).click();
    await expect.element(region('Large').getByRole('alert')).toHaveTextContent('A file of Large is damaged.');
    await region('Large').getByRole('button', { name: 'Delete and download again' }).click();
    await expect.element(region('Large')).toHaveTextContent('loaded on this CPU');
    expect(cached).toEqual([]);
  });

  test('that lost the GPU shows an error and a retry button, but no delete button', async () => {
    const { region, loader } = await show(DESK, ({ cached }) =>
      cached.push({ manifestId: LARGE.id, bytes: 4.3e9, total: 4.3e9, complete: true }),
    );
    await region('Large').getByRole('button', { name: 'Use' }).click();
    await expect.element(region('Large')).toHaveTextContent('loaded on this CPU');
    loader.newest.lose(fault('interrupted', 'Large lost access to the GPU.', { retryable: true }));
    await expect.element(region('Large').getByRole('alert')).toHaveTextContent('Large lost access to the GPU.');
    await expect.element(region('Large').getByRole('button', { name: 'Delete' })).not.toBeInTheDocument();
    await region('Large').getByRole('button', { name: 'Try again' }).click();
    await expect.element(region('Large')).toHaveTextContent('loaded on this CPU');
  });

  test('is listed under “On this machine” while it downloads, and can be resumed there once cancelled', async () => {
    const { region, loader, screen, cached } = await show();
    loader.hold = gate();
    const kept = region('On this machine');
    await region('Large').getByRole('button', { name: 'Download' }).click();
    await expect.element(kept.getByRole('listitem')).toHaveTextContent('Large 1 kB downloading');
    await expect.element(kept.getByRole('button', { name: 'Remove Large' })).not.toBeInTheDocument();
    cached.push({ manifestId: LARGE.id, bytes: 2e9, total: 4.3e9, complete: false });
    await region('Large').getByRole('button', { name: 'Cancel' }).click();
    await expect.element(kept.getByRole('listitem')).toHaveTextContent('Large 2.0 GB incomplete');
    await expect.element(region('Large').getByRole('button', { name: 'Resume download' })).toBeVisible();
    const row = screen.getByRole('row', { name: /^Large The default\./ });
    await expect.element(row.getByRole('button', { name: 'Resume download of Large' })).toHaveTextContent('Resume');
    loader.hold = null;
    await kept.getByRole('button', { name: 'Resume download of Large' }).click();
    await expect.element(region('Large')).toHaveTextContent('loaded on this CPU');
  });

  test('is listed with its size in the cache, and removed after confirmation', async () => {
    const { screen, region, cached } = await show(DESK, ({ cached }) =>
      cached.push({ manifestId: SMALL.id, bytes: 2e8, total: 5e8, complete: false }),
    );
    const kept = region('On this machine');
    await expect.element(kept.getByRole('listitem')).toHaveTextContent('Small 200 MB incomplete');
    await kept.getByRole('button', { name: 'Remove Small' }).click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect.element(kept).toHaveTextContent('None yet.');
    expect(cached).toEqual([]);
  });
});

describe('the user’s own model', () => {
  test('is added with all fields of the form once every entry is valid', async () => {
    const { screen, own } = await show();
    await screen.getByRole('button', { name: 'Add a model' }).click();
    const form = screen.getByRole('form', { name: 'Add a model' });
    await form.getByRole('button', { name: 'Add model' }).click();
    await expect.element(form.getByText('Enter the address of the folder with the weights')).toBeVisible();
    await form.getByRole('textbox', { name: 'Weights' }).fill('https://hub.example/me/conductor-q4f16_1-MLC');
    await form.getByRole('textbox', { name: 'Library' }).fill('https://hub.example/qwen2.wasm');
    await form.getByLabelText('Revision').fill('abc123');
    await form.getByText('File digests (optional)').click();
    await form.getByLabelText('Library file').fill('sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=');
    await form.getByLabelText('Tokenizer').fill('sha256-of-something');
    await form.getByRole('button', { name: 'Add model' }).click();
    await expect.element(form.getByText(/^Enter it as sha256-/)).toBeVisible();
    await form.getByLabelText('Tokenizer').fill('sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=');
    await form.getByLabelText('Context').fill('8192');
    await form.getByText('Trained with a custom prompt').click();
    await form.getByLabelText('User message').fill('no place for it');
    await form.getByRole('button', { name: 'Add model' }).click();
    await expect.element(form.getByText(/placeholder {{question}} is missing/)).toBeVisible();
    await form.getByLabelText('User message').fill('Q: {{question}}');
    await form.getByRole('button', { name: 'Add model' }).click();
    await expect.element(screen.getByRole('button', { name: 'Edit conductor-q4f16_1-MLC' })).toBeVisible();
    expect(own).toMatchObject([
      {
        label: 'conductor-q4f16_1-MLC',
        engine: 'webllm',
        source: {
          kind: 'mlc',
          weights: 'https://hub.example/me/conductor-q4f16_1-MLC',
          library: 'https://hub.example/qwen2.wasm',
          revision: 'abc123',
          integrity: {
            library: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
            tokenizer: { 'tokenizer.json': 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' },
          },
        },
        context: 8192,
        prompt: { question: 'Q: {{question}}' },
        showWorkers: 'number',
      },
    ]);
  });

  test('is added from a folder, changed and deleted', async () => {
    const { screen, own } = await show();
    await screen.getByRole('button', { name: 'Add a model' }).click();
    const form = screen.getByRole('form', { name: 'Add a model' });
    await form.getByText('Local folder').click();
    await form.getByRole('button', { name: 'Folder' }).click();
    await form.getByRole('button', { name: 'Add model' }).click();
    await screen.getByRole('button', { name: 'Edit my-weights' }).click();
    const edited = screen.getByRole('form', { name: 'Edit my-weights' });
    await edited.getByRole('group', { name: 'How workers are shown to the model' }).getByText('Name').click();
    await edited.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => own)
      .toMatchObject([{ source: { kind: 'folder', name: 'my-weights' }, showWorkers: 'name' }]);
    await screen.getByRole('button', { name: 'Delete my-weights' }).click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => own).toEqual([]);
  });
});

describe('a model in a folder', () => {
  const MINE = manifest('Mine', { engine: 'transformers', source: { kind: 'folder', name: 'my-weights' } });

  async function showMine(prepare: (folders: ModelStage['folders']) => void) {
    const stage = await show(
      DESK,
      ({ own, folders }) => {
        own.push(MINE);
        prepare(folders);
      },
      MINE.id,
    );
    return { ...stage, mine: stage.region('Mine') };
  }

  test('is loaded after a page reload once the user opens its folder again', async () => {
    const { mine } = await showMine((folders) => (folders.state = 'asks'));
    await mine.getByRole('button', { name: 'Open the folder again' }).click();
    await expect.element(mine).toHaveTextContent('loaded on this CPU');
  });

  test('shows an error if access to its folder is denied, and loads if access is allowed later', async () => {
    const { screen, mine, folders, loader } = await showMine((prepared) => {
      prepared.state = 'asks';
      prepared.isAllowed = false;
    });
    await mine.getByRole('button', { name: 'Open the folder again' }).click();
    await expect.element(screen.getByRole('alert')).toHaveTextContent('The folder “my-weights” was not opened.');
    expect(loader.loaded).toHaveLength(0);
    folders.isAllowed = true;
    await mine.getByRole('button', { name: 'Open the folder again' }).click();
    await expect.element(mine).toHaveTextContent('loaded on this CPU');
  });

  test('can use a folder with another name if its own folder is gone', async () => {
    const { mine, own, folders } = await showMine((prepared) => {
      prepared.state = 'gone';
      prepared.picked = 'moved-weights';
    });
    await mine.getByRole('button', { name: 'Choose the folder again' }).click();
    await expect.element(mine).toHaveTextContent('loaded on this CPU');
    expect(own).toMatchObject([{ source: { kind: 'folder', name: 'moved-weights' } }]);
    expect(folders.kept).toEqual(new Map([[MINE.id, 'moved-weights']]));
  });

  test('changes its folder only when the form is saved, and forgets the folder when the model is deleted', async () => {
    const { screen, folders } = await showMine((prepared) => void prepared.kept.set(MINE.id, 'my-weights'));
    await screen.getByRole('button', { name: 'Edit Mine' }).click();
    folders.picked = 'other-weights';
    const form = screen.getByRole('form', { name: 'Edit Mine' });
    await form.getByRole('button', { name: 'Folder' }).click();
    await expect.element(form.getByRole('button', { name: 'Folder' })).toHaveTextContent('other-weights');
    expect(folders.kept.get(MINE.id)).toBe('my-weights');
    await form.getByRole('button', { name: 'Cancel' }).click();
    expect(folders.kept.get(MINE.id)).toBe('my-weights');
    await screen.getByRole('button', { name: 'Edit Mine' }).click();
    await form.getByRole('button', { name: 'Folder' }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => folders.kept.get(MINE.id)).toBe('other-weights');
    await screen.getByRole('button', { name: 'Delete Mine' }).click();
    await screen.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => folders.kept.size).toBe(0);
  });

  test('shows an error if its folder is gone and the browser cannot remember folders', async () => {
    const { screen, mine } = await showMine((folders) => {
      folders.state = 'gone';
      folders.canPick = false;
    });
    await mine.getByRole('button', { name: 'Choose the folder again' }).click();
    await expect.element(screen.getByRole('alert')).toHaveTextContent('This browser cannot remember a folder.');
  });
});

describe('the grammar', () => {
  test('can be turned off, and its section shows that no saved plan was written without it', async () => {
    const { screen, conduct } = await show();
    await expect.element(screen.getByText(/No saved run has a plan/)).toBeVisible();
    await screen.getByRole('group', { name: 'Grammar' }).getByText('Off').click();
    expect(conduct.preferences().grammar).toBe(false);
  });

  test('has a count of valid plans that were written without it, from all pages of the store', async () => {
    const models = modelStage();
    const { services } = conductStage();
    const page = (from: number, freePlan: RunSummary['freePlan']) =>
      Array.from({ length: 2 }, (_, index) => ({
        ...SUMMARY,
        id: `run-${from + index}`,
        ...(freePlan ? { freePlan } : {}),
      }));
    const pages = new Map<string | null, SummaryPage>([
      [null, { summaries: page(0, 'parsed'), next: 'a' }],
      ['a', { summaries: page(2, 'refused'), next: 'b' }],
      ['b', { summaries: page(4, undefined), next: null }],
    ]);
    const store = new PagedStore(pages);
    const screen = await render(ModelsHost, { services: { ...services, store, models: models.services } });
    await expect.element(screen.getByText('Without it, 2 of 4 plans in saved runs were valid')).toBeVisible();
  });
});

class PagedStore extends MemoryStore {
  readonly #pages: ReadonlyMap<string | null, SummaryPage>;

  constructor(pages: ReadonlyMap<string | null, SummaryPage>) {
    super();
    this.#pages = pages;
  }

  override async summaries({ after = null }: { limit: number; after?: string | null }): Promise<SummaryPage> {
    return this.#pages.get(after) ?? { summaries: [], next: null };
  }
}

const SUMMARY: RunSummary = {
  id: '',
  startedAt: 0,
  question: '',
  conductor: '',
  workers: [],
  status: 'finished',
  rounds: 1,
  steps: 1,
  time: 1,
  tokens: 0,
  usd: 0,
  unpriced: 0,
  correct: null,
  simulated: true,
  glyph: [],
  labels: [],
  lastSeq: 1,
};
