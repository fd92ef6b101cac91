/** @file Converts the hub’s error responses to faults that say what to do. */
import { fault, FaultError, type Fault } from '../../core/contract';
import { pageOf, type DatasetAddress, type HubHost } from './hub-address';

/** Length of the hub's rate-limit window, in ms. This is also the assumed wait if the hub reports no wait. */
const WINDOW = 300_000;

/** @param file path in the repository. `null`: the list of files was requested */
export function hubFault(response: Response, address: DatasetAddress, file: string | null, host: HubHost): Fault {
  const { status, headers } = response;
  const code = headers.get('x-error-code') ?? '';
  const detail = (headers.get('x-error-message') ?? '').slice(0, 500);
  const more = { status, ...(detail !== '' && { detail }) };
  const page = pageOf(address, host);
  const { repository, revision, token } = address;
  if (code === 'GatedRepo' || (status === 403 && code === '')) {
    return token === null
      ? fault(
          'unauthorized',
          `${repository} needs permission. Request access at ${page}, then enter an access token of your account.`,
          more,
        )
      : fault(
          'forbidden',
          `The account of this access token has no access to ${repository}. Request access at ${page}, or check the token’s permissions.`,
          more,
        );
  }
  if (status === 429) return rateLimited(waitOf(response.headers) ?? WINDOW);
  if (code === 'RevisionNotFound')
    return fault('not-found', `${repository} has no revision “${revision}”. Check its spelling.`, more);
  if (code === 'EntryNotFound' && file !== null)
    return fault('not-found', `${repository} has no file “${file}”. Choose another one.`, more);
  if (status === 401 && token !== null && code !== 'RepoNotFound') {
    return fault(
      'unauthorized',
      `The hub doesn’t accept this access token. Check it at ${host.origin}/settings/tokens.`,
      more,
    );
  }
  // For these statuses, the dataset may be missing or private. The hub doesn't reveal which.
  if (status === 401 || status === 403 || status === 404) {
    return fault(
      'not-found',
      `The hub has no public dataset “${repository}”. Check its name. For a private dataset, enter an access token.`,
      more,
    );
  }
  if (status >= 500)
    return fault('server-error', 'The hub has a problem. Try again later.', { ...more, retryable: true });
  return fault('bad-request', `The hub refused the request (status ${status}). Try another file.`, more);
}

/** @param retryAfter ms */
export function rateLimited(retryAfter: number): Fault {
  const seconds = Math.ceil(retryAfter / 1000);
  const message = `The hub’s rate limit is reached. Try again in ${seconds} seconds. With an access token the limit is higher.`;
  return fault('rate-limited', message, { status: 429, retryable: true, retryAfter });
}

/** The wait in ms, from `RateLimit: "resolvers";r=0;t=178`, or from `Retry-After`. `null`: the hub didn’t report a wait. */
function waitOf(headers: Headers): number | null {
  const seconds = /;\s*t=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1] ?? headers.get('retry-after');
  return seconds !== null && /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1000 : null;
}

/** The error for a request to which the hub sent no reply. */
export function unreachable(thrown: unknown): FaultError {
  const detail = String(thrown).slice(0, 500);
  const message = 'Couldn’t reach the Hugging Face hub. Check your connection, then try again.';
  return new FaultError(fault('unreachable', message, { retryable: true, detail }));
}

export function otherHost(url: string): FaultError {
  const host = URL.canParse(url) ? new URL(url).host : 'another server';
  const message = `The hub redirected to ${host}, which is not one of its own servers, so nothing was read. Download the file and open it from your disk.`;
  return new FaultError(fault('bad-address', message));
}

export function brokenReply(why: string): FaultError {
  const message = `The hub sent an invalid response: ${why} Try again, or download the file and open it from your disk.`;
  return new FaultError(fault('broken-reply', message, { retryable: true }));
}
