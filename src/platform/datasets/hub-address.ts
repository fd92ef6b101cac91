/** @file Addresses on the Hugging Face hub, and the hosts that its files may come from. */
import { fault, FaultError, type HubAddress } from '../../core/contract';

export interface HubHost {
  readonly origin: string;
  /** Hosts to which the hub may redirect, including their subdomains. */
  readonly fileHosts: readonly string[];
}

export const HUGGING_FACE: HubHost = { origin: 'https://huggingface.co', fileHosts: ['huggingface.co', 'hf.co'] };

/** A validated address of a dataset on the hub. */
export interface DatasetAddress {
  readonly repository: string;
  readonly revision: string;
  readonly token: string | null;
}

const REPOSITORY = /^(?!\.)[\w.-]{1,96}(?:\/(?!\.)[\w.-]{1,96})?$/;

/** Validates the user's input. Also accepts the URL of the dataset’s page. Throws a `FaultError` (`bad-address`). */
export function datasetAddress(
  { repository, revision, token }: Omit<HubAddress, 'file'>,
  { origin }: HubHost,
): DatasetAddress {
  const name = repository
    .trim()
    .replace(`${origin}/`, '')
    .replace(/^datasets\//, '')
    .replace(/(?<!\/)\/+$/, '');
  if (!REPOSITORY.test(name)) {
    const message = 'This is not the name of a dataset. Enter its owner and name, such as HuggingFaceH4/MATH-500.';
    throw new FaultError(fault('bad-address', message));
  }
  return { repository: name, revision: revision?.trim() || 'main', token: token?.trim() || null };
}

export function pageOf({ repository }: DatasetAddress, { origin }: HubHost): string {
  return `${origin}/datasets/${repository}`;
}

export function infoUrl({ repository, revision }: DatasetAddress, { origin }: HubHost): string {
  return `${origin}/api/datasets/${repository}/revision/${encodeURIComponent(revision)}?blobs=true`;
}

/** @param commit the commit of the file. A branch is not enough, because it could change between two range requests */
export function fileUrl({ repository }: DatasetAddress, commit: string, path: string, { origin }: HubHost): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return `${origin}/datasets/${repository}/resolve/${encodeURIComponent(commit)}/${encoded}`;
}

/** Whether a response comes from one of `fileHosts`. @param url the address of the response, after redirects */
export function isOwnHost(url: string, { origin, fileHosts }: HubHost): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  if (protocol !== new URL(origin).protocol) return false;
  return fileHosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
}
