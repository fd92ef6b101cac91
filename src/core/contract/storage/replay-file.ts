/**
 * @file The replay file: one HTML file with runs and a viewer that opens without a network. These types describe what
 * the file contains. `src/platform/store` writes it and `src/replay` reads it.
 */
import type { DisagreementPart } from '../run/disagreement-part';
import type { ImageType } from '../run/image';
import type { StoredEvent } from '../run/events';
import type { RunSummary } from '../run/summary';
import type { ProgressListener } from './archive';

/** Id of the HTML template with the index. */
export const REPLAY_INDEX = 'podium-index';
/** Class of each HTML template with a run. The templates are in the order of the index. */
export const REPLAY_RUN = 'podium-run';
/** Id of the element that the viewer fills. */
export const REPLAY_ROOT = 'podium-replay';
/** Id of the element with the report, above `REPLAY_ROOT`. */
export const REPLAY_REPORT = 'podium-report';

/** What a file shows above its list of runs, such as the results of a batch. */
export interface ReplayReport {
  /** Its style sheet. */
  readonly style: string;
  /** Writes its HTML. Everything in it that a user or a model wrote is escaped, and checked by `isSafe`. */
  write(context: ReplayReportContext): string;
}

export interface ReplayReportContext {
  /** The place of a run in the file, from 1. Its address is `#` and this number. `null`: the run is not in the file. */
  placeOf(runId: string): number | null;
  /** Whether no key was found in the text. */
  isSafe(text: string): boolean;
}

/** The list of runs in a file. The list and each run are gzipped and written in base64. */
export interface ReplayIndex {
  readonly version: 1;
  /** When the file was written, ms since the epoch. */
  readonly madeAt: number;
  readonly runs: readonly RunSummary[];
}

export interface ReplayImage {
  readonly hash: string;
  readonly type: ImageType;
  /** Base64. */
  readonly data: string;
}

/** One run in a file. */
export interface ReplayRun {
  readonly events: readonly StoredEvent[];
  readonly images: readonly ReplayImage[];
  /** Where the independent answers of the run disagree. Absent: there are fewer than two of them, or an older version wrote it. */
  readonly disagreement?: readonly DisagreementPart[];
}

/** The viewer as text. The hashes are for the file's Content Security Policy: `sha256-`, then base64. */
export interface ReplayViewer {
  readonly script: string;
  readonly style: string;
  readonly scriptHash: string;
  readonly styleHash: string;
}

export interface ReplayFileOptions {
  /** Ids of the runs, in the order of the list in the file. */
  readonly ids: readonly string[];
  /** Whether the images and files of questions are included. */
  readonly attachments: boolean;
  readonly report?: ReplayReport;
  readonly signal: AbortSignal;
  readonly onprogress?: ProgressListener;
}

/** A run that is not in the file, because one of its texts may contain an API key. */
export interface WithheldRun {
  readonly id: string;
  /** The beginning of the question, without the possible key. */
  readonly question: string;
  /** Where the key may be, for example "the output of step 2". */
  readonly where: string;
}

/** A replay file, and what the page shows before the file is saved. In the browser, `Content` is `Blob`. */
export interface ReplayFile<Content> {
  readonly file: Content;
  readonly runs: number;
  /** Number of runs with simulated workers. */
  readonly simulated: number;
  /** Number of steps with an output. */
  readonly outputs: number;
  /** Number of images in the questions, even if `ReplayFileOptions.attachments` leaves them out of the file. */
  readonly images: number;
  /** Number of files in the questions, even if they are left out. */
  readonly files: number;
  readonly withheld: readonly WithheldRun[];
  /** Sentences about runs that are left out for any reason other than a possible key. */
  readonly leftOut: readonly string[];
}

export interface ReplayFileWriter<Content> {
  /** Reads, scans and compresses the runs one by one. Rejects with a `FaultError`, or when aborted. */
  write(options: ReplayFileOptions): Promise<ReplayFile<Content>>;
  /** Whether a run must not leave this browser. Rejects with a `FaultError` if storage fails. */
  isConfidential(runId: string): Promise<boolean>;
}
