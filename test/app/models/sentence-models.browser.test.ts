import { expect, test } from 'vitest';
import { render } from 'vitest-browser-svelte';
import { fault, FaultError, type LoadProgress } from '../../../src/core/contract';
import { sentenceModel, ScriptedSentenceModels } from '../scripted-sentence-models';
import { conductStage } from '../conduct/conduct-services';
import { modelStage, type ModelStage } from './model-services';
import ModelsHost from './ModelsHost.svelte';

const MINI = sentenceModel('Mini');
const LARGER = sentenceModel('Larger', { download: 120e6, licence: null, why: 'Knows fifty languages.' });

async function show(
  prepare: (sentences: ScriptedSentenceModels, cached: ModelStage['cached']) => unknown = () => undefined,
) {
  const models = modelStage();
  const sentences = new ScriptedSentenceModels(models.cached);
  sentences.listed = [MINI, LARGER];
  await prepare(sentences, models.cached);
  const { services } = conductStage();
  const paths: string[] = [];
  const storage = {
    ...services.storage,
    persist: () => {
      paths.push('persist');
      return Promise.resolve(true);
    },
  };
  const screen = await render(ModelsHost, {
    services: { ...services, storage, models: models.services, sentenceModels: () => Promise.resolve(sentences) },
  });
  const region = (name: string) => screen.getByRole('region', { name, exact: true });
  const questions = region('Similar questions');
  await expect.element(questions.getByText('Mini', { exact: true })).toBeVisible();
  const button = (name: string) => questions.getByRole('button', { name, exact: true });
  return { screen, sentences, cached: models.cached, paths, questions, button, kept: region('On this machine') };
}

test('downloads nothing before the user chooses a model, and shows the download size of each model', async () => {
  const { screen, sentences, questions, button, kept } = await show();
  await expect.element(questions.getByRole('status')).toHaveTextContent('compared by spelling');
  await expect
    .element(questions.getByRole('listitem').first())
    .toHaveTextContent('Mini Small, quick, and made for English. about 24.0 MB to download · Apache-2.0');
  await expect.element(questions.getByRole('link', { name: 'Apache-2.0' })).toHaveAttribute('target', '_blank');
  await expect.element(questions.getByRole('listitem').last()).toHaveTextContent('about 120 MB to download');
  await expect.element(button('Download and use Mini')).toBeEnabled();
  await expect.element(button('Download and use Larger')).toBeEnabled();
  await expect.element(kept).toHaveTextContent('None yet.');
  await expect.element(screen.getByRole('table').getByText('Mini')).not.toBeInTheDocument();
  expect(sentences.state).toEqual({ kind: 'none' });
});

test('downloads and uses a model with one click', async () => {
  const { screen, paths, questions, button, kept } = await show();
  await button('Download and use Mini').click();
  await expect.element(questions.getByRole('status')).toHaveTextContent('compared by meaning');
  await expect.element(questions.getByText('In use')).toBeVisible();
  await expect.element(kept.getByRole('listitem')).toHaveTextContent('Mini to find similar questions 24.0 MB complete');
  await expect.element(kept.getByRole('button', { name: /download it again/ })).not.toBeInTheDocument();
  await expect.element(screen.getByRole('table').getByText('Mini')).not.toBeInTheDocument();
  expect(paths).toEqual(['persist']);
});

const PROGRESS: LoadProgress = { phase: 'fetching', loaded: 12e6, total: 24e6, speed: 3.1e6, cached: false };

test('shows a download under “Similar questions” and “On this machine”, and can stop, resume and remove it', async () => {
  const { screen, sentences, questions, button, kept, cached } = await show((prepared) => (prepared.held = PROGRESS));
  await button('Download and use Mini').click();
  await expect
    .element(questions.getByRole('progressbar', { name: 'Download of Mini' }))
    .toHaveAttribute('value', '0.5');
  await expect.element(questions).toHaveTextContent('12.0 MB of 24.0 MB, 3.1 MB/s');
  await expect.element(questions.getByRole('status')).toHaveTextContent('compared by spelling');
  await expect.element(button('Download and use Larger')).toBeDisabled();
  await expect
    .element(kept.getByRole('listitem'))
    .toHaveTextContent('Mini to find similar questions 12.0 MB downloading');
  await expect.element(kept.getByRole('button', { name: 'Remove Mini' })).not.toBeInTheDocument();
  await button('Stop Mini').click();
  await expect.element(button('Resume and use Mini')).toBeEnabled();
  await expect.element(questions.getByRole('alert')).not.toBeInTheDocument();
  await expect.element(kept.getByRole('listitem')).toHaveTextContent('incomplete');
  cached.length = 0;
  await kept.getByRole('button', { name: 'Resume download of Mini' }).click();
  await expect.element(kept.getByRole('listitem')).toHaveTextContent('downloading');
  sentences.stop();
  await expect.element(kept.getByRole('listitem')).toHaveTextContent('incomplete');
  await kept.getByRole('button', { name: 'Remove Mini' }).click();
  await screen.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect.element(kept).toHaveTextContent('None yet.');
  expect(cached).toEqual([]);
});

