/** @file Policies in files: one is written out as it is, one is read and checked before it is kept. */
import { fault, FaultError, type KeptPolicy, type PolicyFile } from '../../core/contract';
import { shownName } from './file-name';
import { chooseTarget, type ChooseTarget } from './save-file';

/** Bytes. A policy takes a fifth of it, and a file of this size is parsed without a pause that anyone notices. */
const LARGEST = 1_000_000;

/** Asks where to and writes the checkpoint, in the form of the one that comes with Podium. */
export async function exportPolicy(
  policy: PolicyFile,
  signal: AbortSignal,
  choose: ChooseTarget = chooseTarget,
): Promise<void> {
  const target = await choose(`podium-policy-${policy.revision.replace(/[^\w.-]+/g, '-').slice(0, 80)}.json`);
  await target?.write(new Blob([`${JSON.stringify(policy)}\n`]).stream(), signal);
}

/**
 * Reads a policy out of a file. Throws a `FaultError` that says what is wrong with it.
 * @param read a file's content as a policy, or `null`
 */
export async function importPolicy(
  file: File,
  read: (content: unknown) => PolicyFile | null,
  made: Pick<KeptPolicy, 'id' | 'madeAt'>,
): Promise<KeptPolicy> {
  const shown = shownName(file.name);
  const policy = file.size <= LARGEST ? read(parseJson(await file.text())) : null;
  if (!policy) {
    const message = `${shown} is no policy that this version can read. Choose a file that Export on this page, or npm run train, has written. Nothing was changed.`;
    throw new FaultError(fault('bad-request', message));
  }
  // A record without a name could not be read again.
  const name = shown.replace(/\.json$/i, '') || 'Imported policy';
  return { ...made, name, origin: { kind: 'imported', file: shown }, heldOut: null, checkpoint: policy };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
