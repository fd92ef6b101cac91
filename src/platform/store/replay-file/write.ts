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
  type DisagreementPart,
  type ReplayFile,
  type ReplayFileOptions,
  type ReplayFileWriter,
  type ReplayIndex,
  type ReplayReport,
  type ReplayReportContext,
  type ReplayViewer,
  type Run,
  type RunEvent,
  type RunSummary,
  type WithheldRun,
  REPLAY_INDEX,
  REPLAY_REPORT,
  REPLAY_ROOT,
  REPLAY_RUN,
} from '../../../core/contract';
import { toBase64 } from '../../base64';
import { carryImages } from '../carried-images';
import type { IndexedRunStore } from '../run-store';
import { confidentialSentence } from '../exported-runs';
import { joinedTexts, runJson, writtenEvents, type WrittenEvent } from './run-text';

export interface ReplayFileDependencies {
  readonly store: Pick<IndexedRunStore, 'read' | 'image'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly viewer: () => Promise<ReplayViewer>;
  /** Returns a function that checks whether a text contains a key that the user has entered. */
  readonly keyFinder: () => Promise<(text: string) => boolean>;
  /** Creates a check for runs that must not leave this browser. The check uses the datasets and batches stored at this time. */
  readonly confidentiality: () => Promise<ConfidentialityCheck>;
  /** Finds where the independent answers of a run disagree. Absent: the file does not show it. */
  readonly disagreementIn?: (run: Run) => readonly DisagreementPart[];
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
      return first === undefined || isConfidential(first);
    },
  };
}

async function writeReplayFile(
  { store, clock, viewer: loadViewer, keyFinder, confidentiality, disagreementIn }: ReplayFileDependencies,
  { ids, attachments, report, signal, onprogress = () => {} }: ReplayFileOptions,
): Promise<ReplayFile<Blob>> {
  const [viewer, isKnown, isConfidential] = await Promise.all([loadViewer(), keyFinder(), confidentiality()]);
  const pieces: Blob[] = [];
  const summaries: RunSummary[] = [];
  const withheld: WithheldRun[] = [];
  const leftOut: string[] = [];
  let [outputs, images, files, confidential, missing] = [0, 0, 0, 0, 0];

  async function add(id: string): Promise<void> {
    const events = await store.read(id);
    const [first] = events;
    const run = foldEvents(events);
    if (!first || !run) return void (missing += 1);
    if (await isConfidential(first)) return void (confidential += 1);
    const written = writtenEvents(events, attachments);
    const found = whereKeyMayBe(written, run, isKnown);
    if (found) return void withheld.push(found);
    const carried = await carryImages(events, store.image);
    const parts = disagreementIn?.(run) ?? [];
    const json = runJson(written, {
      images: attachments ? carried : [],
      ...(parts.length > 0 ? { disagreement: parts } : {}),
    });
    signal.throwIfAborted();
    pieces.push(new Blob([runTemplate(await packed(json))]));
    const { note: _note, ...summary } = summarize(run);
    summaries.push(summary);
    images += carried.length;
    files += run.question.files?.length ?? 0;
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
  const places = new Map(summaries.map(({ id }, place) => [id, place + 1]));
  const context: ReplayReportContext = {
    placeOf: (id) => places.get(id) ?? null,
    isSafe: (text) => !mayHoldKey(text, isKnown),
  };
  const end = pageEnd(await packed(JSON.stringify(index)), viewer);
  return {
    file: new Blob([await pageStart(viewer, report, context), ...pieces, end], { type: 'text/html' }),
    runs: summaries.length,
    simulated: summaries.filter(({ simulated }) => simulated).length,
    outputs,
    images,
    files,
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

// Detects API keys in the texts of a replay file, because users share these files. The user's
// own keys are detected in many encodings. Other keys are detected by the formats of common
// providers.

/**
 * Key formats, strict enough not to match ordinary text or code. The prefixes in the first two
 * patterns also occur in ordinary text. So these patterns require a digit, which random keys
 * contain. The lengths are bounded, so that matching takes linear time.
 */
const FORMATS = [
  /\bBearer\s{1,4}(?=[A-Za-z0-9._~+/-]{0,80}\d)[A-Za-z0-9._~+/-]{20,400}/i,
  /\b(?:sk|pk|rk|gsk|hf|xai|nvapi|csk|fw|r8|tgp|ghp|gho|glpat|xoxb|xoxp)[-_](?=[A-Za-z_-]{0,80}\d)[A-Za-z0-9_-]{16,400}/,
  /\bAIza[A-Za-z0-9_-]{30,60}/,
  /\bAKIA[A-Z0-9]{16}\b/,
  /\beyJ[A-Za-z0-9_-]{10,2000}\.[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,2000}/,
];

/**
 * Whether a text may contain an API key.
 * @param isKnown whether a text contains a key that the user has entered
 */
function mayHoldKey(text: string, isKnown: (text: string) => boolean): boolean {
  return FORMATS.some((format) => format.test(text)) || isKnown(text);
}

// Writes the HTML before and after the runs of a replay file, and the element of each run.
// The file's Content Security Policy allows only its own script, its own style and `data:` images.

/** @param base64 the gzipped JSON of a run */
function runTemplate(base64: string): string {
  return `<template class="${REPLAY_RUN}">${base64}</template>\n`;
}

async function pageStart(
  { style, scriptHash, styleHash }: ReplayViewer,
  report: ReplayReport | undefined,
  context: ReplayReportContext,
): Promise<string> {
  const styles = [`'${styleHash}'`, ...(report ? [`'${await hashOf(report.style)}'`] : [])];
  const policy = [
    "default-src 'none'",
    `script-src '${scriptHash}'`,
    `style-src ${styles.join(' ')}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types svelte-trusted-html',
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Podium replay</title>
<style>${style}</style>
${report ? `<style>${report.style}</style>\n` : ''}</head>
<body>
${report ? `<article id="${REPLAY_REPORT}">\n${report.write(context)}\n</article>\n` : ''}<div id="${REPLAY_ROOT}"></div>
<noscript>This file replays runs of Podium and needs JavaScript. It loads nothing from the network.</noscript>
`;
}

/** The hash of a style sheet for the Content Security Policy. */
async function hashOf(style: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style));
  return `sha256-${toBase64(new Uint8Array(hash))}`;
}

/** @param index base64 of the gzipped index */
function pageEnd(index: string, { script }: ReplayViewer): string {
  return `<template id="${REPLAY_INDEX}">${index}</template>
<script>${script}</script>
</body>
</html>
`;
}
