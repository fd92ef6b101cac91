import { japanesePdf, pdfFile, wordFile } from '../fixtures/documents';
import { textReply } from '../fixtures/plans';
import { expect, test } from './podium';
import { savedRunText, withoutPicker } from './run-files';

interface Sent {
  readonly messages: readonly { readonly content: string }[];
}

const PLAN = [
  'One reads, the other concludes.',
  'model_id = [0, 0]',
  'subtasks = ["Read the table.", "Conclude."]',
  'access_list = [[], [0]]',
].join('\n');

const FILE = [
  '<attached-file name="people.csv" kind="CSV">',
  'name,age',
  'Ada,36',
  '</attached-file>',
  '',
  'Question:',
  'Who is 36?',
].join('\n');

test('files are part of the question for the Conductor and each step, and stay with the run @smoke', async ({
  page,
  podium,
  server,
}) => {
  await withoutPicker(page);
  server.script('planner@files', textReply(PLAN));
  await podium.storeWorkers(
    { address: server.url, model: 'planner@files', name: 'Planner' },
    { address: server.url, model: 'ok@reader', name: 'Reader' },
  );
  await podium.choose('Reader');
  await podium.conductor.selectOption({ label: 'Planner' });
  await podium.question.fill('Who is 36?');
  const picker = page.getByLabel('Files', { exact: true });
  await picker.setInputFiles([
    { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from('name,age\nAda,36') },
    { name: 'lying.txt', mimeType: 'text/plain', buffer: Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1') },
  ]);
  const attached = page.getByRole('list', { name: 'Attached files' });
  await expect(attached.getByRole('listitem')).toHaveText(/people\.csv.*CSV, about \d+ tokens/);
  await expect(page.getByText('lying.txt: This is an image, but its name says otherwise.')).toBeVisible();
  await attached.getByRole('button', { name: 'people.csv', exact: true }).click();
  await expect(page.getByLabel('Text of people.csv')).toHaveText('name,age Ada,36');
  await page.getByRole('button', { name: 'Close' }).click();
  await page.reload();
  await expect(attached.getByRole('listitem'), 'a reload before Run loses nothing').toHaveCount(1);
  await podium.run.click();
  await podium.ended();

  for (const model of ['planner@files', 'ok@reader']) {
    const calls = server.calls(model);
    expect(calls.length).toBeGreaterThan(0);
    for (const { body } of calls) {
      expect((body as Sent).messages.map(({ content }) => content).join('\n')).toContain(FILE);
    }
  }

  await page.getByRole('link', { name: 'Replay' }).click();
  await page.reload();
  const kept = page.getByRole('list', { name: 'Files of the question' });
  await expect(kept.getByRole('listitem')).toHaveText(/people\.csv/);
  const run = await savedRunText(page);
  expect(run).toContain(JSON.stringify('name,age\nAda,36'));
});

test('PDF and Word files are read in the page, and the pages that fit a small context can be chosen', async ({
  page,
  podium,
  server,
}) => {
  await podium.addWorker({ address: server.url, model: 'ok@small', name: 'Small' });
  await page.getByRole('button', { name: 'Edit Small' }).click();
  await page.getByText('More settings').click();
  await page.getByLabel('Context window').fill('6000');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await podium.choose('Small');
  const picker = page.getByLabel('Files', { exact: true });
  const file = (name: string, bytes: Uint8Array) => ({ name, mimeType: '', buffer: Buffer.from(bytes) });
  await picker.setInputFiles([
    file('report.pdf', pdfFile([['First page'], ['Second page']], '/OpenAction << /S /JavaScript /JS (x) >>')),
    file('japan.pdf', japanesePdf()),
    file('letter.docx', wordFile(['Dear Ada,', 'see you.'])),
    file('scan.pdf', pdfFile([[]])),
  ]);
  await expect(page.getByText('scan.pdf: This PDF has no text.')).toBeVisible();
  const attached = page.getByRole('list', { name: 'Attached files' });
  await expect(attached.getByRole('listitem')).toHaveText([
    /report\.pdf.*PDF/,
    /japan\.pdf.*PDF/,
    /letter\.docx.*Word/,
  ]);
  for (const [name, text] of [
    ['report.pdf', '[Page 1] First page [Page 2] Second page'],
    ['japan.pdf', '[Page 1] 日本'],
    ['letter.docx', 'Dear Ada, see you.'],
  ] as const) {
    await attached.getByRole('button', { name, exact: true }).click();
    await expect(page.getByLabel(`Text of ${name}`)).toHaveText(text);
    await page.getByRole('button', { name: 'Close' }).click();
  }

  const pages = Array.from({ length: 60 }, (_, index) => Array<string>(20).fill(`Line of page ${index + 1}`));
  await picker.setInputFiles([file('long.pdf', pdfFile(pages))]);
  await expect(page.getByText(/tokens, but Small reads at most about/)).toBeVisible();
  await page.getByRole('button', { name: 'Choose parts' }).click();
  await expect(page.getByText('The file has 60 pages.')).toBeVisible();
  await expect(page.getByText(/tokens, which fits/)).toBeVisible();
  await page.getByLabel('First page').fill('3');
  await page.getByRole('button', { name: 'Keep' }).click();
  await expect(attached.getByRole('listitem').last()).toContainText(/PDF, pages 3–\d+ of 60/);
  await expect(page.getByText(/tokens, but Small reads at most about/)).toBeHidden();
});
