/**
 * @file The sizes and digests of a model's files that are known before the download. For prebuilt models,
 * Podium contains sizes and digests (see `launch.ts`). For their own models, users can enter digests.
 */
import type { ModelIntegrity, ModelPin, PinnedFile } from '../../../core/contract';
import { digestOf, type Digest } from './digests';
import { CONFIG_FILE } from './model-files';

export interface ExpectedFile {
  readonly bytes: number | null;
  readonly digest: Digest | null;
}

export interface ExpectedFiles {
  /** The expected size and digest of the file at a path. A value is `null` if it is unknown. */
  file(path: string): ExpectedFile;
  readonly library: ExpectedFile;
}

export function expectedFiles(pin: ModelPin | null, integrity: ModelIntegrity): ExpectedFiles {
  if (pin) return { file: (path) => pinned(pin.files[path]), library: pinned(pin.library) };
  const { config, library, tokenizer } = integrity;
  return {
    file: (path) => digested(path === CONFIG_FILE ? config : tokenizer?.[path]),
    library: digested(library),
  };
}

function pinned(file: PinnedFile | undefined): ExpectedFile {
  if (!file) return UNKNOWN;
  return { bytes: file.bytes, digest: { algorithm: 'sha256', hex: file.sha256 } };
}

function digested(integrity: string | undefined): ExpectedFile {
  return integrity === undefined ? UNKNOWN : { bytes: null, digest: digestOf(integrity) };
}

const UNKNOWN: ExpectedFile = { bytes: null, digest: null };
