import { gunzipSync } from 'node:zlib';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  confidentialityCheck,
  foldEvents,
  renderMessages,
  type DisagreementPart,
  type EventBody,
  type ReplayFileOptions,
  type Run,
  type StoredEvent,
} from '../../../src/core/contract';
import { createReplayFileWriter } from '../../../src/platform/store/replay-file/write';
import { questionFile } from '../../fixtures/memory-images';
import { finishedRunBodies, runStarted, stampEvents, step } from '../../fixtures/run-events';
import { createKeyFinder } from '../../../src/platform/workers/provider-words';

const VIEWER = { script: 'start()', style: 'p{color:red}', scriptHash: 'sha256-a', styleHash: 'sha256-b' };
const NOW = 1_770_000_000_000;
const IMAGE = { type: 'image/png' as const, bytes: new Uint8Array([1, 2, 3]) };

type Runs = Readonly<Record<string, readonly StoredEvent[]>>;

/** @param secret ids of confidential datasets */
function replayFilesOf(
  runs: Runs,
  keys: readonly string[] = [],
  secret: readonly string[] = [],
  disagreementIn: (run: Run) => readonly DisagreementPart[] = () => [],
) {
  const datasets = secret.map((id) => ({ id, isConfidential: true }));
  return createReplayFileWriter({
    store: { read: (id) => Promise.resolve(runs[id] ?? []), image: () => Promise.resolve(IMAGE) },
    clock: { now: () => NOW },
    viewer: () => Promise.resolve(VIEWER),
    disagreementIn,
    keyFinder: () => Promise.resolve(createKeyFinder(keys)),
    confidentiality: () =>
      Promise.resolve(confidentialityCheck({ read: (id) => Promise.resolve(runs[id] ?? []), datasets, batches: [] })),
  });
}

function writerOf(runs: Runs, keys: readonly string[] = [], secret: readonly string[] = []) {
  const writer = replayFilesOf(runs, keys, secret);
  return (options: Partial<ReplayFileOptions> = {}) =>
    writer.write({ ids: Object.keys(runs), attachments: true, signal: new AbortController().signal, ...options });
}

const bodyOf = (text: string): EventBody[] => [
  runStarted({ question: { text: 'What is six times seven?' } }),
  { type: 'round-started', round: 0 },
  { type: 'plan-started', round: 0, conductor: { id: 'by-hand', label: 'By hand', kind: 'by-hand' }, messages: [] },
  {
    type: 'plan-finished',
    round: 0,
    workflow: { steps: [step(0, 'Solve it')] },
    source: 'person',
    thought: '',
    text: '',
    usage: null,
    cost: null,
    finishReason: 'stop',
  },
  {
    type: 'step-started',
    round: 0,
    step: 0,
    attempt: 0,
    workerId: 'sim:alder',
    messages: [{ role: 'user', parts: [{ kind: 'literal', text: 'A prompt of a step' }] }],
    sha256: '',
  },
  { type: 'step-delta', round: 0, step: 0, attempt: 0, channel: 'content', text: text.slice(0, 12) },
  { type: 'step-delta', round: 0, step: 0, attempt: 0, channel: 'content', text: text.slice(12) },
];
const OTHER = [{ role: 'user' as const, parts: [{ kind: 'literal' as const, text: 'A prompt of a Conductor' }] }];

function withPrompt(event: StoredEvent, text: string): StoredEvent {
  return event.type === 'step-started'
    ? { ...event, messages: [{ role: 'user', parts: [{ kind: 'literal', text }] }] }
    : event;
}

const runOf = (text: string, runId = 'run-1') => stampEvents(bodyOf(text), { runId });

/** Unpacks the values of a file. The runs come first. */
async function valuesIn(file: Blob): Promise<readonly unknown[]> {
  const html = await file.text();
  return [...html.matchAll(/<template [^>]+>([^<]*)<\/template>/g)].map(([, packed = '']): unknown =>
    JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()),
  );
}