test.each<[Partial<LoadProgress> | null, string]>([
  [null, 'Checking what is already downloaded.'],
  [{ loaded: null, total: null, speed: null }, 'Connecting.'],
  [{ total: null, speed: null }, '12.0 MB'],
  [{ loaded: 0, speed: null, cached: true }, 'Connecting.'],
  [{ loaded: 24e6, speed: null, cached: true }, 'Reading downloaded files.'],
  [{ speed: null, cached: true }, '12.0 MB of 24.0 MB'],
  [{ phase: 'loading' }, 'Preparing.'],
])('shows the progress %o as “%s”', async (progress, words) => {
  const { questions } = await show((sentences) => {
    sentences.state = { kind: 'loading', model: MINI, progress: progress && { ...PROGRESS, ...progress } };
  });
  await expect.element(questions.getByText(words, { exact: true })).toBeVisible();
});

test('reports a failed download, falls back to similarity by spelling, and can retry', async () => {
  const { questions, button } = await show((sentences) => {
    sentences.fail = fault('unreachable', 'The hub could not be reached. Try again when you are online.', {
      retryable: true,
    });
  });
  await button('Download and use Mini').click();
  await expect
    .element(questions.getByRole('alert'))
    .toHaveTextContent(
      'The hub could not be reached. Try again when you are online. Until then, similarity is based on spelling',
    );
  await expect.element(questions.getByRole('status')).toHaveTextContent('compared by spelling');
  await button('Try again').click();
  await expect.element(questions.getByRole('status')).toHaveTextContent('compared by meaning');
  await expect.element(questions.getByRole('alert')).not.toBeInTheDocument();
});

test('removes a failed model without confirmation if none of its files are cached', async () => {
  const { screen, questions, button } = await show((sentences) => {
    sentences.state = { kind: 'failed', model: MINI, fault: fault('unreachable', 'The hub could not be reached.') };
  });
  await button('Remove').click();
  await expect.element(button('Download and use Mini')).toBeVisible();
  await expect.element(questions.getByRole('alert')).not.toBeInTheDocument();
  await expect.element(screen.getByRole('dialog')).not.toBeInTheDocument();
});

