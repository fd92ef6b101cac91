/** @file Exports a policy to a file, and reads and validates a policy from a file. */
import { fault, FaultError, parseJson, type KeptPolicy, type PolicyFile } from '../../core/contract';
import { shownName } from './file-name';
import { fileText } from './file-text';
import { chooseTarget, type ChooseTarget } from './save-file';

/** Maximum size of a policy file, bytes. Five times the size of a policy, and still parsed without a noticeable pause. */
const LARGEST = 1_000_000;

/** Asks where to save, and writes the policy in the format of the built-in policy. */
export async function exportPolicy(
  policy: PolicyFile,
  signal: AbortSignal,
  choose: ChooseTarget = chooseTarget,
): Promise<void> {
  const target = await choose(`podium-policy-${policy.revision.replace(/[^\w.-]+/g, '-').slice(0, 80)}.json`);
  await target?.write(new Blob([`${JSON.stringify(policy)}\n`]).stream(), signal);
}

/**
 * Reads a policy from a file. Throws a `FaultError` if the file is not a policy.
 * @param read validates the parsed JSON. Returns `null` if the JSON is not a policy
 */
export async function importPolicy(
  file: File,
  read: (content: unknown) => PolicyFile | null,
  made: Pick<KeptPolicy, 'id' | 'madeAt'>,
): Promise<KeptPolicy> {
  const shown = shownName(file.name);
  const policy = file.size <= LARGEST ? read(parseJson(await fileText(file))) : null;
  if (!policy) {
    const message = `${shown} is not a policy that this version can read. Choose a file written by Export on this page or by npm run train. Nothing was changed.`;
    throw new FaultError(fault('bad-request', message));
  }
  // The schema rejects an empty name.
  const name = shown.replace(/\.json$/i, '') || 'Imported policy';
  return { ...made, name, origin: { kind: 'imported', file: shown }, heldOut: null, checkpoint: policy };
}