describe('a replay file', () => {
  test('contains where answers disagree once, as texts', async () => {
    const compared = {
      type: 'answers-compared',
      by: 'Elm',
      sha256: 'a',
      usage: null,
      cost: 0.5,
      analysis: { consensus: ['Both agree.'], contradictions: [], gaps: [], unique_insights: [], blind_spots: [] },
    } as const;
    const part = { title: 'Consensus, according to Elm', items: ['Both agree.'] };
    const events = stampEvents([...finishedRunBodies(), compared]);
    const writer = replayFilesOf({ 'run-1': events }, [], [], ({ compared }) => (compared.length > 0 ? [part] : []));
    const { file } = await writer.write({
      ids: ['run-1'],
      attachments: true,
      signal: new AbortController().signal,
    });
    const [first] = await valuesIn(file);
    expect(first).toMatchObject({ disagreement: [part] });
    expect(JSON.stringify(first).match(/Both agree/g)).toHaveLength(1);
    expect(foldEvents((first as { events: StoredEvent[] }).events)?.spent.usd).toBe(foldEvents(events)?.spent.usd);
  });

  test('contains separately packed runs, an index, and a content security policy with the viewer’s hashes', async () => {
    const one = stampEvents(finishedRunBodies());
    const two = stampEvents(finishedRunBodies(), { runId: 'run-2' });
    const { file, runs, outputs, simulated, withheld, leftOut } = await writerOf({ 'run-1': one, 'run-2': two })();
    expect({ runs, outputs, simulated, withheld, leftOut }).toEqual({
      runs: 2,
      outputs: 6,
      simulated: 2,
      withheld: [],
      leftOut: [],
    });
    const html = await file.text();
    expect(html).toContain("default-src 'none'; script-src 'sha256-a'; style-src 'sha256-b'; img-src data:;");
    expect(html).toContain('<script>start()</script>');
    const [first, , index] = await valuesIn(file);
    const events = (first as { events: StoredEvent[] }).events;
    const [again, before] = [foldEvents(events), foldEvents(one)];
    expect(again?.answer).toBe(before?.answer);
    expect(again?.rounds.map(({ steps }) => steps.map(({ output }) => output))).toEqual(
      before?.rounds.map(({ steps }) => steps.map(({ output }) => output)),
    );
    expect(index).toMatchObject({ version: 1, madeAt: NOW, runs: [{ id: 'run-1' }, { id: 'run-2' }] });
  });

  test('packs the text of a run, so that the text cannot end the `<template>` element around it', async () => {
    const { file } = await writerOf({ 'run-1': runOf('</template><script>attack()</script>') })();
    expect(await file.text()).not.toContain('attack');
  });

  test('contains the prompts of steps as they were sent, but no prompt of a Conductor', async () => {
    const bodies = bodyOf('42').map((body) => (body.type === 'plan-started' ? { ...body, messages: OTHER } : body));
    const { file } = await writerOf({ 'run-1': stampEvents(bodies) })();
    const [first] = await valuesIn(file);
    const run = foldEvents((first as { events: StoredEvent[] }).events);
    if (!run) throw new Error('The file has no run.');
    expect(renderMessages(run, { round: 0, step: 0, attempt: 0 })).toEqual([
      { role: 'user', content: 'A prompt of a step' },
    ]);
    expect(JSON.stringify(first)).not.toContain('A prompt of a Conductor');
  });

  test('contains no prompts of a follow-up run, because they repeat the earlier question and answer', async () => {
    const context = { runId: 'run-0', question: 'An earlier question', answer: 'An earlier answer' };
    const bodies = bodyOf('42').map((body) =>
      body.type === 'run-started' ? { ...body, question: { text: 'And then?', context } } : body,
    );
    const { file } = await writerOf({ 'run-1': stampEvents(bodies) })();
    const packed = JSON.stringify(await valuesIn(file));
    expect(packed).toContain('And then?');
    expect(packed).not.toMatch(/A prompt of a step|An earlier/);
  });

  test('leaves out a run whose prompt contains a key, and names the step', async () => {
    const runs = { 'run-1': runOf('42').map((event) => withPrompt(event, 'Use sk-proj-abcDEF123456abcDEF123456 now')) };
    const { withheld } = await writerOf(runs)();
    expect(withheld).toMatchObject([{ where: 'the prompt of step 1' }]);
  });

  test.each([
    ['a known key', 'k7Qx2mWz9Lp4Rt8v', 'It is k7Qx2mWz9Lp4Rt8v.'],
    ['a known key in base64', 'k7Qx2mWz9Lp4Rt8v', `It is ${btoa('k7Qx2mWz9Lp4Rt8v')}.`],
    ['an OpenAI key', null, 'Use sk-proj-abcDEF123456abcDEF123456 now'],
    ['a Google key', null, 'Use AIzaSyA1234567890abcdefghijklmnopqrstuv'],
    ['a Hugging Face token', null, 'hf_AbCdEfGhIjKlMnOpQrStUv123456'],
    ['an authorization header', null, 'Authorization: Bearer abcdefgh12345678ijklmnop'],
  ])('leaves out a run whose output contains %s, even if the secret is split over two deltas', async (_, key, text) => {
    const runs = { bad: runOf(text, 'bad'), good: runOf('42', 'good') };
    const { file, runs: written, withheld } = await writerOf(runs, key === null ? [] : [key])();
    expect(written).toBe(1);
    expect(withheld).toEqual([{ id: 'bad', question: 'What is six times seven?', where: 'the output of step 1' }]);
    expect(JSON.stringify(await valuesIn(file))).not.toContain('bad');
  });

  test('does not reveal the question of a run if the question contains a key', async () => {
    const events = stampEvents([runStarted({ question: { text: 'Why does sk-abcdef1234567890abcd fail?' } })]);
    const { withheld } = await writerOf({ 'run-1': events })();
    expect(withheld).toMatchObject([{ question: '', where: expect.stringContaining('question') }]);
  });

  test.each([
    'Call hf_hub_download_with_retries and sk-learn-compatible-estimators.',
    `SHA-256 ${createHash('sha256').update('x').digest('hex')}`,
    'The Bearer of this letter may pass.',
  ])('keeps a run with ordinary text: %s', async (text) => {
    const { withheld } = await writerOf({ 'run-1': runOf(text) })();
    expect(withheld).toEqual([]);
  });

  test('leaves out missing runs and runs of confidential tasks, and reports both', async () => {
    const batch = { id: 'b', unit: 0, dataset: 'd', task: 't', isConfidential: true };
    const events = stampEvents(finishedRunBodies()).map((event, index) => (index === 0 ? { ...event, batch } : event));
    const { runs, leftOut } = await writerOf({ 'run-1': events, gone: [] })();
    expect(runs).toBe(0);
    expect(leftOut).toEqual([
      '1 run no longer exists.',
      '1 run is left out, because its task must not leave this browser.',
    ]);
  });

  test('leaves out unmarked runs of a confidential dataset, and their forks', async () => {
    const batch = { id: 'b', unit: 0, dataset: 'd', task: 't' };
    const parent = { runId: 'run-1', round: 0, step: 0 };
    const started = (more: object, runId: string) =>
      stampEvents(finishedRunBodies(), { runId }).map((event, index) => (index === 0 ? { ...event, ...more } : event));
    const all = {
      'run-1': started({ batch }, 'run-1'),
      'run-2': started({ parent }, 'run-2'),
      'run-3': started({}, 'run-3'),
    };
    const { runs, leftOut } = await writerOf(all, [], ['d'])();
    expect(runs).toBe(1);
    expect(leftOut).toEqual(['2 runs are left out, because their tasks must not leave this browser.']);
    const writer = replayFilesOf(all, [], ['d']);
    expect(await Promise.all(['run-1', 'run-2', 'run-3'].map((id) => writer.isConfidential(id)))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('includes images only on request, but always counts them', async () => {
    const image = { hash: 'f00', type: 'image/png' as const, width: 1, height: 1, size: 3 };
    const events = stampEvents([runStarted({ question: { text: 'What is this?', images: [image] } })]);
    const write = writerOf({ 'run-1': events });
    const data = Buffer.from(IMAGE.bytes).toString('base64');
    const [withImages, without] = [await write({ attachments: true }), await write({ attachments: false })];
    expect([withImages.images, without.images]).toEqual([1, 1]);
    expect((await valuesIn(withImages.file))[0]).toMatchObject({ images: [{ hash: 'f00', type: 'image/png', data }] });
    expect((await valuesIn(without.file))[0]).toMatchObject({ images: [] });
  });

  test('contain the files of questions, or neither the files nor the prompts that include them', async () => {
    const file = questionFile('Ada is 36.');
    const [started, ...rest] = bodyOf('Fine.');
    const question = { text: 'Who?', files: [file] };
    const write = writerOf({ one: stampEvents([{ ...started, question } as EventBody, ...rest]) });
    const [withFiles, without] = [await write(), await write({ attachments: false })];
    expect([withFiles.files, without.files]).toEqual([1, 1]);
    expect(JSON.stringify(await valuesIn(withFiles.file))).toContain(file.text);
    expect(JSON.stringify(await valuesIn(without.file))).not.toMatch(/Ada is 36|notes\.txt|"parts"/);
  });

  test('is not written if the signal aborts', async () => {
    const stop = new AbortController();
    const writing = writerOf({ 'run-1': runOf('42') })({ signal: stop.signal });
    stop.abort();
    await expect(writing).rejects.toThrow();
  });
});
