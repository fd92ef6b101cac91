/**
 * @file Writes replay files, which are HTML pages with runs and a viewer. Reads and compresses one run at a time, so that only
 * compressed runs stay in memory. A run that may contain an API key is left out.
 */
import {
  FaultError,
  foldEvents,
  stepsBefore,
  summarize,
  type Clock,
  type ConfidentialityCheck,
  type ReplayFile,
  type ReplayFileOptions,
  type ReplayFileWriter,
  type ReplayIndex,
  type ReplayViewer,
  type Run,
  type RunEvent,
  type RunSummary,
  type WithheldRun,
} from '../../../core/contract';
import { toBase64 } from '../base64';
import { carryImages } from '../carried-images';
import type { IndexedRunStore } from '../run-store';
import { confidentialSentence } from '../exported-runs';
import { mayHoldKey } from './find-key';
import { pageEnd, pageStart, runTemplate } from './page';
import { joinedTexts, runJson, writtenEvents, type WrittenEvent } from './run-text';

export interface ReplayFileDependencies {
  readonly store: Pick<IndexedRunStore, 'read' | 'image'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly viewer: () => Promise<ReplayViewer>;
  /** Returns a function that checks whether a text contains a key that the user has entered. */
  readonly keyFinder: () => Promise<(text: string) => boolean>;
  /** Creates a check for runs that must not leave this browser. The check uses the datasets and batches stored at this time. */
  readonly confidentiality: () => Promise<ConfidentialityCheck>;
}

/** Maximum length of the question of a withheld run in the result, in UTF-16 units. */
const BEGINNING = 80;

export function createReplayFileWriter(dependencies: ReplayFileDependencies): ReplayFileWriter<Blob> {
  return {
    write: (options) => writeReplayFile(dependencies, options),
    async isConfidential(id) {
      const [isConfidential, [first]] = await Promise.all([
        dependencies.confidentiality(),
        dependencies.store.read(id),
      ]);
      return first !== undefined && isConfidential(first);
    },
  };
}

async function writeReplayFile(
  { store, clock, viewer: loadViewer, keyFinder, confidentiality }: ReplayFileDependencies,
  { ids, images: withImages, signal, onprogress = () => {} }: ReplayFileOptions,
): Promise<ReplayFile<Blob>> {
  const [viewer, isKnown, isConfidential] = await Promise.all([loadViewer(), keyFinder(), confidentiality()]);
  const parts: Blob[] = [];
  const summaries: RunSummary[] = [];
  const withheld: WithheldRun[] = [];
  const leftOut: string[] = [];
  let [outputs, images, confidential, missing] = [0, 0, 0, 0];

  async function add(id: string): Promise<void> {
    const events = await store.read(id);
    const [first] = events;
    const run = foldEvents(events);
    if (!first || !run) return void (missing += 1);
    if (await isConfidential(first)) return void (confidential += 1);
    const written = writtenEvents(events);
    const found = whereKeyMayBe(written, run, isKnown);
    if (found) return void withheld.push(found);
    const carried = await carryImages(events, store.image);
    const json = runJson(written, withImages ? carried : []);
    signal.throwIfAborted();
    parts.push(new Blob([runTemplate(await packed(json))]));
    const { note: _note, ...summary } = summarize(run);
    summaries.push(summary);
    images += carried.length;
    outputs += outputCount(run);
  }

  for (const [done, id] of ids.entries()) {
    signal.throwIfAborted();
    onprogress(done, ids.length);
    try {
      await add(id);
    } catch (thrown) {
      if (!(thrown instanceof FaultError)) throw thrown;
      leftOut.push(`The run ${id} is left out. ${thrown.fault.message}`);
    }
  }
  onprogress(ids.length, ids.length);
  if (missing > 0) leftOut.push(missing === 1 ? '1 run no longer exists.' : `${missing} runs no longer exist.`);
  if (confidential > 0) leftOut.push(confidentialSentence(confidential));
  const index: ReplayIndex = { version: 1, madeAt: clock.now(), runs: summaries };
  const end = pageEnd(await packed(JSON.stringify(index)), viewer);
  return {
    file: new Blob([pageStart(viewer), ...parts, end], { type: 'text/html' }),
    runs: summaries.length,
    simulated: summaries.filter(({ simulated }) => simulated).length,
    outputs,
    images,
    withheld,
    leftOut,
  };
}

function outputCount(run: Run): number {
  return run.rounds.reduce((sum, { steps }) => sum + steps.filter(({ output }) => output !== null).length, 0);
}

/** Gzips a text and encodes the result as base64. */
async function packed(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  return toBase64(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** The first place in the run that may contain an API key. `null` if there is none. */
function whereKeyMayBe(
  written: readonly WrittenEvent[],
  run: Run,
  isKnown: (text: string) => boolean,
): WithheldRun | null {
  const holdsKey = (text: string) => mayHoldKey(text, isKnown);
  const event =
    written.find(({ texts }) => texts.some(holdsKey))?.event ??
    joinedTexts(written).find(({ text }) => holdsKey(text))?.event;
  if (!event) return null;
  const beginning = run.question.text.slice(0, BEGINNING);
  return { id: run.id, question: holdsKey(run.question.text) ? '' : beginning, where: placeOf(event, run) };
}

/** Describes the place of an event, such as "the output of step 2". */
function placeOf(event: RunEvent, run: Run): string {
  switch (event.type) {
    case 'run-started':
      return 'the question or the settings of the run’s workers';
    case 'run-graded':
      return 'the comment on its grade';
    case 'run-labelled':
      return 'a tag';
    case 'run-annotated':
      return 'its title';
    default:
  }
  if ('step' in event && typeof event.step === 'number') {
    return `the ${event.type === 'step-started' ? 'prompt' : 'output'} of step ${stepsBefore(run, event.round) + event.step + 1}`;
  }
  return event.type.startsWith('plan-') ? 'the plan' : 'its other data';
}