test('asks for confirmation before removing the model in use from “Similar questions” or “On this machine”', async () => {
  const { screen, sentences, questions, button, kept, cached } = await show((prepared) => prepared.use(MINI));
  await expect.element(questions.getByText('In use')).toBeVisible();
  await button('Remove Mini').click();
  const dialog = screen.getByRole('dialog', { name: 'Remove Mini from this machine?' });
  await expect.element(dialog).toHaveTextContent('Similarity is then based on spelling');
  await dialog.getByRole('button', { name: 'Keep' }).click();
  await expect.element(questions.getByText('In use')).toBeVisible();
  await kept.getByRole('button', { name: 'Remove Mini' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect.element(button('Download and use Mini')).toBeVisible();
  expect(sentences.state).toEqual({ kind: 'none' });
  expect(cached).toEqual([]);
});

test('asks for confirmation before removing the model in use, even if no cached files are listed', async () => {
  const { screen, sentences, button } = await show((prepared) => {
    prepared.chosen = MINI;
    prepared.state = { kind: 'ready', model: MINI };
  });
  await button('Remove Mini').click();
  await expect.element(screen.getByRole('dialog', { name: 'Remove Mini from this machine?' })).toBeVisible();
  expect(sentences.chosen).toEqual(MINI);
});

test('offers a cached model without a download, and removes it without removing other models', async () => {
  const { screen, sentences, button, kept, cached } = await show(async (prepared) => {
    await prepared.use(MINI);
    await prepared.use(LARGER);
  });
  await expect.element(button('Use Mini')).toBeEnabled();
  await kept.getByRole('button', { name: 'Remove Mini' }).click();
  await screen.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect.element(button('Download and use Mini')).toBeVisible();
  expect(sentences.chosen).toEqual(LARGER);
  expect(cached).toMatchObject([{ manifestId: LARGER.id }]);
});

test('keeps the model in use if the download of another model fails', async () => {
  const { sentences, questions, button } = await show(async (prepared) => {
    await prepared.use(MINI);
    prepared.fail = fault('unreachable', 'The hub could not be reached.', { retryable: true });
  });
  await button('Download and use Larger').click();
  await expect
    .element(questions.getByRole('alert'))
    .toHaveTextContent(/The hub could not be reached. Try again Remove$/);
  await expect.element(questions.getByText('In use')).toBeVisible();
  await expect.element(questions.getByRole('status')).toHaveTextContent('compared by meaning');
  await button('Remove').click();
  await expect.element(questions.getByRole('alert')).not.toBeInTheDocument();
  expect(sentences.chosen).toEqual(MINI);
});

test('reports a model whose files are missing, and can download it again', async () => {
  const { questions, button } = await show((sentences) => {
    sentences.chosen = MINI;
    sentences.chosenFault = fault('not-found', 'The files of Mini are not on this machine any more.');
    sentences.state = { kind: 'failed', model: MINI, fault: sentences.chosenFault };
  });
  await expect.element(questions.getByRole('alert')).toHaveTextContent('Until then, similarity is based on spelling');
  await expect.element(questions.getByRole('status')).toHaveTextContent('compared by spelling');
  await expect.element(questions.getByText('In use')).not.toBeInTheDocument();
  await button('Download again').click();
  await expect.element(questions.getByText('In use')).toBeVisible();
});

test('shows no model as in use if the chosen model’s files are missing and another download fails', async () => {
  const { questions, button } = await show((sentences) => {
    sentences.chosen = MINI;
    sentences.chosenFault = fault('not-found', 'The files of Mini are not on this machine any more.');
    sentences.fail = fault('unreachable', 'The hub could not be reached.', { retryable: true });
  });
  await button('Download and use Larger').click();
  await expect.element(questions.getByText('The hub could not be reached.')).toBeVisible();
  await expect.element(questions.getByText('The files of Mini are not on this machine any more.')).toBeVisible();
  await expect.element(questions.getByText('In use')).not.toBeInTheDocument();
  await expect.element(questions.getByRole('status')).toHaveTextContent('compared by spelling');
});

test('adds the size of the shared runtime to each download until the runtime is cached', async () => {
  const { sentences, questions, button } = await show((prepared, cached) => {
    prepared.runtime = 27e6;
    cached.push({ manifestId: LARGER.id, bytes: LARGER.download, total: LARGER.download, complete: true });
  });
  await expect.element(questions.getByRole('listitem').first()).toHaveTextContent('about 51.0 MB to download');
  await expect.element(questions.getByRole('listitem').last()).toHaveTextContent('about 27.0 MB left to download');
  await expect.element(button('Download and use Larger')).toBeVisible();
  sentences.runtime = 0;
  await button('Download and use Mini').click();
  await expect.element(questions.getByRole('listitem').first()).toHaveTextContent('24.0 MB on this machine');
  await expect.element(button('Use Larger')).toBeVisible();
});

test('lists a model in use that is no longer offered, with a button to remove it', async () => {
  const deleted = sentenceModel('Gone');
  const { questions, button } = await show((prepared) => prepared.use(deleted));
  await expect.element(questions.getByRole('listitem').last()).toHaveTextContent('Gone');
  await expect.element(button('Remove Gone')).toBeVisible();
});

test('shows one alert and the model in use if the list of models cannot be read', async () => {
  const { questions } = await show((sentences) => {
    sentences.chosen = MINI;
    sentences.state = { kind: 'ready', model: MINI };
    sentences.list = () => Promise.reject(new FaultError(fault('storage-failed', 'The list could not be read.')));
  });
  await expect.element(questions.getByRole('alert')).toHaveTextContent('The list could not be read.');
  await expect.element(questions.getByText('In use')).toBeVisible();
});
