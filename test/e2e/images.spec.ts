import { textReply } from '../fixtures/plans';
import type { Podium } from './podium';
import { expect, test } from './podium';
import { importText, savedRunText, withoutPicker } from './run-files';

interface Sent {
  readonly messages: readonly { readonly content: string | readonly { readonly type: string }[] }[];
}

/**
 * The types of all parts of the sent messages. A message of plain text counts as one `text` part.
 */
function partsOf(body: unknown): string[] {
  return (body as Sent).messages.flatMap(({ content }) =>
    typeof content === 'string' ? ['text'] : content.map(({ type }) => type),
  );
}

const PLAN = [
  'One looks, the other concludes.',
  'model_id = [1, 0]',
  'subtasks = ["Say what the picture shows.", "Conclude."]',
  'access_list = [[], [0]]',
].join('\n');

/** PNG images of one pixel, each in a different gray. */
const SHADES = [
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGPQAAAAKgApazFUcwAAAABJRU5ErkJggg==',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGMIAAAAUgBR9yHZtwAAAABJRU5ErkJggg==',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGOoAAAAegB5s2G1ewAAAABJRU5ErkJggg==',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNYAAAAogCh3I2xzAAAAABJRU5ErkJggg==',
].map((data) => Buffer.from(data, 'base64'));

/** Creates an image in the browser and pastes it into the question. */
async function pastePicture({ page }: Podium, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Question' }).evaluate(async (box, fileName) => {
    const canvas = new OffscreenCanvas(2000, 500);
    const context = canvas.getContext('2d');
    if (context) context.fillStyle = 'teal';
    context?.fillRect(0, 0, 900, 500);
    const transfer = new DataTransfer();
    transfer.items.add(new File([await canvas.convertToBlob({ type: 'image/png' })], fileName, { type: 'image/png' }));
    box.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }));
  }, name);
}

/** Deletes all stored images, so that runs refer to missing images. */
async function loseImages({ page }: Podium): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open('podium');
        request.onerror = () => reject(new Error('no database'));
        request.onsuccess = () => {
          const transaction = request.result.transaction('images', 'readwrite');
          transaction.objectStore('images').clear();
          transaction.oncomplete = () => {
            request.result.close();
            resolve();
          };
        };
      }),
  );
}

test('a pasted image is sent only to workers that can see images, an import restores a lost image, and other files are rejected @smoke', async ({
  page,
  podium,
  server,
}) => {
  await withoutPicker(page);
  server.script('planner@images', textReply(PLAN));
  await podium.addWorker({ address: server.url, model: 'planner@images', name: 'Planner' });
  await podium.addWorker({ address: server.url, model: 'ok@blind', name: 'Blind' });
  await podium.addWorker({ address: server.url, model: 'ok@seeing', name: 'Seeing' });
  await podium.choose('Blind', 'Seeing');
  await podium.conductor.selectOption({ label: 'Planner' });
  await podium.question.fill('What does the picture show?');
  await pastePicture(podium, 'sign.png');
  const attached = page.getByRole('list', { name: 'Attached images' });
  await expect(attached.getByRole('img', { name: 'sign.png' })).toBeVisible();
  await expect(page.getByText(/None of the chosen workers can see images/)).toBeVisible();
  await page.reload();
  await expect(attached.getByRole('img', { name: 'sign.png' }), 'a reload before Run loses nothing').toBeVisible();

  await page.getByRole('link', { name: 'Workers', exact: true }).click();
  await page.getByRole('button', { name: 'Edit Seeing' }).click();
  await page.getByRole('checkbox', { name: 'Can see images' }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'Conduct', exact: true }).click();
  await expect(page.getByText(/None of the chosen workers can see images/)).toBeHidden();
  await podium.run.click();
  await podium.ended();

  const [requested] = server.calls('planner@images');
  expect(partsOf(requested?.body)).not.toContain('image_url');
  expect(JSON.stringify(requested?.body)).toContain('The question comes with 1 image. Only Model id 1 can see it');
  const [seen] = server.calls('ok@seeing');
  expect(partsOf(seen?.body)).toEqual(['text', 'image_url']);
  expect(JSON.stringify(seen?.body)).toContain('data:image/png;base64,');
  const [blind] = server.calls('ok@blind');
  expect(partsOf(blind?.body)).toEqual(['text']);
  expect(JSON.stringify(blind?.body)).toContain('The overall task comes with 1 image, which you cannot see.');

  const started = (await podium.storedEvents()).find(({ type }) => type === 'run-started');
  expect(started?.question).toMatchObject({ images: [{ type: 'image/png', width: 1568, height: 392 }] });
  expect(JSON.stringify(await podium.storedEvents())).not.toContain('base64');

  await page.getByRole('link', { name: 'Replay' }).click();
  await page.reload();
  const kept = page.getByRole('img', { name: 'Image 1 of the question' });
  await expect(kept).toBeVisible();
  expect(await kept.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1568);

  const file = await savedRunText(page);
  await loseImages(podium);
  await page.reload();
  await expect(
    page.getByText('Image 1 isn’t stored in this browser. Import a file of this run that includes it.'),
  ).toBeVisible();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Runs' }).click();
  await importText(page, file);
  await expect(page.getByText('1 run had lost its images and has them back.')).toBeVisible();
  await page.getByRole('link', { name: 'What does the picture show?' }).click();
  await expect(kept).toBeVisible();
  expect(await kept.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1568);

  await page.goto('/#/');
  const picker = page.getByLabel('Files', { exact: true });
  await picker.setInputFiles({ name: 'photo.heic', mimeType: 'image/heic', buffer: Buffer.from('hello') });
  await expect(page.getByText('photo.heic: This file type isn’t supported.')).toBeVisible();
  const pixel = (shade: number) => ({
    name: `shade-${shade}.png`,
    mimeType: 'image/png',
    buffer: SHADES[shade] ?? Buffer.alloc(0),
  });
  await picker.setInputFiles([0, 1, 2, 3, 4].map(pixel));
  await expect(page.getByText('A question can have at most 4 images.')).toBeVisible();
  await expect(attached.getByRole('listitem')).toHaveCount(4);
  await page.getByRole('button', { name: 'Remove shade-0.png' }).click();
  await expect(attached.getByRole('listitem')).toHaveCount(3);
});
